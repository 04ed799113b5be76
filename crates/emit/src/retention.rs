//! The keys of retained arguments: the values by which a later call replaces one.

use crate::{Body, Names};
use fishplate_model::VariableId;
use fishplate_plan::Retention;

/// Declares the components of the key of the argument that is this variable.
pub fn declare_key(names: &Names, variable: VariableId, retention: &Retention, body: &mut Body) {
    if !retention.key.is_empty() {
        let local = names.local(variable);
        body.line(format!("fp_key_part {local}key[{}];", retention.key.len()));
    }
}

/// Prints the statements that set the key.
pub fn set_key(names: &Names, variable: VariableId, retention: &Retention, body: &mut Body) {
    for (k, &by) in retention.key.iter().enumerate() {
        let value = names.local(by);
        let (value, size) = match names.call.variables[by].crossing.is_string() {
            true => (value.to_owned(), format!("strlen({value}) + 1")),
            false => (format!("&{value}"), format!("sizeof({value})")),
        };
        let at = names.local(variable);
        body.line(format!("{at}key[{k}].value = {value};"));
        body.line(format!("{at}key[{k}].size = {size};"));
    }
}

/// The C arguments for the key: its address and the number of its components.
pub fn key_arguments(names: &Names, variable: VariableId, retention: &Retention) -> String {
    match retention.key.len() {
        0 => "NULL, 0".to_owned(),
        count => format!("{}key, {count}", names.local(variable)),
    }
}
