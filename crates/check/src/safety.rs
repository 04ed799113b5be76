//! Thread safety: the lock that keeps a C function from running twice at once. The nearest setting applies.

use crate::CheckedFunction;
use fishplate_model::{Code, Diagnostic, Function, Gil, Interface, Safety, Threads};

/// Sets it for every overload: from the function or, by default, from its classes and the module.
pub(crate) fn resolve_locks(function: &mut CheckedFunction, interface: &Interface) {
    for overload in &mut function.overloads {
        let classes: Vec<&str> =
            overload.arguments.iter().filter_map(|one| one.variable.ctype.handle()).collect();
        overload.safety = function.safety.unwrap_or_else(|| inherited(&classes, interface));
    }
}

/// The strictest setting of these classes, or the setting of the module. Without any setting, calls on one object are
/// serialized, since few libraries allow two threads in one object, and all other calls may run concurrently.
fn inherited(classes: &[&str], interface: &Interface) -> Safety {
    let handles =
        interface.handles.iter().filter(|handle| classes.contains(&handle.name.value.as_str()));
    let default = if classes.is_empty() { Safety::Safe } else { Safety::HandleLock };
    handles
        .filter_map(|handle| handle.safety)
        .max_by_key(|one| strictness(*one))
        .or(interface.module.safety)
        .unwrap_or(default)
}

/// Warns about a number of threads for a function that shares nothing among threads and does not
/// release the lock either.
pub(crate) fn report_idle_threads(
    function: &Function,
    interface: &Interface,
    diagnostics: &mut Vec<Diagnostic>,
) {
    if function.threads == Threads::default() {
        return;
    }
    let name = &function.name;
    let mut warn = |message: String, hint: &str| {
        diagnostics.push(Diagnostic::warning(Code::BAD_QUALIFIERS, name.span, message, hint));
    };
    if function.ellipses.maps() {
        if function.gil == Gil::Hold {
            let message =
                format!("`threads` of `{}` has no effect: its calls hold the GIL", name.value);
            warn(message, "remove `threads`, or `gil = \"hold\"`");
        }
        return;
    }
    let is_safe = function.overloads.iter().all(|overload| {
        let classes: Vec<&str> =
            overload.arguments.iter().filter_map(|one| one.ctype.handle()).collect();
        inherited(&classes, interface) == Safety::Safe
    });
    if is_safe {
        let message =
            format!("`threads` of `{}` has no effect: it has no batched calls", name.value);
        warn(message, "remove it, or allow batches: `ellipses = \"...\"`");
    }
}

fn strictness(safety: Safety) -> Option<usize> {
    Safety::ALL.iter().position(|one| *one == safety)
}
