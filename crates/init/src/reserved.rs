//! Names that no drafted interface uses.

use fishplate_readers::names::is_identifier;

/// The reserved words of all target languages: a draft is valid for each of them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reserved(pub &'static [&'static str]);

impl Reserved {
    /// True for a name that every host accepts.
    pub(crate) fn allows(self, name: &str) -> bool {
        is_identifier(name) && !self.0.contains(&name)
    }

    /// True for a name that every host accepts for a member of a class or a module.
    pub(crate) fn allows_member(self, name: &str) -> bool {
        self.allows(name) && !name.starts_with('_') && !matches!(name, "mro" | "name" | "value")
    }

    /// The name of a C function in every target language: with `_` after a reserved word.
    pub fn host_name(self, name: &str) -> String {
        if self.0.contains(&name) { format!("{name}_") } else { name.to_owned() }
    }
}
