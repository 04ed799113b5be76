//! The C that releases an object.

use crate::{declaration, restored};
use fishplate_model::Destructor;
use fishplate_plan::HandlePlan;

/// The statement that releases the object at `fp_pointer`; the result of C is ignored. `None`: there is nothing to do.
pub fn destroyed(handle: &HandlePlan) -> Option<String> {
    let pointer = restored(&handle.ctype, "fp_pointer");
    let cleared = handle.destructor.as_ref().map(|destructor| match destructor {
        Destructor::Function(name) => format!("(void){}({pointer});", name.value),
        Destructor::Expression(code) | Destructor::Reference(code) => {
            let object = declaration(&handle.ctype, "object");
            format!("{{ {object} = {pointer}; (void)({}); }}", code.value)
        }
    });
    if handle.stored.is_none() {
        return cleared;
    }
    let cleared = cleared
        .map(|code| format!("if (fp_stored_of(fp_pointer)->is_initialised) {{ {code} }} "))
        .unwrap_or_default();
    Some(format!("FP_CLEAR_OBJECT(fp_pointer, {})", cleared.trim_end()))
}
