//! The cache key: one hash over everything that determines a result.
//!
//! Each part is hashed with its length before it, so that no two lists of parts can run together
//! into the same bytes.

use std::ffi::OsStr;

/// Part of every key: raise it when the same parts would be built differently.
const FORMAT: &str = "fishplate-build 1";

/// A key under construction.
pub(crate) struct Key(blake3::Hasher);

impl Key {
    /// `what` separates keys of different kinds.
    pub fn new(what: &str) -> Self {
        let mut key = Self(blake3::Hasher::new());
        key.part(FORMAT);
        key.part(what);
        key
    }

    pub fn part(&mut self, part: impl AsRef<OsStr>) {
        let bytes = part.as_ref().as_encoded_bytes();
        self.0.update(&(bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    /// A list, preceded by its length.
    pub fn parts<P: AsRef<OsStr>>(&mut self, parts: impl IntoIterator<Item = P>) {
        let parts: Vec<P> = parts.into_iter().collect();
        self.0.update(&(parts.len() as u64).to_le_bytes());
        for part in parts {
            self.part(part);
        }
    }

    pub fn finish(&self) -> String {
        self.0.finalize().to_hex().to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_do_not_run_together() {
        let of = |lists: &[&[&str]]| {
            let mut key = Key::new("test");
            for list in lists {
                key.parts(*list);
            }
            key.finish()
        };
        let keys = [of(&[&["ab", "c"]]), of(&[&["a", "bc"]]), of(&[&["ab"], &["c"]]), of(&[&[]])];
        for (i, a) in keys.iter().enumerate() {
            assert!(keys[i + 1..].iter().all(|b| a != b));
        }
    }
}
