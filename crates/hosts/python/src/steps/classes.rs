//! Values of classes of the module's: members of enums, and structs.

use super::Printer;
use fishplate_emit::{c_type, class_word, enum_class, struct_class, value};
use fishplate_model::{CType, Expr, ParameterId, Type, VariableId};
use fishplate_plan::Absent;

impl Printer<'_, '_> {
    /// Reads the caller's value to the variable.
    pub(super) fn read_value(
        &mut self,
        variable: VariableId,
        parameter: ParameterId,
        absent: &Absent,
    ) {
        let names = self.names;
        let (local, param) = (names.local(variable), names.param(variable));
        let of = &names.call.variables[variable];
        let read = match of.ctype.structure() {
            None => "fp_read_enum",
            Some(_) if of.intent.writes_caller() => "fp_read_record",
            Some(_) => "FP_READ_STRUCT",
        };
        let test = format!("!{read}(fp_args[{parameter}], &{local}, &{param})");
        self.given(parameter, &test, absent, |printer, default| {
            printer.set_value(variable, default);
        });
    }

    pub(super) fn set_value(&mut self, variable: VariableId, to: Option<&Expr>) {
        let local = self.names.local(variable);
        let ctype = &self.names.call.variables[variable].ctype;
        let value = to.map(|expr| value(expr, self.names));
        self.body.line(match (ctype.structure(), value) {
            (Some(_), Some(value)) => format!("{local} = {value};"),
            (Some(_), None) => format!("memset((void *)&{local}, 0, sizeof({local}));"),
            (None, value) => {
                let value = value.unwrap_or_else(|| "0".to_owned());
                format!("{local} = ({})({value});", c_type(ctype))
            }
        });
    }

    /// Puts back into the caller's struct what C has left in the variable.
    pub(super) fn write_record(&mut self, variable: VariableId, parameter: ParameterId) -> String {
        format!("fp_write_record(fp_args[{parameter}], &{});", self.names.local(variable))
    }
}

/// C for a new reference to a value that is no array.
pub(crate) fn from_value(ctype: &CType, local: &str) -> String {
    match &ctype.what {
        Type::Enum(name) => format!("fp_from_enum(&{}, (long long){local})", enum_class(name)),
        Type::Struct(name) => format!("fp_new_record(&{}, &{local}, NULL)", struct_class(name)),
        _ => format!("FP_FROM_{}({local})", class_word(ctype.scalar().class())),
    }
}
