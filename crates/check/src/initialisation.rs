//! Mistakes in `init` and `exit`: functions that a module calls when it is loaded, and when its interpreter ends.
//!
//! Purpose: such a function exists, and needs no argument.
//! Invariant: it is a function like any other, with the error convention of its prototype.
//! Reason: a library that could not be prepared must not be used, so its error fails the import.

use crate::names::suggestion;
use crate::{CheckedFunction, Role};
use fishplate_model::{Code, Diagnostic, Ellipses, Interface};

/// Checks the list of `[module]` against the functions without mistakes.
pub(crate) fn check(
    interface: &Interface,
    functions: &[CheckedFunction],
    diagnostics: &mut Vec<Diagnostic>,
) {
    let module = &interface.module;
    let init = module.init.iter().map(|name| ("init", name));
    for (key, name) in init.chain(module.exit.iter().map(|name| ("exit", name))) {
        let function = interface
            .functions
            .iter()
            .find(|one| one.class.is_none() && one.name.value == name.value);
        let Some(function) = function else {
            let names = interface.functions.iter().filter(|one| one.class.is_none());
            let near = suggestion(&name.value, names.map(|one| one.name.value.as_str()));
            diagnostics.push(Diagnostic::error(
                Code::UNKNOWN_NAME,
                name.span,
                format!("`{key}` names no function of this interface: `{}`", name.value),
                near.unwrap_or_else(|| {
                    "name a function without arguments; a method is not one".to_owned()
                }),
            ));
            continue;
        };
        let checked = functions.iter().find(|one| one.class.is_none() && one.name == name.value);
        let needs = checked.is_some_and(|one| {
            one.ellipses != Ellipses::default()
                || one
                    .overloads
                    .iter()
                    .all(|overload| overload.arguments.iter().any(|one| one.role == Role::Required))
        });
        if needs {
            diagnostics.push(
                Diagnostic::error(
                    Code::INTENT_MISFIT,
                    name.span,
                    format!("`{}` has arguments, but a module calls it without any", name.value),
                    "give each a value: `hidden long flags = CURL_GLOBAL_ALL`, or a default",
                )
                .also(function.name.span, "it is declared here"),
            );
        }
    }
}
