//! Restrictions of batched functions, and of functions with arrays on a device.

use crate::kinds::kind;
use fishplate_model::{CResult, Code, Device, Diagnostic, Function, Overload};

/// The description of such a function, and how to lift the restrictions; `None` if it has none.
pub(crate) fn restriction(function: &Function) -> Option<(&'static str, &'static str)> {
    if function.ellipses.maps() {
        Some(("a batched function", "remove `ellipses`"))
    } else if function.device != Device::Cpu {
        Some(("a function with device arrays", "remove `device`"))
    } else {
        None
    }
}

/// Reports results and arguments that such a function cannot have.
pub(crate) fn check(function: &Function, overload: &Overload, diagnostics: &mut Vec<Diagnostic>) {
    let Some((about, hint)) = restriction(function) else { return };
    let mut refuse = |span, what: String| {
        let message = format!("{about} cannot {what}");
        diagnostics.push(Diagnostic::error(Code::UNSUPPORTED, span, message, hint));
    };
    if let CResult::Pointer(returned) = &overload.result {
        refuse(returned.span, "return a pointer".to_owned());
    }
    for argument in &overload.arguments {
        let kind = kind(argument);
        let ragged = || kind.beyond_ragged(argument).filter(|_| function.ellipses.ragged);
        if let Some(when) = &argument.consumed {
            refuse(when.span, format!("consume the object `{}`", argument.name.value));
        }
        if let Some((span, what)) = kind.beyond_batches(argument).or_else(ragged) {
            refuse(span, what);
        }
    }
}
