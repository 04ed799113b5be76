//! The C that releases an object.

use crate::declaration;
use fishplate_model::{CType, Destructor};

/// The statement that releases the object at `fp_pointer`; the result of C is ignored.
pub fn destroyed(destructor: &Destructor, ctype: &CType) -> String {
    let pointer = format!("({})fp_pointer", ctype.spelling);
    match destructor {
        Destructor::Function(name) => format!("(void){}({pointer});", name.value),
        Destructor::Expression(code) => {
            let object = declaration(ctype, "object");
            format!("{{ {object} = {pointer}; (void)({}); }}", code.value)
        }
    }
}
