//! What compilers said of themselves, kept from one process to the next.
//!
//! Asking costs a few milliseconds, and tens through an interpreter. An answer serves as long as size
//! and time of change of the programs that gave it are the same. Answers of programs that start
//! others, which could change unseen, are not kept.
//!
//! Invariant: the file is only ever a shortcut. Whatever is wrong with it, compilers are asked.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::compiler::stamp;
use crate::key::Key;

/// Programs that are put before a compiler, or in its place by a link.
const LAUNCHERS: [&str; 7] =
    ["ccache", "sccache", "distcc", "icecc", "colorgcc", "buildcache", "env"];

/// What a compiler said of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Answer {
    /// The command that it should be called by.
    pub command: Vec<String>,
    /// What `--version` says.
    pub version: String,
    /// What `-dumpmachine` says.
    pub target: String,
    /// Its programs, as they were.
    stamps: Vec<String>,
}

impl Answer {
    /// `None` for what cannot be kept.
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

    /// Whether these programs are the ones that gave it.
    pub fn is_of(&self, programs: &[PathBuf]) -> bool {
        self.stamps == stamps(programs)
    }
}

/// The file of answers.
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

    /// Failing is no harm.
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

/// A script, or a program that is there to start another.
fn starts_others(program: &Path) -> bool {
    let real = program.canonicalize().unwrap_or_else(|_| program.to_owned());
    let launcher =
        real.file_stem().is_some_and(|name| LAUNCHERS.iter().any(|known| name == *known));
    let mut beginning = [0; 2];
    let read = std::fs::File::open(&real).and_then(|mut file| file.read_exact(&mut beginning));
    launcher || read.is_err() || beginning == *b"#!"
}
