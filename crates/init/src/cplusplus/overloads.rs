//! The overloads of a function of C++.
//!
//! Purpose: the order in which an interface has them, and their types as a caller sees them.
//! Invariant: all are kept.
//! Reason: the first one that accepts the arguments of a call is called.

use super::declarations::{Function, Type};
use fishplate_model::Scalar;

/// The types of the parameters that a caller passes, as it sees them.
pub(super) fn parameter_types(function: &Function) -> Vec<Type> {
    let plain = |ctype: &Type| match ctype.unqualified() {
        Type::Reference(to) | Type::Moved(to) => to.unqualified().clone(),
        other => other.clone(),
    };
    let given = function.parameters.iter().filter(|one| !one.is_output);
    given.map(|one| plain(&one.ctype)).collect()
}

/// The same types, with one for all that a call cannot distinguish: `long` and `long long` of the same size, and strings.
pub(super) fn distinguished_types(function: &Function) -> Vec<Type> {
    let one = |ctype: Type| match &ctype {
        Type::Number(name) => {
            let words: Vec<&str> = name.split(' ').collect();
            let scalar = Scalar::from_words(&words);
            scalar.map_or(ctype, |scalar| Type::Number(scalar.dtype_name().to_owned()))
        }
        Type::Class(name) if name == "std::string_view" => Type::Class("std::string".to_owned()),
        Type::Pointer(to) if matches!(&**to, Type::Const(of) if **of == Type::Number("char".to_owned())) => {
            Type::Class("std::string".to_owned())
        }
        _ => ctype,
    };
    parameter_types(function).into_iter().map(one).collect()
}

/// Overloads that accept less before those that accept more; methods that are not `const` before those that only
/// differ in that, if they return an object, and else after them.
pub(super) fn ordered(functions: &[Function]) -> Vec<&Function> {
    let width = |ctype: Type| match ctype {
        Type::Number(name) if name == "bool" => 0,
        Type::Number(name) if ["float", "double", "long double"].contains(&name.as_str()) => 2,
        _ => 1,
    };
    let key = |one: &Function| {
        let widths: Vec<i32> = parameter_types(one).into_iter().map(width).collect();
        let returns_object = match one.result.unqualified() {
            Type::Reference(to) => matches!(to.unqualified(), Type::Class(_)),
            _ => false,
        };
        (widths.len(), widths, one.is_const == returns_object)
    };
    let mut all: Vec<&Function> = functions.iter().collect();
    // The order of the header remains between functions of different names.
    let mut groups: Vec<(&str, Vec<&Function>)> = Vec::new();
    for one in all.drain(..) {
        match groups.iter_mut().find(|(name, _)| *name == one.name) {
            Some((_, group)) => group.push(one),
            None => groups.push((&one.name, vec![one])),
        }
    }
    for (_, group) in &mut groups {
        group.sort_by_key(|one| key(one));
    }
    groups.into_iter().flat_map(|(_, group)| group).collect()
}
