//! Values of classes of the module's: members of enums, and structs.

use super::Printer;
use crate::params::stack_index;
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
        let is_struct = names.call.variables[variable].ctype.structure().is_some();
        let read = if is_struct { "fp_read_struct" } else { "fp_read_enum" };
        let read = format!("{read}(fp_L, {}, &{local}, &{param});", stack_index(parameter));
        self.given(parameter, &[read], absent, |printer, default| {
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
}

/// The statement that pushes a value that is no tensor.
pub(crate) fn push_value(ctype: &CType, local: &str) -> String {
    match &ctype.what {
        Type::Enum(name) => {
            format!("fp_push_enum(fp_L, &{}, (long long){local});", enum_class(name))
        }
        Type::Struct(name) => format!("fp_push_struct(fp_L, &{}, &{local});", struct_class(name)),
        _ => format!("FP_PUSH_{}(fp_L, {local});", class_word(ctype.scalar().class())),
    }
}
