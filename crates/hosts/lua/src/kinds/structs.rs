//! Structs as values: C receives a copy, by value or by its address.

use super::{ArgumentKind, PointeeKind, value_argument};
use crate::params::define_class_of;
use crate::steps::Printer;
use fishplate_emit::{Names, struct_class};
use fishplate_model::{Expr, StructId, VariableId};
use fishplate_plan::{Acquire, Named};

impl ArgumentKind for Named<StructId> {
    fn define_param(&self, names: &Names, index: VariableId) -> String {
        define_class_of(names, index, "struct", &struct_class(&self.name))
    }

    fn acquire(&self, printer: &mut Printer, step: &Acquire) {
        let changes = printer.names.call.variables[step.variable].intent.writes_caller();
        let read = if changes { "fp_read_changed_struct" } else { "fp_read_struct" };
        printer.read_value(read, step);
    }

    fn set(&self, printer: &mut Printer, index: VariableId, to: Option<&Expr>) {
        printer.body.line(printer.names.set_struct(index, to));
    }

    fn argument(&self, printer: &Printer, index: VariableId) -> String {
        value_argument(printer, index)
    }

    fn write_back(&self, printer: &mut Printer, index: VariableId) {
        printer.write_back_value(index, "record");
    }
}

impl PointeeKind for Named<StructId> {
    fn pointed_type(&self) -> String {
        self.name.clone()
    }
}
