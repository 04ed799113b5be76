//! What keeps a C function from running twice at once: what is nearest to it says so.

use crate::CheckedFunction;
use fishplate_model::{Interface, Safety};

/// Settles it for every overload: as the function says, else its handles, the strictest of them, else the
/// module. Where nobody says anything, calls on one object take turns, since few libraries let two threads
/// into one object, and all other calls may run at once.
pub(crate) fn settle(function: &mut CheckedFunction, interface: &Interface) {
    for overload in &mut function.overloads {
        let handles = || {
            let names = overload.arguments.iter().filter_map(|one| one.variable.ctype.handle());
            interface
                .handles
                .iter()
                .filter(move |handle| names.clone().any(|name| handle.name.value == name))
        };
        let default = if handles().next().is_some() { Safety::HandleLock } else { Safety::Safe };
        overload.safety = function
            .safety
            .or_else(|| {
                handles().filter_map(|handle| handle.safety).max_by_key(|one| strictness(*one))
            })
            .or(interface.module.safety)
            .unwrap_or(default);
    }
}

fn strictness(safety: Safety) -> Option<usize> {
    Safety::ALL.iter().position(|one| *one == safety)
}
