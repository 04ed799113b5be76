//! The name of an entry: one hash over all inputs of its build.
//!
//! Invariant: each part is hashed with its length before it, so that no two lists of parts run
//! together into the same bytes. Fishplate's version is a part of every key.

use std::ffi::OsStr;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

/// Part of every key: raise it when the same parts would be made differently.
const FORMAT: &str = concat!("fishplate-cache 1, ", env!("CARGO_PKG_VERSION"));

/// The name of an entry.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key(blake3::Hash);

impl Key {
    /// A key under construction; `kind` separates keys of different kinds.
    pub fn of(kind: &str) -> KeyBuilder {
        KeyBuilder(blake3::Hasher::new()).part(FORMAT).part(kind)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.to_hex())
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({self})")
    }
}

impl FromStr for Key {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let key = blake3::Hash::from_hex(text).map(Self);
        match key {
            // Upper case would be another file name for the same key.
            Ok(key) if key.to_string() == text => Ok(key),
            _ => Err(format!("`{text}` is not a key: 64 hexadecimal digits")),
        }
    }
}

/// A key under construction.
#[derive(Debug, Clone)]
pub struct KeyBuilder(blake3::Hasher);

impl KeyBuilder {
    /// Adds one part.
    #[must_use]
    pub fn part(mut self, part: impl AsRef<OsStr>) -> Self {
        let bytes = part.as_ref().as_encoded_bytes();
        self.0.update(&(bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
        self
    }

    /// Adds a list, with its length before it.
    #[must_use]
    pub fn parts<P: AsRef<OsStr>>(mut self, parts: impl IntoIterator<Item = P>) -> Self {
        let parts: Vec<P> = parts.into_iter().collect();
        self.0.update(&(parts.len() as u64).to_le_bytes());
        parts.into_iter().fold(self, Self::part)
    }

    /// Adds a value by its `Hash`, which another compiler may define differently: its entry is then
    /// not found.
    #[must_use]
    pub fn hashed(mut self, value: &impl Hash) -> Self {
        value.hash(&mut Bytes(&mut self.0));
        self
    }

    /// The key.
    pub fn finish(&self) -> Key {
        Key(self.0.finalize())
    }
}

/// Writes what a value is hashed by.
struct Bytes<'a>(&'a mut blake3::Hasher);

impl Hasher for Bytes<'_> {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(&self) -> u64 {
        0 // only the bytes are of interest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_do_not_run_together() {
        let of = |lists: &[&[&str]]| {
            lists.iter().fold(Key::of("test"), |key, list| key.parts(*list)).finish()
        };
        let keys = [
            of(&[&["ab", "c"]]),
            of(&[&["a", "bc"]]),
            of(&[&["ab"], &["c"]]),
            of(&[&[]]),
            Key::of("other").finish(),
        ];
        for (i, a) in keys.iter().enumerate() {
            assert!(keys[i + 1..].iter().all(|b| a != b));
        }
    }

    #[test]
    fn a_key_is_read_back_only_from_its_own_name() {
        let key = Key::of("test").finish();
        assert_eq!(key.to_string().parse(), Ok(key));
        for wrong in ["", "..", "abc", &key.to_string().to_uppercase(), &format!("{key}0")] {
            assert!(wrong.parse::<Key>().is_err(), "{wrong}");
        }
    }
}
