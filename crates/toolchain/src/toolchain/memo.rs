//! A cache of the compilers' descriptions, shared by processes.
//!
//! Starting a compiler costs a few milliseconds, and tens through an interpreter. A description is
//! valid as long as size and modification time of its programs are the same. Descriptions by
//! programs that start others, which could change undetected, are not stored.
//!
//! Invariant: the file is only an optimisation. If it is invalid in any way, compilers are started.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::compiler::stamp;
use crate::key::Key;

/// Wrappers: programs before a compiler on the command line, or links in its place.
const LAUNCHERS: [&str; 7] =
    ["ccache", "sccache", "distcc", "icecc", "colorgcc", "buildcache", "env"];

/// A compiler's description.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Answer {
    /// The command to call it by.
    pub command: Vec<String>,
    /// The output of `--version`.
    pub version: String,
    /// The output of `-dumpmachine`.
    pub target: String,
    /// Its programs, with size and time.
    stamps: Vec<String>,
}

impl Answer {
    /// `None` for descriptions that cannot be stored.
    pub fn new(
        command: &[OsString],
        programs: &[PathBuf],
        version: &str,
        target: &str,
    ) -> Option<Self> {
        if programs.is_empty() || programs.iter().any(|program| starts_others(program)) {
            return None;
        }
        let words = command.iter().map(|word| word.to_str().map(str::to_owned));
        Some(Self {
            command: words.collect::<Option<_>>()?,
            version: version.to_owned(),
            target: target.to_owned(),
            stamps: stamps(programs),
        })
    }

    /// Whether the description is that of these programs.
    pub fn is_of(&self, programs: &[PathBuf]) -> bool {
        self.stamps == stamps(programs)
    }
}

/// The file with descriptions.
#[derive(Debug, Clone)]
pub(super) struct Memo {
    path: PathBuf,
}

impl Memo {
    pub fn new(path: PathBuf) -> Self {
        Self { path }
    }

    pub fn recall(&self, asked: &[OsString]) -> Option<Answer> {
        self.read().remove(&name(asked))
    }

    /// A failure is harmless.
    pub fn keep(&self, asked: &[OsString], answer: Answer) {
        let mut answers = self.read();
        answers.insert(name(asked), answer);
        let Some(folder) = self.path.parent() else { return };
        let Ok(mut file) = tempfile::NamedTempFile::new_in(folder) else { return };
        let written = serde_json::to_vec_pretty(&answers)
            .map_err(std::io::Error::from)
            .and_then(|text| file.write_all(&text));
        if written.is_ok() {
            let _ = file.persist(&self.path);
        }
    }

    fn read(&self) -> BTreeMap<String, Answer> {
        let text = std::fs::read(&self.path).ok();
        text.and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default()
    }
}

fn name(asked: &[OsString]) -> String {
    let mut key = Key::new("compiler");
    key.parts(asked);
    key.finish()
}

fn stamps(programs: &[PathBuf]) -> Vec<String> {
    let stamps = programs.iter().flat_map(|program| stamp(program));
    stamps.map(|stamp| stamp.to_string_lossy().into_owned()).collect()
}

/// A script, or a wrapper.
fn starts_others(program: &Path) -> bool {
    let real = program.canonicalize().unwrap_or_else(|_| program.to_owned());
    let launcher =
        real.file_stem().is_some_and(|name| LAUNCHERS.iter().any(|known| name == *known));
    let mut beginning = [0; 2];
    let read = std::fs::File::open(&real).and_then(|mut file| file.read_exact(&mut beginning));
    launcher || read.is_err() || beginning == *b"#!"
}
