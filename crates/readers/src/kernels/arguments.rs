//! Applies the lists of a kernel to the arguments of a prototype.
//!
//! Purpose: set intents, shapes and values, so that the overload equals that of an annotated
//! prototype.
//! Invariant: every argument of a prototype has an intent, from a list or from the prototype.
//! Reason: xndtools silently passed zero for an argument that was in no list.

use super::lists::Listed;
use crate::names;
use fishplate_model::{
    Argument, Code, Diagnostic, Expr, ExprKind, Intent, Overload, Passing, Span, Spanned, UnaryOp,
};

/// Reports lists with names that are not arguments, and arguments that no list names if there are
/// no other annotations.
pub(super) fn check(
    overload: &Overload,
    listed: &[Listed],
    fortran: &[&Spanned<String>],
    lists_are_complete: bool,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let known: Vec<&str> = overload.arguments.iter().map(|a| a.name.value.as_str()).collect();
    let mut misspelt = Vec::new();
    for name in listed.iter().map(|listed| &listed.name).chain(fortran.iter().copied()) {
        if known.contains(&name.value.as_str()) {
            continue;
        }
        let hint = match names::closest(&name.value, known.iter().copied()) {
            Some(meant) => {
                misspelt.push(meant);
                format!("did you mean `{meant}`?")
            }
            None if known.is_empty() => "remove it: the C function has no arguments".to_owned(),
            None => format!("the arguments are {}", names::list(&known, "and")),
        };
        let shown = names::short(&name.value, 40);
        diagnostics.push(
            Diagnostic::error(
                Code::NO_SUCH_ARGUMENT,
                name.span,
                format!("no prototype has an argument `{shown}`"),
                hint,
            )
            .also(overload.c_name.span, "this is the C function"),
        );
    }
    for argument in overload.arguments.iter().filter(|_| lists_are_complete) {
        let name = &argument.name.value;
        if misspelt.contains(&name.as_str()) {
            continue;
        }
        let of_it = listed.iter().find(|listed| listed.name.value == *name);
        if of_it.and_then(Listed::intent).is_none() && argument.intent.is_none() {
            let shown = names::short(name, 40);
            let example = match argument.passing {
                Passing::Value => format!("hide: {shown} = 1"),
                _ => format!("output: {shown}"),
            };
            diagnostics.push(Diagnostic::error(
                Code::UNLISTED,
                argument.span,
                format!("`{shown}` has no intent: no list contains it"),
                format!(
                    "add it to `input`, `inplace`, `inout`, `output` or `hide`, as in `{example}`"
                ),
            ));
        }
    }
}

/// Applies the lists to an overload.
pub(super) fn annotate(
    overload: &mut Overload,
    listed: &[Listed],
    diagnostics: &mut Vec<Diagnostic>,
) {
    for argument in &mut overload.arguments {
        let of_it = listed.iter().find(|listed| listed.name.value == argument.name.value);
        if let Some(listed) = of_it {
            shape(argument, listed, diagnostics);
            argument.default = listed.value.clone().or(argument.default.take());
            if let Some(intent) = listed.intent() {
                argument.intent = Some(intent);
            }
        }
        simplify_intent(argument);
        zero_output(argument);
    }
    keep_parameters(&mut overload.arguments.raw);
}

fn shape(argument: &mut Argument, listed: &Listed, diagnostics: &mut Vec<Diagnostic>) {
    let Some(shape) = &listed.shape else { return };
    let fortran = match argument.passing {
        Passing::Value | Passing::List { .. } | Passing::Callback(_) | Passing::UserData => {
            let name = &argument.name.value;
            diagnostics.push(
                Diagnostic::error(
                    Code::BAD_LIST,
                    shape.span,
                    format!("`{name}` is passed by value, and has no shape"),
                    format!("remove the shape, or declare a pointer, `*{name}`"),
                )
                .also(argument.span, "the argument"),
            );
            return;
        }
        Passing::Array { fortran, .. } => fortran,
        _ => false,
    };
    argument.passing = Passing::array(shape.value.clone(), fortran);
}

/// C cannot change a value, so the lists of values only affect the results; defaults are
/// omitted.
fn simplify_intent(argument: &mut Argument) {
    let Some(intent) = &mut argument.intent else { return };
    if argument.passing == Passing::Value {
        intent.value = match intent.value {
            Intent::InPlace | Intent::InOut => Intent::In,
            Intent::InPlaceAndOut | Intent::InOutAndOut => Intent::InAndOut,
            other => other,
        };
    }
    let goes_without_saying = match argument.passing {
        Passing::Value => true,
        // A const pointer to one number needs `in`, because it looks like an array.
        Passing::Pointer => false,
        _ => argument.is_const,
    };
    if intent.value == Intent::In && goes_without_saying {
        argument.intent = None;
    }
}

/// An output is initialised with zeros, as scratch memory is.
fn zero_output(argument: &mut Argument) {
    let is_array = matches!(argument.passing, Passing::Array { .. });
    let Some(intent) = &argument.intent else { return };
    if is_array && intent.value == Intent::Out && argument.default.is_none() {
        argument.default = Some(Expr::new(ExprKind::Literal("0".to_owned()), intent.span));
    }
}

/// `input: n, x(n)`: the caller passes `n`, and it is compared with the shape. In a prototype, a
/// bare `n` would be inferred from the shape and not be a parameter; `+n` has the same value and is
/// not inferred.
fn keep_parameters(arguments: &mut [Argument]) {
    let is_input = |argument: &Argument| {
        !matches!(
            argument.intent.as_ref().map(|intent| intent.value),
            Some(Intent::Out | Intent::Hidden)
        )
    };
    let given: Vec<String> = arguments
        .iter()
        .filter(|argument| {
            !matches!(argument.passing, Passing::Array { .. })
                && argument.ctype.scalar().is_integer()
                && argument.default.is_none()
                && argument.intent.as_ref().is_none_or(|intent| intent.value == Intent::In)
        })
        .map(|argument| argument.name.value.clone())
        .collect();
    for argument in arguments.iter_mut().filter(|argument| is_input(argument)) {
        // Nothing is inferred from an array that may be omitted.
        if argument.default.is_some() {
            continue;
        }
        let Passing::Array { shape, .. } = &mut argument.passing else { continue };
        for dimension in shape {
            let bare = dimension.as_name().is_some_and(|name| given.iter().any(|n| n == name));
            if bare {
                let span: Span = dimension.span;
                let inner = Box::new(dimension.clone());
                *dimension = Expr::new(ExprKind::Unary(UnaryOp::Plus, inner), span);
            }
        }
    }
}
