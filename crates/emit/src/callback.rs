//! What C calls, in C: the head of such a function, what it reads there, and what C gets where it failed.
//!
//! A number behind a pointer is a variable of its own, so that expressions see its value.

use crate::{Body, Names, c_type, declaration, parameter_declaration, result_type};
use fishplate_model::{CResult, Intent, Passing, ScalarClass};
use fishplate_plan::{CallbackPlan, Data, Fails};

impl Names<'_> {
    /// The number behind a pointer that this parameter is.
    pub fn is_pointed(&self, variable: usize) -> bool {
        self.call.variables[variable].passing == Passing::Pointer
    }

    /// The callback that an argument is, of a call whose arguments have been looked at.
    pub fn callback(&self, variable: usize) -> &CallbackPlan {
        self.call.callback_of(variable).expect("the plan has a callback for each such variable")
    }

    /// C for where a callback that a caller gives is, as its data.
    pub fn callback_place(&self, callback: &CallbackPlan) -> String {
        match callback.is_kept() {
            true => format!("{}kept", self.local(callback.variable)),
            false => format!("&fp_callbacks[{}]", callback.first),
        }
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

/// The statement that is C's answer where the host's function has failed; `result` is C for the result's variable.
pub fn failed(callback: &CallbackPlan, names: &Names, result: &str) -> Option<String> {
    let ctype = callback.call.result.ctype().map(c_type).unwrap_or_default();
    Some(match callback.fails.as_ref()? {
        Fails::Value(expr) if callback.call.result == CResult::Void => {
            format!("(void){};", names.given_value(expr))
        }
        Fails::Value(expr) => format!("{result} = ({ctype})({});", names.given_value(expr)),
        Fails::NotANumber => format!("{result} = ({ctype})NAN;"),
        Fails::One => format!("{result} = 1;"),
        Fails::Zero => format!("{result} = 0;"),
    })
}

/// C for the data that a callback is found by; `None` where the thread knows it.
pub fn callback_data(callback: &CallbackPlan, names: &Names) -> Option<String> {
    match &callback.data {
        Data::Passed(parameter) => Some(names.local(*parameter).to_owned()),
        Data::Asked(expr) => Some(names.given_value(expr)),
        Data::Thread => None,
    }
}

/// The statements that note what a kept callback is filed under.
pub fn file(callback: &CallbackPlan, names: &Names, body: &mut Body) {
    for (k, &by) in callback.filed.iter().enumerate() {
        let value = names.local(by);
        let (value, size) = match names.call.variables[by].passing {
            Passing::Text => (value.to_owned(), format!("strlen({value}) + 1")),
            _ => (format!("&{value}"), format!("sizeof({value})")),
        };
        let at = names.local(callback.variable);
        body.line(format!("{at}filed[{k}].value = {value};"));
        body.line(format!("{at}filed[{k}].size = {size};"));
    }
}

/// C for what a kept callback is filed under, and how many values these are.
pub fn filed(callback: &CallbackPlan, names: &Names) -> String {
    match callback.filed.len() {
        0 => "NULL, 0".to_owned(),
        count => format!("{}filed, {count}", names.local(callback.variable)),
    }
}

/// C for an element that says that there is none.
pub fn failed_element(class: ScalarClass, ctype: &str) -> String {
    match class {
        ScalarClass::Float | ScalarClass::Complex => format!("({ctype})NAN"),
        ScalarClass::Bool | ScalarClass::Signed | ScalarClass::Unsigned => "0".to_owned(),
    }
}
