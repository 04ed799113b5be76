//! The interface of a function, in a module that graphs read.
//!
//! Purpose: whether a graph may call a function, and the text from which it plans that call again.
//! Invariant: a function without a text is never called by a graph.
//! Reason: a graph binds other values than a caller of the module, so it needs another plan of the same prototype.

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
    // C around the call may use everything that its headers declare.
    let is_surrounded = function.pre_call.is_some() || function.post_call.is_some();
    let has_classes = calls.iter().any(Call::has_classes);
    // Graphs release all locks, the GIL included.
    let is_safe = calls.iter().all(|call| call.safety == Safety::Safe);
    let calls_back = calls.iter().any(|call| {
        let drops = |step: &Step| matches!(step, Step::DropCallbacks { .. });
        !call.callbacks.is_empty() || call.steps.iter().any(drops)
    });
    if has_classes || calls_back || !is_safe || is_surrounded {
        return None;
    }
    let language = match checked.module().language {
        Language::C => String::new(),
        other => format!("language = \"{}\"\n\n", other.name()),
    };
    Some(language + &checked.write(id, write))
}
