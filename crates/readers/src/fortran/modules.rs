//! Names that modules export.
//!
//! Purpose: the kinds and the constants that a `use` statement makes known.
//! Invariant: a name of a module is only known where the module is used; each value is understood without the module.
//! Reason: two modules may name different kinds `wp`.

use super::kinds::{Kinds, resolve};
use super::source::Variables;
use crate::f2py::text::{name, split};
use std::collections::BTreeMap;

/// A module, with the names that it exports.
#[derive(Default)]
pub(super) struct Module {
    /// `None`: a submodule.
    pub name: Option<String>,
    is_private: bool,
    /// The names with the other access.
    others: Vec<String>,
    /// Its own constants, in the order of their declarations.
    pub constants: Vec<String>,
    /// Generic interfaces, with the names of their procedures.
    pub generics: Vec<(String, Vec<String>)>,
}

impl Module {
    pub(super) fn new(name: Option<String>) -> Module {
        Module { name, ..Module::default() }
    }

    /// Reads `private`, `public :: f, g`.
    pub(super) fn access(&mut self, text: &str) {
        let Some((word @ ("private" | "public"), rest)) = name(text) else { return };
        let names = rest.trim().trim_start_matches(':').trim();
        if names.is_empty() {
            self.is_private = word == "private";
        } else if (word == "private") != self.is_private {
            self.others.extend(split(names, ',').into_iter().map(str::to_owned));
        }
    }

    /// The exported generic interface of a procedure.
    pub(super) fn generic(&self, procedure: &str) -> Option<String> {
        let has = |(_, all): &&(String, Vec<String>)| all.iter().any(|one| one == procedure);
        let mut found = self.generics.iter().filter(has).map(|(generic, _)| generic);
        found.find(|generic| self.exports(generic)).cloned()
    }

    /// The access of a name, by its own declaration.
    pub(super) fn set_access(&mut self, name: &str, is_public: bool) {
        if is_public == self.is_private {
            self.others.push(name.to_owned());
        }
    }

    pub(super) fn exports(&self, name: &str) -> bool {
        self.is_private == self.others.iter().any(|other| other == name)
    }
}

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
