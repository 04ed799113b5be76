//! The origin of a function: its interface, and its C functions, for graphs that call them.
//!
//! Invariant: the C here compiles wherever the calls do: each constant is converted as in a call.

use crate::docs;
use fishplate_emit::{Namer, c_string, c_type};
use fishplate_model::{BinaryOp, Expr, ExprKind, OverloadId, ScalarClass, TiVec};
use fishplate_plan::{Call, FunctionPlan};
use std::fmt::Write as _;

/// Adds the tables of a function to `text`, and returns the C expression for their address.
/// `targets_of` returns the addresses of the targets of its calls.
pub(crate) fn emit(
    function: &FunctionPlan,
    entry: &str,
    targets_of: &[String],
    namer: &mut Namer,
    text: &mut String,
) -> String {
    let Some(interface) = &function.interface else { return "NULL".to_owned() };
    let targets = namer.unique(format!("{entry}_targets"));
    let origin = namer.unique(format!("{entry}_origin"));
    let list = targets_of.join(", ");
    let _ = writeln!(text, "static const fp_target {targets}[] = {{{list}}};");
    let constants = constants(&function.calls);
    let function_name = if constants.is_empty() {
        "NULL".to_owned()
    } else {
        let name = namer.unique(format!("{entry}_constants"));
        let format: String = constants.iter().map(|(_, _, letter)| format!("s{letter}")).collect();
        let values: String = constants
            .iter()
            .map(|(name, value, _)| {
                format!(",\n                         {}, {value}", c_string(name))
            })
            .collect();
        let _ = writeln!(
            text,
            "\nstatic PyObject *\n{name}(void)\n{{\n    return Py_BuildValue(\"{{{format}}}\"{values});\n}}\n"
        );
        name
    };
    let lines = docs::c_docstring(interface.trim_end()).replace('\n', "\n    ");
    let _ = writeln!(
        text,
        "static const fp_origin {origin} = {{\n    {lines},\n    {targets}, {}, {function_name},\n}};\n",
        function.calls.len()
    );
    format!("&{origin}")
}

/// The names in expressions that the headers define: the name, the C expression for its value, and
/// its conversion to Python.
fn constants(calls: &TiVec<OverloadId, Call>) -> Vec<(String, String, char)> {
    let mut found: Vec<(String, String, char)> = Vec::new();
    let mut add = |name: &str, value: String, letter: char| {
        if found.iter().all(|(one, _, _)| one != name) {
            found.push((name.to_owned(), value, letter));
        }
    };
    for call in calls {
        let is_own = |name: &str| call.variables.iter().any(|variable| variable.name == name);
        // A string is not a number, and no graph calls a function with one.
        for variable in call.variables.iter().filter(|one| !one.is_whole()) {
            // As in the assignment to a variable of this type.
            let c = c_type(&variable.ctype);
            if let Some(name) = variable.default.as_ref().and_then(Expr::as_name)
                && !is_own(name)
            {
                match variable.ctype.scalar().class() {
                    ScalarClass::Complex => {}
                    ScalarClass::Float => add(name, format!("(double)({c}){name}"), 'd'),
                    _ => add(name, format!("(long long)({c}){name}"), 'L'),
                }
            }
            // Every part of an arithmetic expression is a number.
            if let Some(default) = variable.default.as_ref().filter(|one| one.as_name().is_none()) {
                numbers(default, &mut |name| {
                    if !is_own(name) {
                        add(name, format!("FP_NUMBER({name})"), 'N');
                    }
                });
            }
            for size in variable.shape().unwrap_or(&[]) {
                numbers(size, &mut |name| {
                    if !is_own(name) {
                        add(name, format!("(long long)(ptrdiff_t){name}"), 'L');
                    }
                });
            }
        }
    }
    found
}

/// The names on which a number depends.
fn numbers(expr: &Expr, visit: &mut impl FnMut(&str)) {
    match &expr.kind {
        ExprKind::Name(name) => visit(name),
        ExprKind::Paren(inner) | ExprKind::Unary(_, inner) => numbers(inner, visit),
        ExprKind::Binary(op, left, right) if is_arithmetic(*op) => {
            numbers(left, visit);
            numbers(right, visit);
        }
        ExprKind::Conditional(_, yes, no) => {
            numbers(yes, visit);
            numbers(no, visit);
        }
        _ => {}
    }
}

fn is_arithmetic(op: BinaryOp) -> bool {
    use BinaryOp::{Add, BitAnd, BitOr, BitXor, Div, Mul, Rem, Shl, Shr, Sub};
    matches!(op, Add | Sub | Mul | Div | Rem | Shl | Shr | BitAnd | BitXor | BitOr)
}
