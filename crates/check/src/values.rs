//! Rules for the values of arrays, and sizes that are read from arrays.
//!
//! Purpose: decide which values a call can look at before C does, those of arrays of enums among them.
//! Invariant: such an array has its values before the call, and a single item.
//! Reason: C follows positions in an array without a test, so a wrong one is a crash.

use crate::restricted::restriction;
use fishplate_model::{
    Argument, Code, Diagnostic, Elements, Expr, ExprKind, Function, Intent, Measure, Overload,
    Passing, PerArgument, Scalar, Span, ValueRule,
};

/// Checks `offsets` and `index(n)` of the arguments of a function.
pub(crate) fn check(
    function: &Function,
    overload: &Overload,
    intents: &PerArgument<Intent>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut reads = Vec::new();
    for (index, argument) in overload.arguments.iter_enumerated() {
        let sizes = argument.sizes().unwrap_or_default().iter().chain(&argument.default);
        let is_argument = |name: &str| overload.arguments.iter().any(|one| one.name.value == name);
        let read = sizes.flat_map(elements_read).filter(|(name, _)| is_argument(name));
        reads.extend(read.map(|(_, span)| (span, "read a size from an array")));
        if has_members(argument, intents[index]) {
            reads.push((argument.span, "check the values of an array of an enum"));
            if let Some((message, hint)) = refuse_strides(overload, argument) {
                let message = format!("the array of an enum `{}` {message}", argument.name.value);
                diagnostics.push(Diagnostic::error(
                    Code::INTENT_MISFIT,
                    argument.span,
                    message,
                    hint,
                ));
            }
        }
        let Some(rule) = &argument.values else { continue };
        reads.push((rule.span, "check the values of an array"));
        if let Some((message, hint)) = refuse(overload, argument, intents[index]) {
            let message = format!("`{}` {message}", rule.value.keyword());
            diagnostics.push(Diagnostic::error(Code::INTENT_MISFIT, rule.span, message, hint));
        }
    }
    let Some((about, hint)) = restriction(function) else { return };
    for (span, what) in reads {
        let message = format!("{about} cannot {what}");
        diagnostics.push(Diagnostic::error(Code::UNSUPPORTED, span, message, hint));
    }
}

/// Refuses the rules of a callback's arguments: C passes them.
pub(crate) fn check_called(called: &Overload, diagnostics: &mut Vec<Diagnostic>) {
    for rule in called.arguments.iter().filter_map(|argument| argument.values.as_ref()) {
        diagnostics.push(Diagnostic::error(
            Code::INTENT_MISFIT,
            rule.span,
            format!(
                "`{}` applies to arrays of the caller, and C passes this one",
                rule.value.keyword()
            ),
            "remove it",
        ));
    }
}

/// Why the values of this argument have no rule, and what to write.
fn refuse(
    overload: &Overload,
    argument: &Argument,
    intent: Intent,
) -> Option<(String, &'static str)> {
    let name = &argument.name.value;
    let Some(shape) = numbers(argument).filter(|_| has_integers(argument)) else {
        let message = format!("applies to arrays of integers; `{name}` is not one");
        return Some((message, "remove it, or write a shape, as in `const int x[n]`"));
    };
    let is_offsets = argument.values.as_ref().is_some_and(|rule| rule.value.size().is_none());
    if !intent.is_input() {
        let message = format!("applies to arrays of the caller; `{name}` is {}", intent.name());
        return Some((message, "remove it: values that C writes are not checked"));
    }
    if is_offsets && shape.len() > 1 {
        let message = format!("applies to vectors; `{name}` has {} dimensions", shape.len());
        return Some((message, "write an array of one dimension"));
    }
    refuse_strides(overload, argument)
        .map(|(message, hint)| (format!("applies to contiguous arrays; `{name}` {message}"), hint))
}

/// Values are checked in contiguous memory only.
fn refuse_strides(overload: &Overload, argument: &Argument) -> Option<(String, &'static str)> {
    let name = &argument.name.value;
    let is_strided = |expr: &Expr| {
        let mut found = false;
        expr.walk(&mut |part| {
            found |= matches!(&part.kind, ExprKind::Measure { measure: Measure::Stride, array, .. } if array == name);
        });
        found
    };
    if overload.arguments.iter().filter_map(|one| one.default.as_ref()).any(is_strided) {
        let message = "is passed with its strides, so its values cannot be checked".to_owned();
        return Some((message, "remove it, or do not use `stride`"));
    }
    None
}

/// The rule for the values that C reads: that of the prototype, or of the enum of which they are.
pub(crate) fn rule(argument: &Argument, intent: Intent) -> Option<ValueRule> {
    let own = argument.values.as_ref().map(|rule| rule.value.clone());
    own.or_else(|| has_members(argument, intent).then_some(ValueRule::Members))
}

/// The caller passes an array of an enum.
fn has_members(argument: &Argument, intent: Intent) -> bool {
    let is_enum = argument.ctype.enumeration().is_some();
    is_enum && numbers(argument).is_some() && intent.is_input()
}

/// The shape of an array of numbers.
fn numbers(argument: &Argument) -> Option<&[Expr]> {
    match &argument.passing {
        Passing::Array { shape, elements: Elements::Numbers, .. } => Some(shape),
        _ => None,
    }
}

fn has_integers(argument: &Argument) -> bool {
    argument.ctype.number().is_some_and(Scalar::is_integer)
}

/// Why an expression cannot read an element of this argument, and what to write.
pub(crate) fn refuse_element(
    argument: &Argument,
    intent: Intent,
) -> Option<(String, &'static str)> {
    let name = &argument.name.value;
    match numbers(argument) {
        Some([_]) if has_integers(argument) => {}
        _ => {
            let message =
                format!("`{name}` is not a vector of integers, so a size cannot be read from it");
            return Some((message, "use an element of an array such as `const int x[n]`"));
        }
    }
    if !intent.is_input() {
        let message = format!("`{name}` is {}: it has no values before the call", intent.name());
        return Some((message, "use an array of the caller"));
    }
    if argument.nullable || argument.default.is_some() {
        let message = format!("`{name}` may be absent, so a size cannot be read from it");
        return Some((message, "use an array that the caller must pass"));
    }
    None
}

/// The arrays whose elements an expression reads, as in `x[n]`, with the place of their names.
pub(crate) fn elements_read(expr: &Expr) -> Vec<(&str, Span)> {
    let mut read = Vec::new();
    expr.walk(&mut |part| {
        if let ExprKind::Index(array, _) = &part.kind
            && let Some(name) = array.as_name()
        {
            read.push((name, array.span));
        }
    });
    read
}
