//! The interface of a function, in a module that graphs read.
//!
//! Purpose: decide whether a graph may call a function, and write the interface from which it plans
//! that call again.
//! Invariant: a graph never calls a function without such an interface.
//! Reason: a graph passes other values than a caller of the module, so it needs another plan for
//! the same prototype.

use crate::{Call, Step};
use fishplate_check::Checked;
use fishplate_model::{Function, FunctionId, Language, OverloadId, Safety, TiVec};

/// The function as an interface file; `None` if graphs cannot call it.
pub(crate) fn interface(
    id: FunctionId,
    calls: &TiVec<OverloadId, Call>,
    checked: &Checked,
    write: impl Fn(&Function) -> String,
) -> Option<String> {
    let function = &checked.functions()[id];
    // Such C code may use everything that its headers declare.
    let is_surrounded = function.pre_call.is_some() || function.post_call.is_some();
    let has_classes = calls.iter().any(Call::has_classes);
    // Graphs hold no lock, not even the GIL, around calls.
    let is_safe = calls.iter().all(|call| call.safety == Safety::Safe);
    let retains = calls.iter().any(|call| {
        let drops = |step: &Step| matches!(step, Step::Retain { .. } | Step::DropRetained { .. });
        !call.callbacks.is_empty() || call.steps.iter().any(drops)
    });
    if has_classes || retains || !is_safe || is_surrounded {
        return None;
    }
    let language = match checked.module().language {
        Language::C => String::new(),
        other => format!("language = \"{}\"\n\n", other.name()),
    };
    Some(language + &checked.write(id, write))
}
