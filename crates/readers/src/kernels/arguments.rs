//! What the lists of a kernel say, put on the arguments of a prototype.
//!
//! Purpose: intents, shapes and values, so that the overload is what an annotated prototype would
//! have given.
//! Invariant: every argument of a prototype has an intent, from a list or written in the prototype.
//! Reason: xndtools passed zero for an argument that was in no list, without a word.

use super::lists::Listed;
use crate::names;
use fishplate_model::{
    Argument, Code, Diagnostic, Expr, ExprKind, Intent, Overload, Passing, Span, Spanned, UnaryOp,
};

/// Reports lists that name what is no argument and, where the lists are all there is to say, arguments
/// that none of them names.
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

/// Puts on an overload what the lists say.
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
        Passing::Value | Passing::List { .. } | Passing::Callback(_) | Passing::Data => {
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

/// C cannot change a value, so the lists of those are about what comes back alone; and what goes
/// without saying is not said.
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
        // One number behind a const pointer says `in`, as it looks like an array otherwise.
        Passing::Pointer => false,
        _ => argument.is_const,
    };
    if intent.value == Intent::In && goes_without_saying {
        argument.intent = None;
    }
}

/// An output begins as zeros, as scratch memory does.
fn zero_output(argument: &mut Argument) {
    let is_array = matches!(argument.passing, Passing::Array { .. });
    let Some(intent) = &argument.intent else { return };
    if is_array && intent.value == Intent::Out && argument.default.is_none() {
        argument.default = Some(Expr::new(ExprKind::Literal("0".to_owned()), intent.span));
    }
}

/// `input: n, x(n)`: the caller gives `n`, and it is compared with the shape. In a prototype, a bare
/// `n` would be found from the shape and be no parameter; `+n` is as much and is none.
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
        // Nothing is found from an array that may be left out.
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
