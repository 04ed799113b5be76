//! Members of enums: integers in C and in Lua, which are checked.

use super::{ArgumentKind, value_argument};
use crate::params::define_class_of;
use crate::steps::Printer;
use fishplate_emit::{Names, c_type, enum_class, value};
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
        let ctype = c_type(&printer.names.call.variables[index].ctype);
        let value = to.map_or("0".to_owned(), |expr| value(expr, printer.names));
        printer.body.line(format!("{} = ({ctype})({value});", printer.names.local(index)));
    }

    fn argument(&self, printer: &Printer, index: VariableId) -> String {
        value_argument(printer, index)
    }
}
