//! What C receives of arguments that every target language passes alike.

use crate::{Names, c_type};
use fishplate_model::VariableId;
use fishplate_plan::Absent;

impl Names<'_> {
    /// C for a string, whose variable is const where C's parameter is not.
    pub fn string_argument(&self, index: VariableId) -> String {
        let (variable, local) = (&self.call.variables[index], self.local(index));
        match variable.is_const {
            true => local.to_owned(),
            false => format!("({} *){local}", c_type(&variable.ctype)),
        }
    }

    /// The statement that sets a variable to the pointer of the object that was taken, or to C `otherwise` where the
    /// caller passed none.
    pub fn set_pointer(&self, index: VariableId, absent: &Absent, otherwise: &str) -> String {
        let (local, ctype) = (self.local(index), c_type(&self.call.variables[index].ctype));
        let pointer = format!("({ctype}){local}held->pointer");
        match absent {
            Absent::Never => format!("{local} = {pointer};"),
            _ => format!("{local} = {local}held == NULL ? {otherwise} : {pointer};"),
        }
    }
}
