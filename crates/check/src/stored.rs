//! Mistakes in objects that the module stores: C neither allocates nor frees their memory.

use crate::resolve::Classes;
use fishplate_model::{
    CResult, CType, Code, Diagnostic, Handle, Overload, Owner, Passing, ReturnedPointer, Span,
    declared,
};

/// Checks the arguments and the result of a prototype.
pub(crate) fn check(overload: &Overload, classes: Classes<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let stored = |ctype: &CType| {
        let is_class = |one: &&Handle| ctype.handle() == Some(&one.name.value);
        classes.0.handles.iter().find(is_class).filter(|one| one.stored.is_some())
    };
    let mut refuse = |span: Span, message: String, hint: String| {
        diagnostics.push(Diagnostic::error(Code::INTENT_MISFIT, span, message, hint));
    };
    for argument in &overload.arguments {
        let Some(handle) = stored(&argument.ctype) else { continue };
        let (name, class) = (&argument.name.value, &handle.name.value);
        if let Some(when) = &argument.consumed {
            refuse(
                when.span,
                format!("C cannot take over `{name}`: each `{class}` is in memory of the module"),
                "remove `own`; a C function that moves the value may be wrapped with `invalidates`"
                    .to_owned(),
            );
        }
        let Passing::OutPointer(out_pointer) = &argument.passing else { continue };
        if out_pointer.stored.is_none() {
            own(out_pointer, class, argument.span, &mut refuse);
            continue;
        }
        if out_pointer.owner != Owner::Caller(None) {
            refuse(
                argument.span,
                format!("`{name}` is a new `{class}`, which belongs to the caller"),
                format!("write `out {}`", declared(&argument.ctype.written(), name)),
            );
        }
        if argument.ctype.written().starts_with("const ") {
            refuse(
                argument.span,
                format!("`{name}` is a new `{class}`, and `const`"),
                "remove `const`".to_owned(),
            );
        }
        if argument.nullable {
            refuse(
                argument.span,
                format!("`{name}` is a new `{class}`, which is never NULL"),
                "remove `nullable`".to_owned(),
            );
        }
    }
    if let CResult::Pointer(returned) = &overload.result
        && let Some(handle) = stored(&returned.ctype)
    {
        own(&returned.out_pointer, &handle.name.value, returned.span, &mut refuse);
    }
}

/// C returns an object that it has allocated itself.
fn own(
    out_pointer: &ReturnedPointer,
    class: &str,
    span: Span,
    refuse: &mut impl FnMut(Span, String, String),
) {
    if matches!(out_pointer.owner, Owner::Caller(_)) {
        refuse(
            span,
            format!("C allocates this `{class}`, but the module stores the objects of its handle"),
            "declare another handle for objects that C allocates, without `storage`; where they belong to C, write \
             `borrow`"
                .to_owned(),
        );
    }
}
