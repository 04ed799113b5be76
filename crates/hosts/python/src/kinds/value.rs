//! The common parts of numbers, enums and structs: a single value that C receives by value or by
//! address.

use super::enums::from_enum;
use super::kind;
use super::number::from_number;
use super::structs::from_struct;
use crate::item::ItemPrinter;
use crate::steps::Printer;
use fishplate_model::{ParameterId, VariableId};
use fishplate_plan::{Acquire, ParameterKind, Value};

/// The C expression for a new reference to a value that is not an array.
pub(crate) fn from_value(value: &Value, local: &str) -> String {
    match value {
        Value::Number(scalar) => from_number(*scalar, local),
        Value::Enum(of) => from_enum(&of.name, local),
        Value::Struct(of) => from_struct(&of.name, local),
        // Not visible in Python.
        Value::Opaque => String::new(),
    }
}

/// The C expression for the value or its address.
pub(super) fn value_argument(printer: &Printer, index: VariableId) -> String {
    let variable = &printer.names.call.variables[index];
    let local = printer.names.local(index);
    match printer.names.call.parameter_of(index) {
        _ if !variable.is_behind_pointer() => local.to_owned(),
        Some(parameter) if variable.nullable => {
            format!("fp_is_present(fp_args[{parameter}]) ? &{local} : NULL")
        }
        _ => format!("&{local}"),
    }
}

/// The same for an item of a batch.
pub(super) fn value_item_argument(item: &ItemPrinter, index: VariableId) -> String {
    let local = item.local(index);
    let variable = item.variable(index);
    if !variable.is_behind_pointer() {
        return item.value(index);
    }
    let address = if item.is_in_place(index) { local.to_owned() } else { format!("&{local}") };
    match item.test_given(index).filter(|_| variable.nullable) {
        Some(given) => format!("({given} ? {address} : NULL)"),
        None => address,
    }
}

/// The C expression `made`, a new reference to the value, or None if the caller passed no object
/// for it.
pub(super) fn value_output(printer: &Printer, index: VariableId, made: String) -> String {
    let call = printer.names.call;
    match call.parameter_of(index) {
        Some(parameter) if call.variables[index].nullable => {
            format!("fp_is_present(fp_args[{parameter}]) ? {made} : Py_NewRef(Py_None)")
        }
        _ => made,
    }
}

impl Printer<'_, '_> {
    /// The statement `write` for a slot, if the caller passed an object there.
    pub(super) fn write_back_value(&mut self, index: VariableId, write: impl Fn(&str) -> String) {
        let Some(parameter) = self.names.call.parameter_of(index) else { return };
        let write = write(&format!("fp_args[{parameter}]"));
        if self.is_optional(parameter) {
            self.body.when(format!("fp_is_present(fp_args[{parameter}])"), &write);
        } else {
            self.body.line(write);
        }
    }

    fn is_optional(&self, parameter: ParameterId) -> bool {
        self.names.call.parameters[parameter].kind != ParameterKind::Required
    }
}

impl Printer<'_, '_> {
    /// Reads the caller's value by a function of the runtime, or sets it to its default.
    pub(super) fn read_value(&mut self, read: &str, step: &Acquire) {
        let &Acquire { variable: index, parameter, ref absent, .. } = step;
        let names = self.names;
        let (local, param) = (names.local(index), names.param(index));
        let test = format!("!{read}(fp_args[{parameter}], &{local}, &{param})");
        self.given(parameter, &test, absent, |printer, default| {
            kind(&names.call.variables[index]).set(printer, index, default);
        });
    }
}
