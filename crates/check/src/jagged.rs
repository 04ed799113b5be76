//! Mistakes in the lengths of jagged arrays.
//!
//! Purpose: decide which array has the lengths of the rows, which the call computes.
//! Invariant: it has an element for each row, and no other purpose.
//! Reason: C reads as many elements of a row as that array says.

use fishplate_model::{
    Argument, Code, Diagnostic, Elements, Function, Intent, Overload, Passing, PerArgument, Scalar,
    Spanned,
};

/// Reports them, and makes these arrays `hidden`.
pub(crate) fn check(
    function: &Function,
    overload: &Overload,
    intents: &mut PerArgument<Intent>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut found = Vec::new();
    for argument in &overload.arguments {
        let Passing::Jagged { length, lengths, .. } = &argument.passing else { continue };
        let rows = &argument.name.value;
        let place = lengths.as_ref().map_or(argument.name.span, |lengths| lengths.span);
        let mut refuse = |code, message: String, hint: String| {
            let refused = Diagnostic::error(code, place, message, hint);
            diagnostics.push(refused.also(argument.span, "the jagged array"));
        };
        if function.overloads.len() > 1 {
            let message = format!(
                "the jagged array `{rows}` cannot be told from arguments of other prototypes"
            );
            refuse(
                Code::UNSUPPORTED,
                message,
                "write a separate function for each prototype".to_owned(),
            );
            continue;
        }
        let Some(Spanned { value: name, .. }) = lengths else { continue };
        let Some(at) = overload.arguments.position(|one| one.name.value == *name) else {
            let message = format!("no argument is called `{name}`");
            let hint =
                format!("add the array in which C finds the lengths: `const int {name}[{length}]`");
            refuse(Code::UNKNOWN_NAME, message, hint);
            continue;
        };
        let of = &overload.arguments[at];
        let shape =
            of.shape().map(|shape| shape.iter().map(ToString::to_string).collect::<Vec<_>>());
        let fits = is_of_integers(of) && shape.is_some_and(|shape| shape == [length.to_string()]);
        let is_read = matches!(intents[at], Intent::In | Intent::Hidden) && !of.nullable;
        if !fits || !is_read || of.default.is_some() || of.values.is_some() {
            let message = format!("`{name}` cannot have the lengths of the rows of `{rows}`");
            refuse(
                Code::INTENT_MISFIT,
                message,
                format!("declare it as `const int {name}[{length}]`, with its type"),
            );
        } else if argument.nullable && found.contains(&(at, false)) || found.contains(&(at, true)) {
            let message =
                format!("`{name}` has the lengths of two jagged arrays, of which one may be NULL");
            refuse(
                Code::UNSUPPORTED,
                message,
                "remove `nullable`, or write a C function that accepts two arrays of lengths, and wrap that".to_owned(),
            );
        }
        found.push((at, argument.nullable));
        intents[at] = Intent::Hidden;
    }
}

fn is_of_integers(argument: &Argument) -> bool {
    let is_array = matches!(
        argument.passing,
        Passing::Array { elements: Elements::Numbers, rows: None, length: None, .. }
    );
    is_array && argument.ctype.number().is_some_and(Scalar::is_integer)
}
