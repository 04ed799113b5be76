//! Members of enums: integers in C, instances of a class of the module in Python.

use super::{ArgumentKind, PassedKind, value_argument, value_item_argument, value_output};
use crate::item::ItemPrinter;
use crate::params::define_class_param;
use crate::steps::Printer;
use fishplate_emit::{Names, enum_class};
use fishplate_model::{EnumId, Expr, VariableId};
use fishplate_plan::{Acquire, FromC, Named, Variable};

impl ArgumentKind for Named<EnumId> {
    fn define_param(&self, names: &Names, index: VariableId) -> String {
        define_class_param(names, index, "enum", "FP_TYPE_ENUM", &enum_class(&self.name))
    }

    fn acquire(&self, printer: &mut Printer, step: &Acquire) {
        printer.read_value("fp_read_enum", step);
    }

    fn set(&self, printer: &mut Printer, index: VariableId, to: Option<&Expr>) {
        printer.body.line(printer.names.set_enum(index, to));
    }

    fn argument(&self, printer: &Printer, index: VariableId) -> String {
        value_argument(printer, index)
    }

    fn item_argument(&self, item: &ItemPrinter, index: VariableId) -> String {
        value_item_argument(item, index)
    }

    fn output(&self, printer: &Printer, index: VariableId) -> String {
        value_output(printer, index, from_enum(&self.name, printer.names.local(index)))
    }

    fn accepted(&self, _: &Variable, _: &str) -> String {
        format!("{} | int", self.name)
    }

    fn returned(&self, _: &Variable) -> String {
        self.name.clone()
    }
}

impl PassedKind for Named<EnumId> {
    fn pass(&self, names: &Names<FromC>, index: VariableId, _: usize, _: &str) -> String {
        from_enum(&self.name, names.local(index))
    }

    fn type_name(&self) -> String {
        self.name.clone()
    }
}

/// The C expression for a new reference to the member, or to an integer that is not a member.
pub(super) fn from_enum(name: &str, local: &str) -> String {
    format!("fp_from_enum(&{}, (long long){local})", enum_class(name))
}
