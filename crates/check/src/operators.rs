//! Operators and properties: methods that the target language uses in other ways than by their names.
//!
//! Purpose: decide which numbers of operands a method serves, and in which order.
//! Invariant: a class has one function for an operator with these operands.
//! Reason: hosts then only look up what they call.

use crate::{CheckedFunction, CheckedOverload, Role};
use fishplate_model::{Code, Diagnostic, Function, Operator};

/// The operands of an operator that a method implements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operands {
    /// The object.
    One,
    /// The object and another value.
    Two,
    /// Another value and the object: `2 * v`.
    Swapped,
    /// The object, a key and a value.
    Three,
    /// The object and any others: a call.
    Any,
}

/// The operator that a C++ function is by its name. One that writes to a stream converts the object to a string.
fn implied(one: &CheckedOverload) -> Option<&'static Operator> {
    match &one.adapter {
        Some(adapter) if adapter.is_insertion(&one.c_name) => Operator::named("str"),
        _ => Operator::of_cpp(&one.c_name),
    }
}

/// The operators that a function implements: those that it names, or, for a C++ operator, that one. Mistakes in a
/// property are reported, too.
pub(crate) fn resolve(
    function: &Function,
    overloads: &[CheckedOverload],
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<(&'static Operator, Operands)> {
    let is_method = function.class.is_some() || overloads.iter().all(|one| begins(one).is_some());
    let class = function.class.as_deref();
    let mut refuse = |span, message: String, hint: &str| {
        diagnostics.push(Diagnostic::error(Code::INTENT_MISFIT, span, message, hint));
    };
    let name = &function.name.value;
    if let Some(place) = function.property {
        // A setter may accept that the value is omitted; the getter precedes it.
        let is_access = |one: &CheckedOverload| {
            let [none, get, set, more] = [0, 1, 2, 3].map(|count| accepts(one, count));
            (get || set) && !none && !more
        };
        let getter = overloads.iter().find(|one| accepts(one, 1));
        let (message, hint) = if let Some(operator) = &function.operator {
            let operator = operator.value.name;
            (
                format!("the property `{name}` cannot be the operator `{operator}`"),
                "remove `operator`, or `property`",
            )
        } else if !is_method {
            (
                format!("the property `{name}` belongs to no class"),
                "write `[function.CLASS.NAME]`, with the class of the object",
            )
        } else if getter.is_none() || !overloads.iter().all(is_access) {
            (
                format!("the property `{name}` has other arguments than its object and its value"),
                "write a prototype that accepts only the object, and, if it can be set, one that also accepts a value",
            )
        } else if getter.is_some_and(|one| one.outputs.is_empty()) {
            (
                format!("the property `{name}` has no value"),
                "the prototype that accepts only the object must return something",
            )
        } else {
            return Vec::new();
        };
        if overloads.len() == function.overloads.len() {
            refuse(place, message, hint);
        }
        return Vec::new();
    }
    let Some(written) = &function.operator else {
        let mut implied = overloads.iter().map(implied);
        let first = implied.next().flatten().filter(|_| is_method);
        let first = first.filter(|first| implied.all(|one| one == Some(first)));
        return first.map(|one| operands(one, class, overloads)).unwrap_or_default();
    };
    let operator = written.value;
    let found = operands(operator, class, overloads);
    let swapped = overloads.iter().filter(|one| is_swapped(operator, class, one)).count();
    let (message, hint) = if !is_method {
        (
            format!("`{name}` is not a method, so it cannot be an operator"),
            "write `[function.CLASS.NAME]`, with the class of the object",
        )
    } else if found.is_empty() {
        (
            format!(
                "`{name}` has another number of arguments than the operator `{}`",
                operator.name
            ),
            "write prototypes that accept its operands: the object is the first or, in C, the second of them",
        )
    } else if swapped > 0 && swapped < overloads.len() {
        (
            format!("the prototypes of `{name}` have the object at different places"),
            "write two functions: one for the object on the left, one for the object on the right",
        )
    } else {
        return found;
    };
    if overloads.len() == function.overloads.len() {
        refuse(written.span, message, hint);
    }
    found
}

/// The numbers of operands, and their order, that some overload accepts.
fn operands(
    operator: &'static Operator,
    class: Option<&str>,
    overloads: &[CheckedOverload],
) -> Vec<(&'static Operator, Operands)> {
    let any =
        |count: usize| operator.accepts(count) && overloads.iter().any(|one| accepts(one, count));
    if operator.operands.is_empty() {
        return vec![(operator, Operands::Any)];
    }
    let is_swapped = overloads.iter().any(|one| is_swapped(operator, class, one));
    let all = [
        (any(1), Operands::One),
        (any(2) && !is_swapped, Operands::Two),
        (any(2) && is_swapped, Operands::Swapped),
        (any(3), Operands::Three),
    ];
    let served = all.into_iter().filter(|(is_served, _)| *is_served);
    served.map(|(_, operands)| (operator, operands)).collect()
}

/// A call with so many arguments reaches the overload.
fn accepts(overload: &CheckedOverload, count: usize) -> bool {
    let of = |role: &Role| overload.arguments.iter().filter(|one| one.role == *role).count();
    let required = of(&Role::Required);
    (required..=required + of(&Role::Optional)).contains(&count)
}

/// The class of the first argument that a caller must pass, if that is an object.
fn begins(overload: &CheckedOverload) -> Option<&str> {
    let mut passed = overload.arguments.iter().filter(|one| one.role == Role::Required);
    passed.next()?.variable.class().map(|class| class.name.as_str())
}

/// C has the object of a method as the second of two operands.
fn is_swapped(operator: &Operator, class: Option<&str>, overload: &CheckedOverload) -> bool {
    operator.is_swapped && accepts(overload, 2) && class.is_some() && begins(overload) != class
}

/// Two functions of a class for one operator.
pub(crate) fn report_duplicates(functions: &[CheckedFunction], diagnostics: &mut Vec<Diagnostic>) {
    let class = |function: &CheckedFunction| -> Option<String> {
        let own = function.class.as_ref().map(|class| class.name.clone());
        own.or_else(|| begins(&function.overloads[0]).map(str::to_owned))
    };
    for (at, function) in functions.iter().enumerate() {
        for implemented in &function.operators {
            let is_same = |other: &&CheckedFunction| {
                other.operators.contains(implemented) && class(other) == class(function)
            };
            let Some(first) = functions[..at].iter().find(is_same) else { continue };
            let message = format!(
                "`{}` and `{}` are the same operator `{}`",
                first.name, function.name, implemented.0.name
            );
            let hint = "write one function with several prototypes, or remove one of the two";
            let place = function.overloads[0].span;
            let found = Diagnostic::error(Code::DUPLICATE_NAME, place, message, hint);
            diagnostics.push(found.also(first.overloads[0].span, "the other"));
        }
    }
}
