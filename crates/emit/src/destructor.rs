//! The C that releases an object.

use crate::{declaration, restored};
use fishplate_model::Destructor;
use fishplate_plan::{HandlePlan, Plan};

/// The statement that releases the object at `fp_pointer`; the result of C is ignored. `None`: there is nothing to do.
pub fn destroyed(handle: &HandlePlan, plan: &Plan) -> Option<String> {
    let context = handle.context.as_ref().map(|class| &plan.handles[class.id].ctype);
    let pointer = match context {
        None => restored(&handle.ctype, "fp_pointer"),
        Some(_) => restored(&handle.ctype, "((const fp_in_context *)fp_pointer)->object"),
    };
    let context = context.map(|ctype| {
        let of = restored(ctype, "((const fp_in_context *)fp_pointer)->context");
        format!("{} = {of}; ", declaration(ctype, "context"))
    });
    let context = context.unwrap_or_default();
    let cleared = handle.destructor.as_ref().map(|destructor| match destructor {
        Destructor::Function(name) => format!("(void){}({pointer});", name.value),
        Destructor::Expression(code) | Destructor::Reference(code) => {
            let object = declaration(&handle.ctype, "object");
            format!("{{ {context}{object} = {pointer}; (void)({}); }}", code.value)
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
