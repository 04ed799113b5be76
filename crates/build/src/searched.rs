//! Where a compiler looked for headers and found none.
//!
//! Purpose: to notice a file that would be found now: one that appears earlier in the search path than the
//! header that was used, or one that `__has_include` asked for.
//! Invariant: what is there of all these places is what was there when the object was made.
//! Reason: compilers list what they opened, and not where they looked in vain.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// What compilers search after the folders that they are told.
const USUAL: [&str; 2] = ["/usr/local/include", "/usr/include"];

/// Places that decide what an object is made of, without being part of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Searched {
    /// The folders, in the order in which they are searched.
    folders: Vec<PathBuf>,
    /// The folders of the files that include, where a name in quotes is looked up first.
    including: BTreeSet<PathBuf>,
    /// The names that `__has_include` asked for.
    asked: BTreeSet<String>,
    /// Which of the places are taken, though nothing was read from them.
    taken: BTreeSet<PathBuf>,
}

impl Searched {
    /// For an object of this command and of these files, all absolute.
    pub fn new(command: &[OsString], files: &BTreeSet<PathBuf>) -> Self {
        let folders = folders(command);
        let system = |file: &Path| USUAL.iter().any(|usual| file.starts_with(usual));
        let mut searched = Self { folders, ..Self::default() };
        for file in files.iter().filter(|file| !system(file) && !file.starts_with("/usr/lib")) {
            searched.including.extend(file.parent().map(Path::to_owned));
            if let Ok(text) = fs::read(file) {
                names_asked(&String::from_utf8_lossy(&text), &mut searched.asked);
            }
        }
        searched.taken = searched.find(files.iter().map(PathBuf::as_path));
        searched
    }

    /// Whether the same would be found.
    pub fn is_current<'a>(&self, files: impl Iterator<Item = &'a Path>) -> bool {
        self.find(files) == self.taken
    }

    /// The places before those of the files, and all of what was asked for, as far as something is there.
    fn find<'a>(&self, files: impl Iterator<Item = &'a Path>) -> BTreeSet<PathBuf> {
        let mut places = BTreeSet::new();
        for file in files {
            // Folders may be within others: which of them the name was looked up in is not known.
            for (index, folder) in self.folders.iter().enumerate() {
                let Ok(name) = file.strip_prefix(folder) else { continue };
                places.extend(self.folders[..index].iter().map(|folder| folder.join(name)));
                let system = USUAL.iter().any(|usual| Path::new(usual) == folder);
                if !system {
                    places.extend(self.including.iter().map(|folder| folder.join(name)));
                }
            }
            places.remove(file);
        }
        let all = self.folders.iter().chain(&self.including);
        let asked = |folder: &PathBuf| self.asked.iter().map(|name| folder.join(name)).collect();
        places.extend(all.flat_map(|folder| -> Vec<PathBuf> { asked(folder) }));
        places.retain(|place| place.exists());
        places
    }
}

/// The folders that a command names for headers: those for names in quotes first, the system's last.
fn folders(command: &[OsString]) -> Vec<PathBuf> {
    let flags = ["-iquote", "-I", "-isystem", "-idirafter"];
    let mut found = [const { Vec::new() }; 4];
    let mut words = command.iter().map(|word| word.to_string_lossy());
    while let Some(word) = words.next() {
        for (flag, found) in flags.iter().zip(&mut found) {
            let folder = match word.strip_prefix(flag) {
                Some("") => words.next().map(std::borrow::Cow::into_owned),
                Some(rest) => Some(rest.to_owned()),
                None => None,
            };
            if let Some(folder) = folder {
                let path = PathBuf::from(folder);
                found.push(std::path::absolute(&path).unwrap_or(path));
                break;
            }
        }
    }
    let [quoted, named, system, last] = found;
    let usual = USUAL.iter().map(PathBuf::from);
    quoted.into_iter().chain(named).chain(system).chain(usual).chain(last).collect()
}

/// The names in `__has_include("...")` and `__has_include(<...>)`.
fn names_asked(text: &str, names: &mut BTreeSet<String>) {
    for question in ["__has_include", "__has_include_next"] {
        for (at, _) in text.match_indices(question) {
            let rest = text[at + question.len()..].trim_start();
            let Some(rest) = rest.strip_prefix('(') else { continue };
            let rest = rest.trim_start();
            let end = match rest.chars().next() {
                Some('"') => '"',
                Some('<') => '>',
                _ => continue,
            };
            names.extend(rest[1..].split_once(end).map(|(name, _)| name.to_owned()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_command_and_a_text_name() {
        let words = ["cc", "-Ia", "-isystem", "/s", "-I", "/b", "-iquote/q", "-Iinclude", "x.c"];
        let found = folders(&words.map(OsString::from));
        assert_eq!(found[0], Path::new("/q"));
        assert!(found[1].ends_with("a") && found[1].is_absolute());
        assert_eq!(&found[2], Path::new("/b"));
        assert_eq!(&found[4..], ["/s", "/usr/local/include", "/usr/include"].map(PathBuf::from));
        let mut names = BTreeSet::new();
        let text = "#if __has_include(\"a b.h\") && __has_include ( <c/d.h> )\n__has_include(X)\n";
        names_asked(text, &mut names);
        assert_eq!(names.into_iter().collect::<Vec<_>>(), ["a b.h", "c/d.h"]);
    }
}
