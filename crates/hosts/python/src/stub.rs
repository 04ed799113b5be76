//! The `.pyi` stub: what type checkers and editors know of the module.

use crate::docs::python_default;
use fishplate_model::{CResult, Scalar, ScalarClass};
use fishplate_plan::{Call, FunctionPlan, Output, ParameterKind, Plan, Variable};
use std::fmt::Write as _;

/// The stub's text.
pub(crate) fn stub(plan: &Plan) -> String {
    let mut body = String::new();
    for function in &plan.functions {
        // Overloads that differ in C types only are one to a type checker.
        let mut definitions: Vec<String> = Vec::new();
        for call in &function.calls {
            let doc = if definitions.is_empty() { function.doc.trim() } else { "" };
            let head = head(function, call);
            if !definitions.iter().any(|other| other.starts_with(&head)) {
                definitions.push(definition(&head, doc));
            }
        }
        let overloaded = definitions.len() > 1;
        for definition in definitions {
            body.push_str(if overloaded { "@overload\n" } else { "" });
            body.push_str(&definition);
        }
    }
    let mut text = String::new();
    if !plan.module.doc.trim().is_empty() {
        let _ = writeln!(text, "{}\n", python_docstring(plan.module.doc.trim()));
    }
    if body.contains("Sequence[") {
        text.push_str("from collections.abc import Sequence\n");
    }
    let typing: Vec<&str> = [("Any]", "Any"), ("@overload", "overload")]
        .into_iter()
        .filter(|(used, _)| body.contains(used))
        .map(|(_, name)| name)
        .collect();
    if !typing.is_empty() {
        let _ = writeln!(text, "from typing import {}\n", typing.join(", "));
    }
    if body.contains("np.") {
        text.push_str("import numpy as np\n");
    }
    if body.contains("npt.") {
        text.push_str("import numpy.typing as npt\n");
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text + body.trim_start()
}

/// `def mean(x: npt.ArrayLike) -> float:`
fn head(function: &FunctionPlan, call: &Call) -> String {
    // To a type checker a number is array-like too, which would make such overloads ambiguous.
    let array_like =
        if function.calls.len() > 1 { "npt.NDArray[Any] | Sequence[Any]" } else { "npt.ArrayLike" };
    let mut parts = Vec::new();
    for parameter in &call.parameters {
        let variable = &call.variables[parameter.variable];
        let name = &parameter.name;
        match parameter.kind {
            ParameterKind::Required => {
                parts.push(format!("{name}: {}", accepted(variable, array_like)))
            }
            ParameterKind::Optional => parts.push(format!(
                "{name}: {} | None = {}",
                accepted(variable, array_like),
                python_default(variable)
            )),
            ParameterKind::Buffer => {
                if !parts.iter().any(|part| part == "*") {
                    parts.push("*".to_owned());
                }
                parts.push(format!("{name}: {} | None = None", array(variable.ctype.scalar)));
            }
        }
    }
    format!("def {}({}) -> {}:", function.name, parts.join(", "), returned(call))
}

fn definition(head: &str, doc: &str) -> String {
    if doc.is_empty() {
        format!("{head} ...\n")
    } else {
        format!("{head}\n    {}\n", python_docstring(&doc.replace('\n', "\n    ")))
    }
}

/// The type of what a caller may pass.
fn accepted(variable: &Variable, array_like: &str) -> String {
    if variable.rank() > 0 {
        return if variable.intent.writes_caller() {
            array(variable.ctype.scalar)
        } else {
            array_like.to_owned()
        };
    }
    if variable.intent.writes_caller() {
        return array(variable.ctype.scalar);
    }
    number(variable.ctype.scalar).to_owned()
}

fn returned(call: &Call) -> String {
    let types: Vec<String> = call
        .outputs
        .iter()
        .map(|output| match output {
            Output::Argument(index) => {
                let variable = &call.variables[*index];
                let made = if variable.rank() > 0 {
                    array(variable.ctype.scalar)
                } else {
                    number(variable.ctype.scalar).to_owned()
                };
                if variable.nullable { format!("{made} | None") } else { made }
            }
            Output::Result => match &call.result {
                CResult::Value(ctype) | CResult::Status(ctype) => number(ctype.scalar).to_owned(),
                CResult::Void => unreachable!("check lets only C results be outputs"),
            },
        })
        .collect();
    match types.as_slice() {
        [] => "None".to_owned(),
        [one] => one.clone(),
        several => format!("tuple[{}]", several.join(", ")),
    }
}

fn number(scalar: Scalar) -> &'static str {
    match scalar.class() {
        ScalarClass::Bool => "bool",
        ScalarClass::Signed | ScalarClass::Unsigned => "int",
        ScalarClass::Float => "float",
        ScalarClass::Complex => "complex",
    }
}

fn array(scalar: Scalar) -> String {
    let name = match scalar.class() {
        ScalarClass::Bool => "bool_",
        _ => scalar.dtype_name(),
    };
    format!("npt.NDArray[np.{name}]")
}

fn python_docstring(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace("\"\"\"", "\\\"\\\"\\\"");
    let space = if text.ends_with('"') { " " } else { "" };
    format!("\"\"\"{text}{space}\"\"\"")
}
