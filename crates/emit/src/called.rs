//! The parts of a callback that are equal in every target language: how it is found, and which of
//! its values have a parameter table.
//!
//! The tables themselves, by which the runtime reads the results of the function, differ between target languages.

use crate::{Names, c_string};
use fishplate_model::{CType, Intent, VariableId};
use fishplate_plan::{CallbackPlan, Data, FromC, OutPointer, Output, Returns, Value, Variable};

/// The name of the module's variable for the callbacks that it retains until this function has been called.
pub fn kept_until(function: &str) -> String {
    format!("fpk_{function}")
}

/// The C expression, of type `pointer`, for the runtime's callback. `slot` is the one of the thread, for C without user
/// data.
pub fn callback_data(
    callback: &CallbackPlan,
    names: &Names<FromC>,
    pointer: &str,
    (slot, param): (&str, &str),
) -> String {
    let data = match &callback.checked.data {
        Data::Parameter(parameter) => names.local(*parameter).to_owned(),
        Data::Expression(expr) => names.given_value(expr),
        Data::Thread => return slot.to_owned(),
    };
    if callback.checked.is_shared {
        return format!("fp_shared_callback({data}, &{param})");
    }
    match usize::from(callback.index) - usize::from(callback.first) {
        0 => format!("({pointer}){data}"),
        offset => format!("({pointer}){data} + {offset}"),
    }
}

impl<'a> Names<'a, FromC> {
    /// The initializer of the list of the names of the function's arguments.
    pub fn input_names(&self, inputs: &[VariableId]) -> String {
        let list: Vec<String> =
            inputs.iter().map(|index| c_string(&self.call.variables[*index].name)).collect();
        if list.is_empty() { "NULL".to_owned() } else { list.join(", ") }
    }

    /// The values that the function returns, for messages: `rest, x, result`.
    pub fn output_list(&self) -> String {
        let name = |output: &Output| match output {
            Output::Argument(index) => self.call.variables[*index].name.as_str(),
            Output::Result => "result",
        };
        self.call.outputs.iter().map(name).collect::<Vec<_>>().join(", ")
    }

    /// The variables that have a parameter table: arrays, nested values, and the results of the function, which are read
    /// as the arguments of a call are. Each comes with its name in messages.
    pub fn table_values(&self) -> impl Iterator<Item = (VariableId, Variable<FromC>, String)> {
        self.call.variables.iter_enumerated().filter_map(|(index, variable)| {
            if variable.intent.is_output() {
                let read = Variable { intent: Intent::In, ..variable.clone() };
                Some((index, read, self.returned(&variable.name)))
            } else {
                let has_table = variable.array().is_some() || variable.crossing.nested().is_some();
                has_table.then(|| (index, variable.clone(), variable.name.clone()))
            }
        })
    }

    /// The value for the result of the C function, its type and its name in messages, if the runtime checks it. A
    /// status is not returned by the function; but a function that returns nothing else must return nothing.
    pub fn checked_result(&self) -> Option<(&'a Value, &'a CType, String)> {
        let (value, ctype) = match &self.call.result {
            Returns::Value(value, ctype) => (value, ctype),
            Returns::Status(value, ctype) if self.call.outputs.is_empty() => (value, ctype),
            Returns::Status(..) | Returns::Void | Returns::Pointer(_) => return None,
        };
        Some((value, ctype, self.returned("result")))
    }

    /// The pointer that the function returns to C, and its name in messages.
    pub fn pointer_result(&self) -> Option<(&'a OutPointer, String)> {
        match &self.call.result {
            Returns::Pointer(pointer) => Some((pointer, self.returned("result"))),
            _ => None,
        }
    }

    /// The name of the parameter table of the result.
    pub fn result_param(&self) -> String {
        format!("{}_fp_result", self.entry)
    }

    /// The out-parameters of the C function, which the host's function returns.
    pub fn written(&self) -> Vec<VariableId> {
        let variables = self.call.variables.iter_enumerated();
        variables.filter(|(_, one)| one.intent.is_output()).map(|(index, _)| index).collect()
    }

    /// The name in messages of a value that the function returns. Messages put it between quotes.
    fn returned(&self, what: &str) -> String {
        format!("{}' returned '{what}", self.call.c_name)
    }
}
