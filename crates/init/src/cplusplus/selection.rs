//! The enumerations and constants of a draft.
//!
//! Purpose: choose those that a person has named, and those that belong to the rest of the draft.
//! Invariant: an enumeration that a prototype or a field has stays, whatever its name.
//! Reason: a header declares enumerations and constants for all of its functions, of which a person may want one.

use super::{Draft, aliases, last};

impl Draft {
    /// Removes the enums that are neither wanted nor of a class nor in a prototype or field.
    pub(super) fn select_enums(&mut self, wanted: &dyn Fn(&str) -> bool) {
        let mut enums = std::mem::take(&mut self.enums);
        enums.retain(|one| {
            let name = &one.qualified;
            wanted(last(name))
                || self.has_class_of(name)
                || self.texts().any(|text| aliases::contains(text, name))
        });
        self.enums = enums;
    }

    /// True for a constant that is wanted, or of a class.
    pub(super) fn has_constant(&self, name: &str, wanted: &dyn Fn(&str) -> bool) -> bool {
        wanted(last(name)) || self.has_class_of(name)
    }

    fn has_class_of(&self, member: &str) -> bool {
        let class = member.rsplit_once("::").map_or("", |(class, _)| class);
        self.classes.iter().any(|one| one.qualified == class)
    }

    /// The text of every class and function.
    pub(super) fn texts(&self) -> impl Iterator<Item = &String> {
        self.classes.iter().chain(&self.functions).flat_map(|table| {
            let entries = table.protos.iter().chain(&table.members).map(|one| &one.text);
            entries.chain(&table.fixed)
        })
    }
}
