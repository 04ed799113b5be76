//! Values of arguments that are set and passed in the same way in every target language.

use crate::{Names, c_type, restored, value};
use fishplate_model::{Expr, VariableId};
use fishplate_plan::Absent;

impl Names<'_> {
    /// The `fp_param` of an argument of any kind as it is defined in the file: that of a class, of a nested value or of
    /// a callback begins with one.
    pub fn any_table(&self, variable: VariableId) -> String {
        let is_wide = self.call.variable(variable).crossing.properties().has_wide_table;
        let table = self.table(variable).trim_end_matches(".param");
        format!("{table}{}", if is_wide { ".param" } else { "" })
    }

    /// The statement that sets a string to a hidden or default value; `None` is NULL.
    pub fn set_string(&self, index: VariableId, to: Option<&Expr>) -> String {
        let value = to.map_or("NULL".to_owned(), |expr| value(expr, self));
        format!("{} = {value};", self.local(index))
    }

    /// The same for an enum; `None` is 0.
    pub fn set_enum(&self, index: VariableId, to: Option<&Expr>) -> String {
        let ctype = c_type(&self.call.variables[index].ctype);
        let value = to.map_or("0".to_owned(), |expr| value(expr, self));
        format!("{} = ({ctype})({value});", self.local(index))
    }

    /// The same for a struct; for `None`, every byte is 0.
    pub fn set_struct(&self, index: VariableId, to: Option<&Expr>) -> String {
        let local = self.local(index);
        match to {
            Some(expr) => format!("{local} = {};", value(expr, self)),
            None => format!("memset((void *)&{local}, 0, sizeof({local}));"),
        }
    }

    /// The C expression for a string, whose variable is const even if C's parameter is not.
    pub fn string_argument(&self, index: VariableId) -> String {
        let (variable, local) = (&self.call.variables[index], self.local(index));
        match variable.is_const {
            true => local.to_owned(),
            false => format!("({} *){local}", c_type(&variable.ctype)),
        }
    }

    /// The statement that sets a variable to the pointer of the object that was acquired, or to C
    /// `otherwise` if the caller passed none.
    pub fn set_pointer(&self, index: VariableId, absent: &Absent, otherwise: &str) -> String {
        let local = self.local(index);
        let held = format!("{}held", self.stem(index));
        let ctype = &self.call.variables[index].ctype;
        let pointer = format!("fp_pointer_of({held}, &fpc_{})", ctype.text());
        let pointer = restored(ctype, &pointer);
        match absent {
            Absent::Never => format!("{local} = {pointer};"),
            _ => format!("{local} = {held} == NULL ? {otherwise} : {pointer};"),
        }
    }
}
