//! Names that modules export.
//!
//! Purpose: the kinds and the constants that a `use` statement makes known.
//! Invariant: a name of a module is only known where the module is used; each value is understood without the module.
//! Reason: two modules may name different kinds `wp`.

use super::kinds::{Kinds, resolve};
use super::source::Variables;
use crate::f2py::text::{name, split};
use std::collections::BTreeMap;

/// The exported names of each module.
#[derive(Default)]
pub(super) struct Exports(BTreeMap<String, (Kinds, Variables)>);

impl Exports {
    /// Adds those of a module.
    pub(super) fn add(&mut self, module: String, kinds: &Kinds, constants: &Variables) {
        let kinds = kinds.iter().map(|(name, value)| (name.clone(), resolve(value, kinds)));
        self.0.insert(module, (kinds.collect(), constants.clone()));
    }

    /// Makes the names known that a statement imports, if it is a `use`.
    pub(super) fn import(&self, text: &str, kinds: &mut Kinds, constants: &mut Variables) {
        let Some(("use", rest)) = name(text) else { return };
        let rest = rest.trim_start().trim_start_matches(|c: char| c == ',' || c.is_whitespace());
        let rest = rest.trim_start_matches("intrinsic").trim_start();
        let rest = rest.trim_start_matches("non_intrinsic").trim_start().trim_start_matches(':');
        let Some((module, list)) = name(rest) else { return };
        let Some((exported, values)) = self.0.get(module) else { return };
        let list = list.trim_start().trim_start_matches(',').trim_start();
        let only = list.strip_prefix("only").map(|list| list.trim_start().trim_start_matches(':'));
        let mut renamed = Vec::new();
        for part in split(only.unwrap_or(list), ',') {
            let (own, other) = part.split_once("=>").unwrap_or((part, part));
            renamed.push((own.trim().to_owned(), other.trim().to_owned()));
        }
        if only.is_none() {
            let is_named = |name: &&String| !renamed.iter().any(|(_, other)| other == *name);
            let all = exported.keys().chain(values.keys()).filter(is_named);
            let all: Vec<_> = all.map(|name| (name.clone(), name.clone())).collect();
            renamed.extend(all);
        }
        for (own, other) in renamed {
            if let Some(kind) = exported.get(&other) {
                kinds.insert(own.clone(), kind.clone());
            }
            if let Some(value) = values.get(&other) {
                constants.insert(own, value.clone());
            }
        }
    }
}
