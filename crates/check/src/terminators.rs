//! Mistakes in the terminators of arrays.
//!
//! Purpose: decide which arrays have an element after their last one, and which values it has.
//! Invariant: C only reads such an array, of which it works on a copy, and the values are constants.
//! Reason: the element belongs to no array of the caller.

use crate::resolve::Classes;
use crate::restricted::restriction;
use fishplate_model::{
    Argument, Code, Diagnostic, ExprKind, Function, Intent, Measure, Overload, PerArgument,
    Spanned, Terminator, Type,
};

/// Checks the terminators of the arguments of a function.
pub(crate) fn check(
    function: &Function,
    overload: &Overload,
    intents: &PerArgument<Intent>,
    classes: Classes<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    for (argument, intent) in overload.arguments.iter().zip(intents) {
        let Some(Spanned { value: terminator, span }) = &argument.terminator else { continue };
        let name = &argument.name.value;
        let mut refuse = |code, message: String, hint: &str| {
            diagnostics.push(Diagnostic::error(code, *span, message, hint));
        };
        if *intent != Intent::In {
            refuse(
                Code::INTENT_MISFIT,
                format!("`{name}` is {}, and C only reads a terminated array", intent.name()),
                "write `in`, or the length of the array",
            );
        } else if let Some((about, hint)) = restriction(function) {
            refuse(Code::UNSUPPORTED, format!("{about} cannot terminate `{name}`"), hint);
        } else if argument.default.is_some() || is_strided(overload, name) {
            refuse(
                Code::INTENT_MISFIT,
                format!("`{name}` has a terminator, so it has no default and no strides"),
                "remove one of the two; `nullable` passes NULL when it is left out",
            );
        }
        check_values(argument, terminator, overload, classes, diagnostics);
    }
}

/// Refuses terminators of a callback's arguments: C passes them.
pub(crate) fn check_called(called: &Overload, diagnostics: &mut Vec<Diagnostic>) {
    for one in called.arguments.iter().filter_map(|argument| argument.terminator.as_ref()) {
        diagnostics.push(Diagnostic::error(
            Code::INTENT_MISFIT,
            one.span,
            "`terminated` applies to arrays of the caller, and C passes this one",
            "write its length; a function of the headers may compute it from the pointer, as in `x[count(x)]`",
        ));
    }
}

/// The values are those of a number, or of fields of a struct.
fn check_values(
    argument: &Argument,
    terminator: &Terminator,
    overload: &Overload,
    classes: Classes<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let of = match &argument.ctype.what {
        Type::Struct(name) => classes.0.structs.iter().find(|one| one.name.value == *name),
        _ => None,
    };
    for (index, one) in terminator.values.iter().enumerate() {
        let mut refuse = |code, span, message: String, hint: String| {
            diagnostics.push(Diagnostic::error(code, span, message, hint));
        };
        let is_argument = |name: &str| overload.arguments.iter().any(|it| it.name.value == name);
        if let Some((name, span)) =
            one.value.names().into_iter().find(|(name, _)| is_argument(name))
        {
            refuse(
                Code::BAD_DEFAULT,
                span,
                format!("`{name}` is an argument, and a terminator is a constant"),
                "write a number, or a constant of the headers".to_owned(),
            );
        }
        match (&one.field, of) {
            (Some(field), Some(of)) if of.fields.iter().all(|it| it.name.value != field.value) => {
                refuse(
                    Code::UNKNOWN_NAME,
                    field.span,
                    format!("`{}` has no field `{}`", of.name.value, field.value),
                    "name one of the `fields` of its table".to_owned(),
                );
            }
            (Some(field), None) => refuse(
                Code::INTENT_MISFIT,
                field.span,
                format!("the elements of `{}` are numbers", argument.name.value),
                format!("write the value alone: `terminated({})`", one.value),
            ),
            (None, Some(of)) => refuse(
                Code::INTENT_MISFIT,
                one.value.span,
                format!("the elements of `{}` are structs", argument.name.value),
                format!("name the field: `terminated({} = {})`", first(of), one.value),
            ),
            (None, None) if index > 0 => refuse(
                Code::INTENT_MISFIT,
                one.value.span,
                "a terminator of numbers has one value".to_owned(),
                "remove the others".to_owned(),
            ),
            _ => {}
        }
    }
}

/// The name of the first field.
fn first(of: &fishplate_model::Struct) -> &str {
    of.fields.first().map_or("FIELD", |field| &field.name.value)
}

/// An expression uses a stride of the array.
fn is_strided(overload: &Overload, name: &str) -> bool {
    let mut found = false;
    for value in overload.arguments.iter().filter_map(|one| one.default.as_ref()) {
        value.walk(&mut |part| {
            found |= matches!(&part.kind, ExprKind::Measure { measure: Measure::Stride, array, .. } if array == name);
        });
    }
    found
}
