//! The dependencies of Fortran units: the files in their `include` and `use` statements.
//!
//! Compilers write dependency files only for units that go through the C preprocessor, so the
//! source is read for these two statements. A file that is not found is left to the compiler to
//! complain about; modules of the same build are not on the search path and need not be, since
//! a build's Fortran units are compiled again together.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The files that `unit` includes or whose modules it uses, directly or through includes.
pub(crate) fn dependencies(unit: &Path, include_dirs: &[PathBuf]) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![unit.to_owned()];
    while let Some(path) = waiting.pop() {
        let Ok(bytes) = fs::read(&path) else { continue };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let beside = path.parent().unwrap_or(Path::new("")).to_owned();
        for line in text.lines() {
            let Some(named) = included(line).map(str::to_owned).or_else(|| used(line)) else {
                continue;
            };
            let folders = std::iter::once(&beside).chain(include_dirs);
            let file = folders.map(|folder| folder.join(&named)).find(|file| file.is_file());
            if let Some(file) = file
                && found.insert(file.clone())
                // A .mod file is the compiler's own, and often compressed.
                && file.extension().is_none_or(|extension| extension != "mod")
            {
                waiting.push(file);
            }
        }
    }
    found
}

/// `include 'name'`, and also `#include "name"`.
fn included(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let line = line.strip_prefix('#').unwrap_or(line).trim_start();
    let rest = line.get(7..).filter(|_| line[..7].eq_ignore_ascii_case("include"))?.trim_start();
    let quote = rest.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    rest[1..].split(quote).next()
}

/// `use name`, `use, non_intrinsic :: name`: the file with the module.
fn used(line: &str) -> Option<String> {
    let line = line.trim_start();
    let rest = line.get(3..).filter(|_| line[..3].eq_ignore_ascii_case("use"))?;
    let rest = match rest.split_once("::") {
        Some((attributes, rest)) if attributes.trim_start().starts_with(',') => rest,
        Some((attributes, rest)) if attributes.trim().is_empty() => rest,
        _ if rest.starts_with(char::is_whitespace) => rest,
        _ => return None,
    };
    let name: String =
        rest.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    (!name.is_empty()).then(|| format!("{}.mod", name.to_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements() {
        assert_eq!(included("      INCLUDE 'a b.inc' ! why"), Some("a b.inc"));
        assert_eq!(included("#include \"x.h\""), Some("x.h"));
        assert_eq!(included("include_it = 1"), None);
        assert_eq!(included("é"), None);
        assert_eq!(used("  use Kinds, only: dp").as_deref(), Some("kinds.mod"));
        assert_eq!(used("use, intrinsic :: iso_c_binding").as_deref(), Some("iso_c_binding.mod"));
        assert_eq!(used("use::m").as_deref(), Some("m.mod"));
        assert_eq!(used("used = 1"), None);
    }

    #[test]
    fn includes_are_followed() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("inc")).unwrap();
        fs::write(at("u.f90"), "include 'one.inc'\nuse there\ninclude 'nowhere.inc'\n").unwrap();
        fs::write(at("one.inc"), "include 'two.inc'\n").unwrap();
        fs::write(at("inc/two.inc"), "include 'two.inc'\n").unwrap();
        fs::write(at("inc/there.mod"), "").unwrap();
        let found = dependencies(&at("u.f90"), &[at("inc")]);
        let expected = [at("one.inc"), at("inc/two.inc"), at("inc/there.mod")];
        assert_eq!(found, BTreeSet::from(expected));
    }
}
