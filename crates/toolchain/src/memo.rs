//! Descriptions of programs, which processes share in files.
//!
//! Starting a compiler costs a few milliseconds, and an interpreter a hundred if it imports a large package. A
//! description is valid as long as the files that it depends on have the same size and modification time.
//! Descriptions by programs that start others, which could change undetected, are not stored: see [`starts_others`].
//!
//! Invariant: a file is only an optimisation. If it is invalid in any way, programs are started.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::key::Key;

/// Wrappers: programs before a compiler on the command line, or links in its place.
const LAUNCHERS: [&str; 7] =
    ["ccache", "sccache", "distcc", "icecc", "colorgcc", "buildcache", "env"];

/// A file with more descriptions is begun anew: environments of tests are many.
const MOST: usize = 100;

/// One description, and the files that it depends on, with their stamps.
#[derive(Serialize, Deserialize)]
struct Entry {
    description: serde_json::Value,
    files: BTreeMap<PathBuf, String>,
}

impl Entry {
    fn is_valid(&self) -> bool {
        self.files.iter().all(|(file, known)| text_stamp(file) == *known)
    }
}

/// A file with descriptions of one kind of programs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Memo {
    path: PathBuf,
}

impl Memo {
    /// The descriptions in this file, which must be writable for this user only.
    pub fn new(path: PathBuf) -> Self {
        Self { path }
    }

    /// The description that was stored for a question, if the files that it depends on are the same.
    pub fn recall<T: DeserializeOwned, Q: AsRef<OsStr>>(
        &self,
        question: impl IntoIterator<Item = Q>,
    ) -> Option<T> {
        let entry = self.read().remove(&name(question)).filter(Entry::is_valid)?;
        serde_json::from_value(entry.description).ok()
    }

    /// Stores a description that depends on files. A failure is harmless.
    pub fn keep<T: Serialize, Q: AsRef<OsStr>>(
        &self,
        question: impl IntoIterator<Item = Q>,
        description: &T,
        files: impl IntoIterator<Item = PathBuf>,
    ) {
        let Ok(description) = serde_json::to_value(description) else { return };
        let stamped = |file: PathBuf| {
            let stamp = text_stamp(&file);
            (file, stamp)
        };
        let files = files.into_iter().map(stamped).collect();
        let mut entries = self.read();
        if entries.len() >= MOST {
            entries.clear();
        }
        entries.insert(name(question), Entry { description, files });
        let Some(folder) = self.path.parent() else { return };
        let Ok(mut file) = tempfile::NamedTempFile::new_in(folder) else { return };
        let written = serde_json::to_vec_pretty(&entries)
            .map_err(std::io::Error::from)
            .and_then(|text| file.write_all(&text));
        if written.is_ok() {
            let _ = file.persist(&self.path);
        }
    }

    fn read(&self) -> BTreeMap<String, Entry> {
        let text = std::fs::read(&self.path).ok();
        text.and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default()
    }
}

fn name<Q: AsRef<OsStr>>(question: impl IntoIterator<Item = Q>) -> String {
    let mut key = Key::new("description");
    key.parts(question);
    key.finish()
}

/// A file's real path, size and modification time; nothing if it is gone.
pub(crate) fn stamp(file: &Path) -> Vec<OsString> {
    let Ok(path) = file.canonicalize() else { return Vec::new() };
    let Ok(metadata) = path.metadata() else { return Vec::new() };
    let modified = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    vec![path.into(), format!("{} {modified:?}", metadata.len()).into()]
}

fn text_stamp(file: &Path) -> String {
    let parts: Vec<_> =
        stamp(file).iter().map(|part| part.to_string_lossy().into_owned()).collect();
    parts.join(" ")
}

/// Whether a program may start any other one: a script, or a wrapper.
pub fn starts_others(program: &Path) -> bool {
    let real = program.canonicalize().unwrap_or_else(|_| program.to_owned());
    let mut beginning = [0; 2];
    let read = std::fs::File::open(&real).and_then(|mut file| file.read_exact(&mut beginning));
    is_launcher(&real) || read.is_err() || beginning == *b"#!"
}

/// Whether a path is that of a wrapper.
pub(crate) fn is_launcher(program: &Path) -> bool {
    program.file_stem().is_some_and(|name| LAUNCHERS.iter().any(|known| name == *known))
}
