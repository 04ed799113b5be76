//! Functions and methods: their definitions.

use super::overloads::{Signature, signatures};
use super::{indented, python_docstring, without_signature};
use crate::docs;
use fishplate_plan::{FunctionPlan, Plan};
use std::fmt::Write as _;

/// The functions of the module itself.
pub(super) fn of_module(plan: &Plan) -> impl Iterator<Item = &FunctionPlan> {
    plan.functions.iter().filter(|function| function.class.is_none())
}

/// The function, with its documentation.
pub(super) fn function(function: &FunctionPlan) -> String {
    let documentation = without_signature(&docs::docstring(function, false));
    define(&function.name, &signatures(function), None, &documentation)
}

/// The same as a method, whose first parameter is the object.
pub(super) fn method(function: &FunctionPlan) -> String {
    let of_object: Vec<_> = signatures(function).iter().map(Signature::without_first).collect();
    let documentation = without_signature(&docs::docstring(function, true));
    define(&function.name, &of_object, Some("self"), &documentation)
}

fn define(
    name: &str,
    signatures: &[Signature],
    first: Option<&str>,
    documentation: &str,
) -> String {
    let head = |signature: &Signature| {
        // An object that is passed by position only can have the name of another parameter.
        let first = first
            .map(|first| if signature.names().any(|name| name == first) { "_self" } else { first });
        signature.text(first)
    };
    let heads: Vec<String> = signatures.iter().map(head).collect();
    let mut text = String::new();
    define_heads(name, &heads, documentation, &mut text);
    text
}

/// One definition for each head, such as `(x: float) -> float`; the first has the documentation, which editors show.
pub(super) fn define_heads(name: &str, heads: &[String], documentation: &str, text: &mut String) {
    for (index, head) in heads.iter().enumerate() {
        if heads.len() > 1 {
            text.push_str("@overload\n");
        }
        let body = if index > 0 || documentation.is_empty() {
            " ...".to_owned()
        } else {
            format!("\n    {}", python_docstring(&indented(documentation)))
        };
        let _ = writeln!(text, "def {name}{head}:{body}");
    }
}
