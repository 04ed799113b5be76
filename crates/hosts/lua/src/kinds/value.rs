//! The common parts of numbers, enums and structs: a single value that C receives by value or by
//! address.

use super::{Passed, PassedKind, kind};
use crate::params::stack_index;
use crate::steps::Printer;
use fishplate_emit::{class_word, enum_class, struct_class};
use fishplate_model::VariableId;
use fishplate_plan::{Acquire, ParameterKind, Value};

/// A single value that C passes to a callback.
impl PassedKind for Value {
    fn pass(&self, passed: &Passed) -> String {
        push_value(self, passed.local)
    }
}

/// The statement that pushes a value that is not a tensor.
pub(crate) fn push_value(value: &Value, local: &str) -> String {
    match value {
        Value::Number(scalar) => format!("FP_PUSH_{}(fp_L, {local});", class_word(scalar.class())),
        Value::Enum(of) => {
            format!("fp_push_enum(fp_L, &{}, (long long){local});", enum_class(&of.name))
        }
        Value::Struct(of) => {
            format!("fp_push_struct(fp_L, &{}, &{local});", struct_class(&of.name))
        }
        // Not visible in Lua.
        Value::Opaque => String::new(),
    }
}

/// The same for an argument.
pub(super) fn push_argument(printer: &Printer, index: VariableId) -> String {
    let value = printer.names.call.variables[index].value();
    value.map_or_else(String::new, |value| push_value(value, printer.names.local(index)))
}

/// The C expression for the value or its address.
pub(super) fn value_argument(printer: &Printer, index: VariableId) -> String {
    let variable = &printer.names.call.variables[index];
    let local = printer.names.local(index);
    match printer.names.call.parameter_of(index) {
        _ if !variable.is_behind_pointer() => local.to_owned(),
        Some(parameter) if variable.nullable => {
            format!("{} ? &{local} : NULL", printer.is_given(parameter))
        }
        _ => format!("&{local}"),
    }
}

impl Printer<'_, '_> {
    /// Reads the caller's value by a function of the runtime, or sets it to its default.
    pub(super) fn read_value(&mut self, read: &str, step: &Acquire) {
        let &Acquire { variable: index, parameter, ref absent, .. } = step;
        let names = self.names;
        let (local, param) = (names.local(index), names.param(index));
        let read = format!("{read}(fp_L, {}, &{local}, &{param});", stack_index(parameter));
        self.given(parameter, &[read], absent, |printer, default| {
            kind(&names.call.variables[index]).set(printer, index, default);
        });
    }

    /// Copies C's changes back to the value that the caller passed.
    pub(super) fn write_back_value(&mut self, index: VariableId, word: &str) {
        let Some(parameter) = self.names.call.parameter_of(index) else { return };
        let (local, slot) = (self.names.local(index), stack_index(parameter));
        let write = format!("fp_write_{word}(fp_L, {slot}, &{local}, sizeof({local}));");
        if self.names.call.parameters[parameter].kind == ParameterKind::Required {
            self.body.line(write);
        } else {
            self.body.when(self.is_given(parameter), &write);
        }
    }
}
