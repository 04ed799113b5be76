//! Mistakes in arguments and results that are enums or structs.
//!
//! They are passed whole: C receives a copy, by value or by address.

use crate::Capabilities;
use fishplate_model::{
    Argument, CResult, CType, Code, Diagnostic, Elements, Ellipses, Intent, Overload, Passing,
    PerArgument, Pointee, ReturnedPointer, Type,
};

/// Checks the arguments and the result of these types.
pub(crate) fn check(
    overload: &Overload,
    intents: &PerArgument<Intent>,
    ellipses: Ellipses,
    host: &Capabilities,
    diagnostics: &mut Vec<Diagnostic>,
) {
    for (argument, intent) in overload.arguments.iter().zip(intents) {
        if let Some(class) = argument.ctype.class() {
            check_argument(argument, class, *intent, ellipses, diagnostics);
            check_array(argument, class, ellipses, host, diagnostics);
        }
    }
    let Some(ctype) = overload.result.ctype() else { return };
    let Some(class) = ctype.class() else { return };
    if let CResult::Pointer(returned) = &overload.result {
        if is_one_struct(ctype, &returned.out_pointer) {
            return;
        }
        diagnostics.push(pointers(class, returned.span));
    } else if ellipses.maps() {
        diagnostics.push(not_mapped(&format!("the result, a `{class}`,"), ctype.span));
    }
}

fn check_argument(
    argument: &Argument,
    class: &str,
    intent: Intent,
    ellipses: Ellipses,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let name = &argument.name.value;
    let is_enum = matches!(argument.ctype.what, Type::Enum(_));
    if is_enum && matches!(argument.passing, Passing::Jagged { .. }) {
        diagnostics.push(Diagnostic::error(
            Code::UNSUPPORTED_TYPE,
            argument.span,
            format!("arrays of different lengths of `{class}` are not supported"),
            "declare its integer type in `[types]` and remove `[enum]`: then they are arrays of integers",
        ));
        return;
    }
    if let Some(out_pointer) = argument.out_pointer() {
        if !is_one_struct(&argument.ctype, out_pointer) {
            diagnostics.push(pointers(class, argument.span));
        }
        return;
    }
    if is_enum && !argument.is_array() && intent.writes_caller() {
        diagnostics.push(Diagnostic::error(
            Code::INTENT_MISFIT,
            argument.span,
            format!("`{name}` is a `{class}`, which is immutable"),
            "write `in out` to return the value that C writes",
        ));
    }
    if ellipses.maps() && !matches!(intent, Intent::In | Intent::Hidden) {
        diagnostics.push(not_mapped(&format!("`{name}`, a `{class}`,"), argument.span));
    }
    if let Some(text) = argument.default.as_ref().and_then(|default| default.as_literal())
        && text.starts_with('"')
        && let Some(default) = &argument.default
    {
        diagnostics.push(Diagnostic::error(
            Code::BAD_DEFAULT,
            default.span,
            format!("`{name}` is a `{class}`, not a string"),
            "name a value that the headers define",
        ));
    }
}

/// Arrays of structs, which not every host supports.
fn check_array(
    argument: &Argument,
    class: &str,
    ellipses: Ellipses,
    host: &Capabilities,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let is_array = matches!(
        argument.passing,
        Passing::Array { elements: Elements::Numbers, .. } | Passing::Jagged { .. }
    );
    if argument.ctype.structure().is_none() || !is_array {
        return;
    }
    let (message, hint) = if !host.structured {
        (
            format!("{} has no arrays of `{class}`", host.host),
            "write an intent before each field of its table, `in double x`: each field is then an array of its own; for \
             rows of structs, write a C function that accepts arrays, and wrap that",
        )
    } else if ellipses.maps() {
        (format!("a batched function cannot accept an array of `{class}`"), "remove `ellipses`")
    } else {
        return;
    };
    diagnostics.push(Diagnostic::error(Code::UNSUPPORTED, argument.span, message, hint));
}

/// It points to a struct, of which the target language gets a copy.
fn is_one_struct(ctype: &CType, out_pointer: &ReturnedPointer) -> bool {
    out_pointer.holds == Pointee::One && ctype.structure().is_some()
}

fn pointers(class: &str, span: fishplate_model::Span) -> Diagnostic {
    Diagnostic::error(
        Code::UNSUPPORTED_TYPE,
        span,
        format!("pointers to C-allocated `{class}` values are not supported"),
        "write a C function that returns it by value, and wrap that",
    )
}

fn not_mapped(what: &str, span: fishplate_model::Span) -> Diagnostic {
    Diagnostic::error(
        Code::UNSUPPORTED,
        span,
        format!("{what} is one value for all items, but C returns one per item"),
        "remove `ellipses`",
    )
}
