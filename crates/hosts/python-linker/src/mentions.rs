//! The names in fragments, so that unused declarations can be omitted.

use std::collections::HashSet;

/// The prefixes of generated declarations: no other names are looked up.
const OURS: [&str; 4] = ["py_", "storage_", "dtype_", "__label_"];

/// The identifiers of all fragments.
#[derive(Debug, Default)]
pub(crate) struct Mentions {
    names: HashSet<String>,
    /// Names may be formed elsewhere: by `##`, or in a header of the user's.
    any: bool,
}

impl Mentions {
    /// Adds the identifiers of a fragment. Those in comments and strings count too, which is
    /// harmless.
    pub(crate) fn read(&mut self, text: &str) {
        self.any |= text.contains("##");
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        for word in text.split(|c| !is_part(c)) {
            let is_ours = OURS.iter().any(|ours| word.starts_with(ours));
            if is_ours && !self.names.contains(word) {
                self.names.insert(word.to_owned());
            }
        }
    }

    /// A header that is not a system header may define any macro.
    pub(crate) fn read_header(&mut self, header: &str) {
        let is_ours = header.trim_matches('"') == crate::types::HEADER_NAME;
        self.any |= header.starts_with('"') && !is_ours;
    }

    /// True if a fragment uses the name, or may.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.any || self.names.contains(name)
    }

    /// True if a fragment contains the name.
    pub(crate) fn spells(&self, name: &str) -> bool {
        self.names.contains(name)
    }
}
