//! Where the cache is and how large it may become, from environment variables.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::error::{CacheError, Doing};

const DEFAULT_LIMIT: u64 = 2 << 30;
const WANTED: &str = "a number of bytes such as 500M or 2G";

/// Where the cache is and how large it may become.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The folder, absolute; `None` without a home: then nothing outlives the process.
    pub folder: Option<PathBuf>,
    /// Whether somebody named the folder. One that cannot be trusted is then an error; else
    /// nothing outlives the process.
    pub named: bool,
    /// How many bytes the entries may take.
    pub limit: u64,
}

impl Settings {
    /// Reads `FISHPLATE_CACHE_DIR`, else the user's folder for caches, and `FISHPLATE_CACHE_SIZE`.
    ///
    /// # Errors
    ///
    /// [`CacheError::Setting`] for an invalid size.
    pub fn read(variable: impl Fn(&str) -> Option<OsString>) -> Result<Self, CacheError> {
        // Set but empty counts as unset, as everywhere.
        let variable = |name: &str| variable(name).filter(|value| !value.is_empty());
        let named = variable("FISHPLATE_CACHE_DIR").map(PathBuf::from);
        let folder = match &named {
            Some(named) => Some(std::path::absolute(named).doing("find", named)?),
            None => user_folder(&variable).map(|caches| caches.join("fishplate")),
        };
        let limit = match variable("FISHPLATE_CACHE_SIZE") {
            None => DEFAULT_LIMIT,
            Some(value) => value.to_str().and_then(bytes).ok_or_else(|| CacheError::Setting {
                variable: "FISHPLATE_CACHE_SIZE",
                value: value.to_string_lossy().into_owned(),
                wanted: WANTED,
            })?,
        };
        Ok(Self { folder, named: named.is_some(), limit })
    }
}

/// The user's folder for caches. A path that is not absolute is ignored, as in the XDG Base
/// Directory Specification.
fn user_folder(variable: &impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let absolute = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    absolute("XDG_CACHE_HOME").or_else(|| {
        let below = if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" };
        // Users without a home have `/` or a folder that is not there, which root could make.
        let home =
            absolute("HOME").filter(|home| home.as_path() != Path::new("/") && home.is_dir());
        home.map(|home| home.join(below))
    })
}

/// `500`, `500M`, `1.5G`, `2GiB`: with units of 1024.
fn bytes(text: &str) -> Option<u64> {
    let text = text.trim().to_ascii_lowercase();
    let text = text.strip_suffix('b').unwrap_or(&text);
    let text = text.strip_suffix('i').unwrap_or(text);
    let (number, unit) = match text.char_indices().next_back()? {
        (end, 'k') => (&text[..end], 1_u64 << 10),
        (end, 'm') => (&text[..end], 1 << 20),
        (end, 'g') => (&text[..end], 1 << 30),
        (end, 't') => (&text[..end], 1 << 40),
        _ => (text, 1),
    };
    let number: f64 = number.trim().parse().ok()?;
    (number.is_finite() && number >= 0.0).then_some((number * unit as f64) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> Result<Settings, CacheError> {
        Settings::read(|wanted| {
            let found = variables.iter().find(|(name, _)| *name == wanted);
            found.map(|(_, value)| OsString::from(value))
        })
    }

    #[test]
    fn the_folder_is_the_named_one_or_the_users() {
        let folder = |variables: &[(&str, &str)]| read(variables).unwrap().folder;
        let home = env!("CARGO_MANIFEST_DIR");
        let named = [("FISHPLATE_CACHE_DIR", "/a b/é"), ("XDG_CACHE_HOME", "/x"), ("HOME", home)];
        assert_eq!(folder(&named), Some("/a b/é".into()));
        assert_eq!(folder(&named[1..]), Some("/x/fishplate".into()));
        let relative = [("XDG_CACHE_HOME", "x"), ("HOME", home)];
        assert!(folder(&relative).unwrap().starts_with(home));
        assert_eq!(folder(&[("FISHPLATE_CACHE_DIR", "")]), None);
        assert_eq!(folder(&[("HOME", "/")]), None);
        assert_eq!(folder(&[("HOME", "/nonexistent")]), None);
    }

    #[test]
    fn sizes() {
        let limit = |size: &str| read(&[("FISHPLATE_CACHE_SIZE", size)]).map(|s| s.limit);
        assert_eq!(limit("").unwrap(), 2 << 30);
        assert_eq!(limit("1000").unwrap(), 1000);
        assert_eq!(limit("1.5 GiB").unwrap(), 3 << 29);
        assert_eq!(limit("20kb").unwrap(), 20 << 10);
        for wrong in ["much", "-1", "M", "1X", "nan", "inf", "b"] {
            let message = limit(wrong).expect_err(wrong).to_string();
            assert!(
                message.contains("FISHPLATE_CACHE_SIZE") && message.contains(wrong),
                "{message}"
            );
        }
    }
}
