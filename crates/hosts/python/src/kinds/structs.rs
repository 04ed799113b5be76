//! Structs as values: C receives a copy, by value or by its address.

use super::{
    ArgumentKind, PassedKind, PointeeKind, value_argument, value_item_argument, value_output,
};
use crate::item::ItemPrinter;
use crate::params::define_class_param;
use crate::steps::Printer;
use fishplate_emit::{Names, OutPointerNames, struct_class};
use fishplate_model::{Expr, StructId, VariableId};
use fishplate_plan::{Acquire, FromC, Named, OutPointer, Variable};

impl ArgumentKind for Named<StructId> {
    fn define_param(&self, names: &Names, index: VariableId) -> String {
        define_class_param(names, index, "struct", "FP_TYPE_STRUCT", &struct_class(&self.name))
    }

    fn acquire(&self, printer: &mut Printer, step: &Acquire) {
        let read = match printer.names.call.variables[step.variable].intent.writes_caller() {
            true => "fp_read_record",
            false => "FP_READ_STRUCT",
        };
        printer.read_value(read, step);
    }

    fn set(&self, printer: &mut Printer, index: VariableId, to: Option<&Expr>) {
        printer.body.line(printer.names.set_struct(index, to));
    }

    fn argument(&self, printer: &Printer, index: VariableId) -> String {
        value_argument(printer, index)
    }

    fn item_argument(&self, item: &ItemPrinter, index: VariableId) -> String {
        value_item_argument(item, index)
    }

    fn output(&self, printer: &Printer, index: VariableId) -> String {
        value_output(printer, index, from_struct(&self.name, printer.names.local(index)))
    }

    /// Copies C's changes from the variable back into the caller's struct.
    fn write_back(&self, printer: &mut Printer, index: VariableId) {
        let local = printer.names.local(index);
        printer.write_back_value(index, |slot| format!("fp_write_record({slot}, &{local});"));
    }

    fn accepted(&self, variable: &Variable, _: &str) -> String {
        match variable.intent.writes_caller() {
            true => self.name.clone(),
            false => accepted_struct(&self.name),
        }
    }

    fn returned(&self, _: &Variable) -> String {
        self.name.clone()
    }
}

impl PointeeKind for Named<StructId> {
    fn pointed_type(&self, _: &OutPointer) -> String {
        self.name.clone()
    }

    fn receive(&self, printer: &mut Printer, one: &OutPointerNames) {
        let OutPointerNames { object, pointer, param, .. } = one;
        let (class, null) = (struct_class(&self.name), u8::from(one.returned.nullable));
        printer
            .must(&format!("fp_receive_record(&{object}, {pointer}, &{class}, {null}, &{param})"));
    }
}

impl PassedKind for Named<StructId> {
    fn pass(&self, names: &Names<FromC>, index: VariableId, _: usize, _: &str) -> String {
        from_struct(&self.name, names.local(index))
    }

    fn type_name(&self) -> String {
        self.name.clone()
    }
}

/// The type of the values that become a struct.
pub(super) fn accepted_struct(name: &str) -> String {
    format!("{name} | np.void | tuple[Any, ...] | dict[str, Any]")
}

/// The C expression for a new object with a copy of the struct.
pub(super) fn from_struct(name: &str, local: &str) -> String {
    format!("fp_new_record(&{}, &{local}, NULL)", struct_class(name))
}
