//! The values that a fragment may use besides names: `sub` in the protocol.

/// Pieces of C by name, such as `fail`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sub {
    entries: Vec<(&'static str, String)>,
}

impl Sub {
    /// Adds a piece.
    #[must_use]
    pub fn with(mut self, key: &'static str, text: impl Into<String>) -> Self {
        self.entries.push((key, text.into()));
        self
    }

    /// The piece of this name, if the fragment has it.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.entries.iter().find(|(name, _)| *name == key).map(|(_, text)| text.as_str())
    }

    /// `%(fail)s`: the code by which a fragment fails. Every fragment that can fail has it.
    pub fn fail(&self) -> &str {
        self.get("fail").unwrap_or_default()
    }

    /// All pieces.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.entries.iter().map(|(name, text)| (*name, text.as_str()))
    }
}
