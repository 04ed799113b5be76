//! Names of C++ in a module.
//!
//! Purpose: a name without namespaces for each class, enumeration, function and operator.
//! Invariant: two declarations that are not overloads of one function have two names.
//! Reason: modules have no namespaces, and two namespaces may have one name.

use super::declarations::{Function, Unit};
use super::last;
use crate::Reserved;
use std::collections::{BTreeMap, BTreeSet};

/// The names in the module.
pub(super) struct Names {
    pub reserved: Reserved,
    types: BTreeMap<String, String>,
    /// The last parts of names that functions of several namespaces have, or types.
    ambiguous: BTreeSet<String>,
}

impl Names {
    pub(super) fn new(unit: &Unit, reserved: Reserved) -> Self {
        let classes = unit.classes.iter().map(|one| &one.name);
        let all: Vec<&String> = classes.chain(unit.enums.iter().map(|one| &one.name)).collect();
        let mut types = BTreeMap::new();
        for name in &all {
            let is_only = all.iter().filter(|other| last(other) == last(name)).count() == 1;
            let own = if is_only { last(name).to_owned() } else { name.replace("::", "_") };
            types.insert((*name).clone(), reserved.host_name(&own));
        }
        for one in &unit.enums {
            let class = one.name.rsplit_once("::").and_then(|(scope, _)| types.get(scope));
            let of_class =
                class.map(|class| format!("{class}.{}", reserved.host_name(last(&one.name))));
            types.extend(of_class.map(|name| (one.name.clone(), name)));
        }
        let mut scopes: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for one in &unit.functions {
            scopes.entry(&one.name).or_default().insert(&one.scope);
        }
        let several = scopes.iter().filter(|(_, scopes)| scopes.len() > 1);
        let several = several.map(|(name, _)| (*name).to_owned());
        let ambiguous = several.chain(types.values().cloned()).collect();
        Names { reserved, types, ambiguous }
    }

    /// The name of a class or an enumeration of these headers.
    pub(super) fn of(&self, qualified: &str) -> Option<&str> {
        self.types.get(qualified).map(String::as_str)
    }

    /// The name of a function that belongs to no class.
    pub(super) fn of_function(&self, function: &Function) -> String {
        let name = match self.ambiguous.contains(&function.name) {
            true => function.qualified().replace("::", "_"),
            false => function.name.clone(),
        };
        self.reserved.host_name(&name)
    }
}

/// Operators: their names with one operand and with two.
const OPERATORS: &[(&str, &str, &str)] = &[
    ("+", "positive", "plus"),
    ("-", "negative", "minus"),
    ("*", "", "times"),
    ("/", "", "divided"),
    ("%", "", "remainder"),
    ("&", "", "and_"),
    ("|", "", "or_"),
    ("^", "", "xor"),
    ("<<", "", "shifted_left"),
    (">>", "", "shifted_right"),
    ("~", "inverted", ""),
    ("==", "", "equals"),
    ("!=", "", "differs"),
    ("<", "", "is_less"),
    ("<=", "", "is_at_most"),
    (">", "", "is_greater"),
    (">=", "", "is_at_least"),
    ("[]", "", "item"),
    ("+=", "", "add"),
    ("-=", "", "subtract"),
    ("*=", "", "multiply"),
    ("/=", "", "divide"),
    ("%=", "", "reduce"),
    ("&=", "", "intersect"),
    ("|=", "", "unite"),
    ("^=", "", "toggle"),
    ("<<=", "", "shift_left"),
    (">>=", "", "shift_right"),
];

/// The name of the method for an operator, whose object is this operand; of another function, its own.
pub(super) fn operator_name(function: &Function, operand: usize) -> Result<String, String> {
    let Some(sign) = function.name.strip_prefix("operator") else {
        return Ok(function.name.clone());
    };
    if sign.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
        return Ok(function.name.clone());
    }
    let sign = sign.trim();
    if sign == "<<" && function.writes_to_stream() {
        return Ok("to_string".to_owned());
    }
    let operands = function.parameters.len() + usize::from(function.is_method);
    let found = OPERATORS.iter().find(|(own, _, _)| *own == sign);
    let name = match (sign, found) {
        ("()", _) => "call",
        ("bool", _) => "is_true",
        ("double" | "float", _) => "as_float",
        ("int" | "long" | "long long", _) => "as_int",
        ("std::string", _) => "to_string",
        (_, Some((_, unary, _))) if operands == 1 => unary,
        (_, Some((_, _, binary))) if operands == 2 => binary,
        _ => "",
    };
    match (name, operand) {
        ("", _) => Err(format!("the operator `{sign}` has no counterpart")),
        (name, 0) => Ok(name.to_owned()),
        (name, _) => Ok(format!("{name}_of_right")),
    }
}
