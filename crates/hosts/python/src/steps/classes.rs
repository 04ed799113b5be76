//! Values of classes of the module's: members of enums.

use super::Printer;
use fishplate_emit::{c_type, class_word, enum_class, value};
use fishplate_model::{CType, Expr, Type};
use fishplate_plan::Absent;

impl Printer<'_, '_> {
    /// Reads the caller's value to the variable.
    pub(super) fn read_value(&mut self, variable: usize, parameter: usize, absent: &Absent) {
        let names = self.names;
        let (local, param) = (names.local(variable), names.param(variable));
        let test = format!("!fp_read_enum(fp_args[{parameter}], &{local}, &{param})");
        self.given(parameter, &test, absent, |printer, default| {
            printer.set_value(variable, default)
        });
    }

    pub(super) fn set_value(&mut self, variable: usize, to: Option<&Expr>) {
        let local = self.names.local(variable);
        let ctype = c_type(&self.names.call.variables[variable].ctype);
        let value = to.map_or("0".to_owned(), |expr| value(expr, self.names));
        self.body.line(format!("{local} = ({ctype})({value});"));
    }
}

/// C for a new reference to a value that is no array.
pub(super) fn from_value(ctype: &CType, local: &str) -> String {
    match &ctype.what {
        Type::Enum(name) => format!("fp_from_enum(&{}, (long long){local})", enum_class(name)),
        _ => format!("FP_FROM_{}({local})", class_word(ctype.scalar().class())),
    }
}
