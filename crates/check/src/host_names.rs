//! Names that the target language reserves.
//!
//! Invariant: only the language for which the interface is checked decides; `end` is a good name in
//! Python, and `lambda` in Lua.

use crate::Capabilities;
use fishplate_model::{Code, Diagnostic, Interface, Span, Spanned};

/// Checks the names of a module and of its members.
pub(crate) fn check(interface: &Interface, host: &Capabilities, diagnostics: &mut Vec<Diagnostic>) {
    if let Some(name) = &interface.module.name {
        check_module(name, host, diagnostics);
    }
    let mut refuse = |name: &Spanned<String>, what: &str| {
        if (host.is_special)(&name.value) {
            diagnostics.push(special(name.span, &name.value, what, host));
        } else if host.reserved.contains(&name.value.as_str()) {
            diagnostics.push(Diagnostic::error(
                Code::BAD_NAME,
                name.span,
                format!(
                    "`{}` is a keyword of {} and cannot be {what}'s name",
                    name.value, host.language
                ),
                format!("rename it, such as to `{}_`", name.value),
            ));
        }
    };
    for function in &interface.functions {
        refuse(&function.name, "a function");
    }
    for handle in &interface.handles {
        refuse(&handle.name, "a class");
    }
    for one in &interface.structs {
        refuse(&one.name, "a class");
        one.fields.iter().for_each(|field| refuse(&field.name, "a field"));
    }
    for one in &interface.enums {
        refuse(&Spanned::new(one.member().to_owned(), one.name.span), "a class");
        one.values.iter().for_each(|value| refuse(&value.name, "an enumerator"));
    }
    interface.constants.iter().for_each(|one| refuse(&one.name, "a constant"));
}

/// Refuses a name that the language itself looks up.
fn special(span: Span, name: &str, what: &str, host: &Capabilities) -> Diagnostic {
    Diagnostic::error(
        Code::BAD_NAME,
        span,
        format!(
            "`{name}` has a meaning of its own in {} and cannot be {what}'s name",
            host.language
        ),
        format!("rename it, such as to `{}`", host.parameter_name(name.trim_matches('_'))),
    )
}

fn check_module(name: &Spanned<String>, host: &Capabilities, diagnostics: &mut Vec<Diagnostic>) {
    let language = host.language;
    let keyword = name.value.split('.').find(|part| host.reserved.contains(part));
    if let (Some(keyword), true) = (keyword, host.host == "python") {
        diagnostics.push(Diagnostic::error(
            Code::BAD_NAME,
            name.span,
            format!(
                "`{keyword}` is a keyword of {language}, so `{}` could not be imported",
                name.value
            ),
            format!("rename it, such as to `{keyword}_`"),
        ));
    }
    if let Some(part) = name.value.split('.').find(|part| (host.is_special)(part)) {
        diagnostics.push(special(name.span, part, "a module", host));
    }
    // In a package it is a different name.
    let taken = name.value.as_str();
    let hint = format!("rename it, for example to `{taken}_c`, or put it into a package");
    if host.modules.contains(&taken) {
        let message =
            format!("a module `{taken}` exists already, so this one could not be imported");
        diagnostics.push(Diagnostic::error(Code::BAD_NAME, name.span, message, hint));
    } else if host.standard_modules.contains(&taken) {
        let message =
            format!("the module `{taken}` hides the one of {language}'s standard library");
        diagnostics.push(Diagnostic::warning(Code::BAD_NAME, name.span, message, hint));
    }
}
