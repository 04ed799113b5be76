//! Mistakes in handles: names, and what makes and gives back objects.

use crate::{Capabilities, CheckedHandle, functions};
use fishplate_model::{Code, Diagnostic, Function, Handle, Interface, Overload, Spanned};

/// What every handle has, so that no method can be called so.
const OWN: &[&str] = &["close", "closed"];

/// Checks all handles, and the functions that are their methods.
pub(crate) fn check(
    interface: &Interface,
    host: &Capabilities,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<CheckedHandle> {
    for function in &interface.functions {
        check_names(function, interface, diagnostics);
        for overload in &function.overloads {
            check_destructor(overload, &interface.handles, diagnostics);
        }
    }
    let handles = interface.handles.iter().map(|handle| {
        let made = handle.constructor.as_ref();
        let constructor = made.and_then(|made| functions::check(made, host, diagnostics));
        CheckedHandle { handle: handle.clone(), constructor }
    });
    handles.collect()
}

/// True where the first argument is this handle, so that the function is a method.
fn takes_first(overload: &Overload, handle: &Handle) -> bool {
    overload
        .arguments
        .first()
        .is_some_and(|first| first.ctype.handle() == Some(handle.name.value.as_str()))
}

fn check_names(function: &Function, interface: &Interface, diagnostics: &mut Vec<Diagnostic>) {
    let Spanned { value: name, span } = &function.name;
    for handle in &interface.handles {
        let class = &handle.name;
        let is_own = function.class.as_ref() == Some(&class.value);
        if is_own && let Some(other) = function.overloads.iter().find(|o| !takes_first(o, handle)) {
            diagnostics.push(Diagnostic::error(
                Code::INTENT_MISFIT,
                other.span,
                format!("`{name}` is a method of `{}`, and takes none", class.value),
                format!("a method's first argument is `{}`", handle.ctype.spelling),
            ));
        }
        let is_method = is_own || function.overloads.iter().any(|one| takes_first(one, handle));
        if is_method && OWN.contains(&name.as_str()) {
            diagnostics.push(
                Diagnostic::error(
                    Code::DUPLICATE_NAME,
                    *span,
                    format!("every handle has a `{name}` of its own"),
                    "rename the function",
                )
                .also(class.span, "this is the handle"),
            );
        }
        if function.class.is_none() && *name == class.value {
            diagnostics.push(
                Diagnostic::error(
                    Code::DUPLICATE_NAME,
                    *span,
                    format!("a function and a handle are called `{name}`"),
                    "rename one of the two; what makes a new one is `new` of the handle",
                )
                .also(class.span, "this is the handle"),
            );
        }
    }
}

/// Who calls the destructor as a function has an object that is given back twice.
fn check_destructor(overload: &Overload, handles: &[Handle], diagnostics: &mut Vec<Diagnostic>) {
    let given = handles.iter().find_map(|handle| {
        let destructor = handle.destructor.as_ref()?;
        (destructor.value == overload.c_name.value).then_some((handle, destructor))
    });
    if let Some((handle, destructor)) = given {
        let found = Diagnostic::error(
            Code::UNSUPPORTED,
            overload.c_name.span,
            format!("`{}` gives back what its handle will give back again", destructor.value),
            format!("leave it out: `{}.close()` calls it", handle.name.value),
        );
        diagnostics.push(found.also(destructor.span, "it is called by itself"));
    }
}
