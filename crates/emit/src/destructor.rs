//! The C that releases an object.

use crate::{declaration, restored};
use fishplate_model::{CType, Destructor};

/// The statement that releases the object at `fp_pointer`; the result of C is ignored.
pub fn destroyed(destructor: &Destructor, ctype: &CType) -> String {
    let pointer = restored(ctype, "fp_pointer");
    match destructor {
        Destructor::Function(name) => format!("(void){}({pointer});", name.value),
        Destructor::Expression(code) | Destructor::Reference(code) => {
            let object = declaration(ctype, "object");
            format!("{{ {object} = {pointer}; (void)({}); }}", code.value)
        }
    }
}
