//! Places where a compiler looked for headers and found none.
//!
//! Purpose: detect a file that would be found now: one that appears earlier in the search path than
//! the header that was used, or one that `__has_include` names.
//! Invariant: the files at all these places are those that existed when the object was compiled.
//! Reason: compilers list the files they opened, and not the places they searched in vain.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// The folders that compilers search after those of the command line.
const USUAL: [&str; 2] = ["/usr/local/include", "/usr/include"];

/// Places that affect an object without being part of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Searched {
    /// The folders, in the order in which they are searched.
    folders: Vec<PathBuf>,
    /// The folders of the files that include, where a name in quotes is looked up first.
    including: BTreeSet<PathBuf>,
    /// The names in `__has_include`.
    asked: BTreeSet<String>,
    /// The places at which there are files, although none was read.
    taken: BTreeSet<PathBuf>,
}

/// The places of several objects at which there are files. Most objects read the same headers, and each place is looked
/// at once.
#[derive(Debug, Default)]
pub(crate) struct Places<'a> {
    by_search: HashMap<Search<'a>, Taken<'a>>,
}

/// The folders and the names that determine the places.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Search<'a> {
    folders: &'a [PathBuf],
    including: &'a BTreeSet<PathBuf>,
    asked: &'a BTreeSet<String>,
}

#[derive(Debug, Default)]
struct Taken<'a> {
    /// By the header that was found later.
    before: HashMap<&'a Path, Vec<PathBuf>>,
    asked: Option<Vec<PathBuf>>,
}

impl Searched {
    /// For an object of this command and these files, with absolute paths.
    pub fn new(command: &[OsString], files: &BTreeSet<PathBuf>) -> Self {
        let folders = folders(command);
        let system = |file: &Path| USUAL.iter().any(|usual| file.starts_with(usual));
        let mut searched = Self { folders, ..Self::default() };
        let mut macros = Macros::of_command(command);
        for file in files.iter().filter(|file| !system(file) && !file.starts_with("/usr/lib")) {
            searched.including.extend(file.parent().map(Path::to_owned));
            if let Ok(text) = fs::read(file) {
                let text = String::from_utf8_lossy(&text);
                names_asked(&text, &mut searched.asked, &mut macros.asked);
                macros.read(&text);
            }
        }
        macros.names(&mut searched.asked);
        let taken = searched.find(files.iter().map(PathBuf::as_path), &mut Places::default());
        Self { taken, ..searched }
    }

    /// Whether the search would have the same result.
    pub fn is_current<'a>(
        &'a self,
        files: impl Iterator<Item = &'a Path>,
        places: &mut Places<'a>,
    ) -> bool {
        self.find(files, places) == self.taken
    }

    /// The places before those of the files, and all of those in `__has_include`, if there is a
    /// file.
    fn find<'a>(
        &'a self,
        files: impl Iterator<Item = &'a Path>,
        places: &mut Places<'a>,
    ) -> BTreeSet<PathBuf> {
        let Self { folders, including, asked, .. } = self;
        let taken = places.by_search.entry(Search { folders, including, asked }).or_default();
        let mut found = BTreeSet::new();
        for file in files {
            let before = taken.before.entry(file).or_insert_with(|| self.taken_before(file));
            found.extend(before.iter().cloned());
        }
        found.extend(taken.asked.get_or_insert_with(|| self.taken_by_names()).iter().cloned());
        found
    }

    /// The places of a header's name that are searched before the header itself, if there is a file.
    fn taken_before(&self, file: &Path) -> Vec<PathBuf> {
        let mut places = Vec::new();
        // Folders may be nested: it is unknown in which of them the name was looked up.
        for (index, folder) in self.folders.iter().enumerate() {
            let Ok(name) = file.strip_prefix(folder) else { continue };
            places.extend(self.folders[..index].iter().map(|folder| folder.join(name)));
            let system = USUAL.iter().any(|usual| Path::new(usual) == folder);
            if !system {
                places.extend(self.including.iter().map(|folder| folder.join(name)));
            }
        }
        places.retain(|place| place != file && place.exists());
        places
    }

    /// The places of names in `__has_include`, if there is a file.
    fn taken_by_names(&self) -> Vec<PathBuf> {
        let folders = self.folders.iter().chain(&self.including);
        let places = folders.flat_map(|folder| self.asked.iter().map(|name| folder.join(name)));
        places.filter(|place| place.exists()).collect()
    }
}

/// The folders that a command names for headers: those for names in quotes first, the system's
/// last.
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

/// Macros that may stand for the name of a header. Whether a definition is in force is not known: all count.
#[derive(Debug, Default)]
struct Macros {
    /// Those in `__has_include(MACRO)`.
    asked: BTreeSet<String>,
    defined: BTreeMap<String, BTreeSet<String>>,
}

impl Macros {
    fn of_command(command: &[OsString]) -> Self {
        let mut macros = Self::default();
        let mut words = command.iter().map(|word| word.to_string_lossy());
        while let Some(word) = words.next() {
            let definition = match word.strip_prefix("-D") {
                Some("") => words.next(),
                Some(definition) => Some(definition.to_owned().into()),
                None => None,
            };
            if let Some((name, value)) = definition.as_deref().and_then(|one| one.split_once('=')) {
                macros.define(name, value);
            }
        }
        macros
    }

    /// Notes the `#define NAME VALUE` of a file.
    fn read(&mut self, text: &str) {
        for line in text.lines() {
            let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
            let definition = directive.and_then(|rest| rest.strip_prefix("define")).map(str::trim);
            if let Some((name, value)) = definition.and_then(|one| one.split_once([' ', '\t'])) {
                self.define(name, value);
            }
        }
    }

    /// Keeps only what may be a header's name: `"NAME"`, `<NAME>` or another macro.
    fn define(&mut self, name: &str, value: &str) {
        let value = value.trim();
        if value.starts_with(['"', '<', '_']) || value.starts_with(char::is_alphabetic) {
            self.defined.entry(name.to_owned()).or_default().insert(value.to_owned());
        }
    }

    /// Adds the names of headers to which the macros expand.
    fn names(&self, names: &mut BTreeSet<String>) {
        let mut open: Vec<&str> = self.asked.iter().map(String::as_str).collect();
        let mut seen = BTreeSet::new();
        while let Some(name) = open.pop() {
            if !seen.insert(name) {
                continue;
            }
            for value in self.defined.get(name).into_iter().flatten() {
                match header_name(value) {
                    Some(header) => _ = names.insert(header.to_owned()),
                    None => open.extend(identifier(value)),
                }
            }
        }
    }
}

/// NAME, if the source begins with `"NAME"` or `<NAME>`.
fn header_name(text: &str) -> Option<&str> {
    let end = match text.chars().next()? {
        '"' => '"',
        '<' => '>',
        _ => return None,
    };
    text[1..].split_once(end).map(|(name, _)| name)
}

/// The identifier at the beginning of the source.
fn identifier(text: &str) -> Option<&str> {
    let end = text.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(text.len());
    let is_name = text.starts_with(|c: char| c == '_' || c.is_alphabetic());
    is_name.then_some(&text[..end])
}

/// The names in `__has_include("...")` and `__has_include(<...>)`, and the macros in `__has_include(MACRO)`.
fn names_asked(text: &str, names: &mut BTreeSet<String>, macros: &mut BTreeSet<String>) {
    for question in ["__has_include", "__has_include_next"] {
        for (at, _) in text.match_indices(question) {
            let rest = text[at + question.len()..].trim_start();
            let Some(rest) = rest.strip_prefix('(') else { continue };
            let rest = rest.trim_start();
            match header_name(rest) {
                Some(name) => _ = names.insert(name.to_owned()),
                None => macros.extend(identifier(rest).map(str::to_owned)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_named_by_commands_and_sources() {
        let words = ["cc", "-Ia", "-isystem", "/s", "-I", "/b", "-iquote/q", "-Iinclude", "x.c"];
        let found = folders(&words.map(OsString::from));
        assert_eq!(found[0], Path::new("/q"));
        assert!(found[1].ends_with("a") && found[1].is_absolute());
        assert_eq!(&found[2], Path::new("/b"));
        assert_eq!(&found[4..], ["/s", "/usr/local/include", "/usr/include"].map(PathBuf::from));
        let mut names = BTreeSet::new();
        let mut macros = Macros::of_command(&["-DX=\"x.h\"", "-D", "W=<w.h>"].map(OsString::from));
        let text = "#if __has_include(\"a b.h\") && __has_include ( <c/d.h> )\n__has_include(X)\n\
                    #  define Y <e.h> /* the usual one */\n#define Z Y\n#define Y Z\n#define V \"v.h\"\n\
                    #elif __has_include(Z)\n#define W 1\n#if __has_include( W ) || __has_include(U)\n";
        names_asked(text, &mut names, &mut macros.asked);
        macros.read(text);
        macros.names(&mut names);
        let names: Vec<_> = names.into_iter().collect();
        assert_eq!(names, ["a b.h", "c/d.h", "e.h", "w.h", "x.h"]);
    }
}
