//! Parameters that comments describe as outputs.
//!
//! Purpose: find `@param[out] x` in the comments of functions.
//! Invariant: an overload without such a comment has the outputs of the others of its name.
//! Reason: the type `double &` says that C++ may set the argument, not that it reads it.

use super::declarations::{Function, Place, Unit};
use fishplate_readers::header::doxygen::Documentation;
use std::collections::BTreeSet;

/// Marks the outputs of all functions; `comment` returns that of a declaration.
pub(super) fn mark(unit: &mut Unit, comment: &dyn Fn(Place) -> Option<Documentation>) {
    let members = unit.classes.iter_mut();
    let members = members.flat_map(|class| class.constructors.iter_mut().chain(&mut class.methods));
    let mut all: Vec<&mut Function> = members.chain(&mut unit.functions).collect();
    let mut outputs: BTreeSet<(String, String)> = BTreeSet::new();
    for function in &all {
        let found = comment(function.place).unwrap_or_default();
        let named = found.outputs().iter().map(|name| (function.qualified(), name.clone()));
        outputs.extend(named);
    }
    for function in &mut all {
        let name = function.qualified();
        for one in &mut function.parameters {
            one.is_output = outputs.contains(&(name.clone(), one.name.clone()));
        }
    }
}
