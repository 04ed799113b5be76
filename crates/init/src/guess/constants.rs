//! Constants: macros, enumerators without a class, and objects with static storage.
//!
//! Purpose: find the entries of `[constants]`, and the common prefix of their names.
//! Invariant: each is an expression with a C value, and its name is unique.
//! Reason: flags and limits are part of a library as much as its functions are.

use super::class::{Class, What};
use super::context::Own;
use super::{enums, words};
use crate::Reserved;
use fishplate_readers::header::syntax::Unit;
use std::collections::{BTreeMap, BTreeSet};

/// The content of `[constants]`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Constants {
    /// The prefix that is removed in the target language.
    pub prefix: String,
    /// Their C names.
    pub names: Vec<String>,
    reserved: Reserved,
}

impl Constants {
    /// The constants of the headers with these `classes` whose names match `wanted`; `taken` are the names of the module's
    /// functions.
    pub(crate) fn find(
        own: &Own<'_, '_>,
        classes: &[Class],
        taken: &BTreeSet<String>,
        unit: &Unit<'_>,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Self {
        let mut names: Vec<&str> = own.macros.clone();
        for found in &own.enumerations {
            let words = enums::spelling(found).unwrap_or_default();
            let key = unit.named(&words).map(|(key, _)| key);
            let has_class = classes.iter().any(|class| Some(&class.key) == key.as_ref());
            if !has_class {
                names.extend(found.values.iter().map(|value| value.name));
            }
        }
        let objects = own.pointers.iter().filter(|pointer| {
            let named = unit.named(&pointer.words);
            named.is_some_and(|(key, stars)| {
                let is_handle = |class: &&Class| matches!(class.what, What::Handle { .. });
                stars == 0 && classes.iter().filter(is_handle).any(|class| class.key == key)
            })
        });
        names.extend(objects.map(|object| object.name));
        let most = most_common(&names);
        let alike: Vec<&str> =
            names.iter().copied().filter(|name| name.starts_with(most)).collect();
        let all = words::prefix(&alike, &|name| own.reserved.allows_member(name));
        let prefix = if all.len() > most.len() && !most.is_empty() { all } else { most };
        let prefix = prefix.to_owned();
        // Names in the target language are the same whatever the selection.
        names.retain(|name| wanted(name));
        let mut seen = taken.clone();
        seen.extend(classes.iter().map(|class| class.name.clone()));
        let names = names.into_iter().filter(|name| {
            let host = without(&prefix, name, own.reserved);
            own.reserved.allows_member(host) && seen.insert(host.to_owned())
        });
        let names = names.map(str::to_owned).collect();
        Constants { prefix, names, reserved: own.reserved }
    }

    /// True if the name in the target language differs from the rest after the prefix.
    pub(crate) fn keeps_prefix(&self, name: &str) -> bool {
        !self.prefix.is_empty()
            && name.starts_with(&self.prefix)
            && without(&self.prefix, name, self.reserved) == name
    }
}

/// The name of a constant in the target language: the C name if the rest after the prefix is not
/// valid.
fn without<'n>(prefix: &str, name: &'n str, reserved: Reserved) -> &'n str {
    name.strip_prefix(prefix).filter(|rest| reserved.allows_member(rest)).unwrap_or(name)
}

/// The first word of most names, with its `_`.
fn most_common<'n>(names: &[&'n str]) -> &'n str {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for name in names {
        if let Some(at) = name.find('_').filter(|at| *at > 0) {
            *counts.entry(&name[..=at]).or_default() += 1;
        }
    }
    let most = counts.into_iter().max_by_key(|(_, count)| *count);
    most.filter(|(_, count)| 2 * count > names.len() && *count > 1).map_or("", |(prefix, _)| prefix)
}
