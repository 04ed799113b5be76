//! Which names the fragments mention, so that what nobody mentions need not be there.

use std::collections::HashSet;

/// How what we declare ourselves begins: nothing else is asked for.
const OURS: [&str; 4] = ["py_", "storage_", "dtype_", "__label_"];

/// The identifiers of all fragments.
#[derive(Debug, Default)]
pub(crate) struct Mentions {
    names: HashSet<String>,
    /// Names may be put together where we do not see it: by `##`, in a header of the user's.
    any: bool,
}

impl Mentions {
    /// Adds the identifiers of a text. Those in comments and strings count too: it does no harm.
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

    /// A header that is not the system's may hold any macro.
    pub(crate) fn read_header(&mut self, header: &str) {
        let is_ours = header.trim_matches('"') == crate::types::HEADER_NAME;
        self.any |= header.starts_with('"') && !is_ours;
    }

    /// True when a fragment uses the name, or may.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.any || self.names.contains(name)
    }

    /// True when a fragment spells the name out.
    pub(crate) fn spells(&self, name: &str) -> bool {
        self.names.contains(name)
    }
}
