//! Members of enums: integers in C and in Lua, which are checked.

use super::{ArgumentKind, value_argument};
use crate::params::define_class_of;
use crate::steps::Printer;
use fishplate_emit::{Names, enum_class};
use fishplate_model::{EnumId, Expr, VariableId};
use fishplate_plan::{Acquire, Named};

impl ArgumentKind for Named<EnumId> {
    fn define_param(&self, names: &Names, index: VariableId) -> String {
        define_class_of(names, index, "enum", &enum_class(&self.name))
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
}
