//! What every target language prints alike of a callback: where it is found, and which of its values have a table.
//!
//! The tables themselves, by which the runtime reads what the function returns, differ between target languages.

use crate::{Names, c_string};
use fishplate_model::{CType, Intent, VariableId};
use fishplate_plan::{CallbackPlan, Data, FromC, Output, Returns, Value, Variable};

/// The name of the module's variable for the callbacks that it keeps until this function was called.
pub fn kept_until(function: &str) -> String {
    format!("fpk_{function}")
}

/// C for what C called: a `pointer` to the runtime's callback. `slot` has the thread's, where C passes no data.
pub fn callback_data(
    callback: &CallbackPlan,
    names: &Names<FromC>,
    pointer: &str,
    slot: &str,
) -> String {
    let data = match &callback.data {
        Data::Passed(parameter) => names.local(*parameter).to_owned(),
        Data::Asked(expr) => names.given_value(expr),
        Data::Thread => return slot.to_owned(),
    };
    match usize::from(callback.index) - usize::from(callback.first) {
        0 => format!("({pointer}){data}"),
        offset => format!("({pointer}){data} + {offset}"),
    }
}

impl<'a> Names<'a, FromC> {
    /// The initializer of the list of names of what the function is given.
    pub fn given_list(&self, given: &[VariableId]) -> String {
        let list: Vec<String> =
            given.iter().map(|index| c_string(&self.call.variables[*index].name)).collect();
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

    /// The arguments that have a table: arrays, and what the function returns, which is read as what a caller
    /// passes. With what messages call each.
    pub fn table_values(&self) -> impl Iterator<Item = (VariableId, Variable<FromC>, String)> {
        self.call.variables.iter_enumerated().filter_map(|(index, variable)| {
            if variable.intent.is_output() {
                let read = Variable { intent: Intent::In, ..variable.clone() };
                Some((index, read, self.returned(&variable.name)))
            } else {
                variable.array()?;
                Some((index, variable.clone(), variable.name.clone()))
            }
        })
    }

    /// What the function returns for C's result, where that is checked, its type, and what messages call it: a status
    /// is not returned, but a function that returns nothing else must return nothing.
    pub fn checked_result(&self) -> Option<(&'a Value, &'a CType, String)> {
        let (value, ctype) = match &self.call.result {
            Returns::Value(value, ctype) => (value, ctype),
            Returns::Status(value, ctype) if self.call.outputs.is_empty() => (value, ctype),
            Returns::Status(..) | Returns::Void | Returns::Pointer(_) => return None,
        };
        Some((value, ctype, self.returned("result")))
    }

    /// The name of the table of C's result.
    pub fn result_param(&self) -> String {
        format!("{}_result", self.entry)
    }

    /// The arguments that the function returns, and C finds at their addresses.
    pub fn written(&self) -> Vec<VariableId> {
        let variables = self.call.variables.iter_enumerated();
        variables.filter(|(_, one)| one.intent.is_output()).map(|(index, _)| index).collect()
    }

    /// As messages call what the function returns: they put it between quotes.
    fn returned(&self, what: &str) -> String {
        format!("{}' returned '{what}", self.call.c_name)
    }
}
