//! What C calls, in C: the head of such a function, what it reads there, and what C gets where it failed.
//!
//! A number behind a pointer is a variable of its own, so that expressions see its value.

use crate::{Names, c_type, declaration, parameter_declaration, result_type, value};
use fishplate_model::{CResult, Intent, Passing, ScalarClass};
use fishplate_plan::{CallbackPlan, Fails};

impl Names<'_> {
    /// The number behind a pointer that this parameter is.
    pub fn is_pointed(&self, variable: usize) -> bool {
        self.call.variables[variable].passing == Passing::Pointer
    }

    /// The C parameter: the variable, or where that is the number behind it, the pointer.
    pub fn parameter(&self, variable: usize) -> String {
        let local = self.local(variable);
        if self.is_pointed(variable) { format!("{local}at") } else { local.to_owned() }
    }
}

/// `static double\nname(double x_, void *data_)`
pub fn callback_head(names: &Names) -> String {
    let parameters: Vec<String> = names
        .call
        .variables
        .iter()
        .enumerate()
        .map(|(index, variable)| parameter_declaration(variable, &names.parameter(index)))
        .collect();
    let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
    format!("static {}\n{}({parameters})\n", result_type(&names.call.result), names.entry)
}

/// The declarations of the numbers behind pointers, and of the C result.
pub fn callback_variables(names: &Names) -> Vec<String> {
    let call = names.call;
    let mut lines = Vec::new();
    for (index, variable) in call.variables.iter().enumerate() {
        if names.is_pointed(index) {
            let read = variable.intent != Intent::Out;
            let value = if read { format!("*{}", names.parameter(index)) } else { "0".to_owned() };
            lines.push(format!("{} = {value};", declaration(&variable.ctype, names.local(index))));
        }
    }
    match &call.result {
        CResult::Value(ctype) | CResult::Status(ctype) => {
            lines.push(format!("{} = 0;", declaration(ctype, "fp_c_result")));
        }
        CResult::Void | CResult::Pointer(_) => {}
    }
    lines
}

/// C for what C gets as the result where the host's function has failed.
pub fn failed_result(callback: &CallbackPlan, names: &Names) -> Option<String> {
    let ctype = callback.call.result.ctype().map(c_type).unwrap_or_default();
    Some(match callback.fails.as_ref()? {
        Fails::Value(expr) => format!("({ctype})({})", value(expr, names)),
        Fails::NotANumber => format!("({ctype})NAN"),
        Fails::One => "1".to_owned(),
        Fails::Zero => "0".to_owned(),
    })
}

/// C for an element that says that there is none.
pub fn failed_element(class: ScalarClass, ctype: &str) -> String {
    match class {
        ScalarClass::Float | ScalarClass::Complex => format!("({ctype})NAN"),
        ScalarClass::Bool | ScalarClass::Signed | ScalarClass::Unsigned => "0".to_owned(),
    }
}
