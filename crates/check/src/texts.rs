//! Mistakes about texts and bytes: arguments that are such, and functions that cannot have them.

use crate::handed::Place;
use fishplate_model::{
    Argument, CResult, Code, Device, Diagnostic, Elements, Expr, ExprKind, Function, Intent,
    Overload, Passing,
};

/// Checks one argument that is a text, or an array of bytes or of a text.
pub(crate) fn check(argument: &Argument, intent: Intent, diagnostics: &mut Vec<Diagnostic>) {
    let name = &argument.name.value;
    match &argument.passing {
        Passing::Text => {
            if let Some(default) = &argument.default {
                check_default(name, default, diagnostics);
            }
        }
        Passing::Array { shape, elements, .. } => {
            let what = format!("`{name}`");
            let place = Place { what: &what, span: argument.span };
            place.check(&argument.ctype, shape.len(), *elements, diagnostics);
            if *elements == Elements::Text && intent != Intent::Out {
                diagnostics.push(Diagnostic::error(
                    Code::INTENT_MISFIT,
                    argument.span,
                    format!("`{name}` is a string that C writes, so it is an output"),
                    format!(
                        "write `out text`; a text that C only reads is `const char *{name}`, and one that \
                         C changes is `in out bytes {name}[n]`"
                    ),
                ));
            }
            if let (Elements::Bytes, Intent::InPlaceAndOut | Intent::InOutAndOut) =
                (*elements, intent)
            {
                diagnostics.push(Diagnostic::error(
                    Code::INTENT_MISFIT,
                    argument.span,
                    format!(
                        "`{name}` is `bytes`, which cannot be both modified in place and returned"
                    ),
                    "write `in out` to return a changed copy, or drop `out`",
                ));
            }
        }
        Passing::Value
        | Passing::Pointer
        | Passing::Handed(_)
        | Passing::List { .. }
        | Passing::Callback(_)
        | Passing::Data => {}
    }
}

/// Rejects a literal that is not a string.
fn check_default(name: &str, default: &Expr, diagnostics: &mut Vec<Diagnostic>) {
    let is_number = default.as_literal().is_some_and(|text| !text.starts_with('"'));
    if is_number || matches!(default.kind, ExprKind::Measure { .. }) {
        diagnostics.push(Diagnostic::error(
            Code::BAD_DEFAULT,
            default.span,
            format!("`{name}` is a string, not {default}"),
            "write a string in double quotes, or a constant of the header",
        ));
    }
}

/// Reports what a function has that it cannot have where a call stands for many items, or where its
/// arrays are on a device.
pub(crate) fn check_function(
    function: &Function,
    overload: &Overload,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let (about, hint) = if function.ellipses.maps() {
        ("a batched function", "remove `ellipses`")
    } else if function.device != Device::Cpu {
        ("a function with device arrays", "remove `device`")
    } else {
        return;
    };
    let mut refuse = |span, what: String| {
        let message = format!("{about} cannot {what}");
        diagnostics.push(Diagnostic::error(Code::UNSUPPORTED, span, message, hint));
    };
    if let CResult::Pointer(returned) = &overload.result {
        refuse(returned.span, "return a pointer".to_owned());
    }
    for argument in &overload.arguments {
        let name = &argument.name.value;
        match &argument.passing {
            Passing::Handed(_) => refuse(argument.span, format!("set the pointer `{name}`")),
            Passing::Array { elements: Elements::Bytes, .. } => {
                refuse(argument.span, format!("accept or return the bytes `{name}`"));
            }
            Passing::Array { elements: Elements::Text, .. } => {
                refuse(argument.span, format!("return the string `{name}`"));
            }
            Passing::Array { length: Some(length), .. } => {
                refuse(length.span, format!("return `{name}` with a length that varies"));
            }
            Passing::Value if function.ellipses.ragged && argument.ctype.handle().is_some() => {
                refuse(argument.span, format!("accept the object `{name}` with `var...`"));
            }
            // Texts are one for all items, and calls over lists read what items share in another way.
            Passing::Text if function.ellipses.ragged => {
                refuse(argument.span, format!("accept the string `{name}` with `var...`"));
            }
            Passing::Value
            | Passing::Pointer
            | Passing::Text
            | Passing::Array { .. }
            | Passing::List { .. }
            | Passing::Callback(_)
            | Passing::Data => {}
        }
    }
}
