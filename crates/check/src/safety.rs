//! What keeps a C function from running twice at once: what is nearest to it says so.

use crate::CheckedFunction;
use fishplate_model::{Code, Diagnostic, Function, Gil, Interface, Safety, Threads};

/// Settles it for every overload: as the function says, else as what is around it.
pub(crate) fn settle(function: &mut CheckedFunction, interface: &Interface) {
    for overload in &mut function.overloads {
        let classes: Vec<&str> =
            overload.arguments.iter().filter_map(|one| one.variable.ctype.handle()).collect();
        overload.safety = function.safety.unwrap_or_else(|| around(&classes, interface));
    }
}

/// What the handles of these classes say, the strictest of them, else the module. Where nobody says anything, calls on
/// one object take turns, since few libraries let two threads into one object, and all other calls may run at once.
fn around(classes: &[&str], interface: &Interface) -> Safety {
    let handles =
        interface.handles.iter().filter(|handle| classes.contains(&handle.name.value.as_str()));
    let default = if classes.is_empty() { Safety::Safe } else { Safety::HandleLock };
    handles
        .filter_map(|handle| handle.safety)
        .max_by_key(|one| strictness(*one))
        .or(interface.module.safety)
        .unwrap_or(default)
}

/// Warns about a number of threads that share nothing, and that release no lock either.
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
        around(&classes, interface) == Safety::Safe
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
