//! One compiler that works, and what tells it from any other.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use crate::command::{quoted, run};
use crate::environment::Environment;
use crate::request::Language;

/// Whose options a compiler takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// GCC, and gfortran with it.
    Gnu,
    /// Clang, Apple's too, and flang.
    Clang,
    /// `zig cc`: clang with other defaults.
    Zig,
    /// Something else: it gets only what every compiler takes.
    Unknown,
}

/// A compiler, and what tells it from any other.
#[derive(Debug, Clone)]
pub struct Compiler {
    /// What it compiles.
    pub language: Language,
    /// The program's full path, and arguments that come first.
    pub command: Vec<OsString>,
    /// Whose options it takes.
    pub family: Family,
    /// What `--version` says.
    pub version: String,
    /// What `-dumpmachine` says: `x86_64-linux-gnu`.
    pub target: String,
    identity: Vec<OsString>,
}

impl Compiler {
    /// Asks a command who it is; the error is what it said instead.
    pub(super) fn ask(
        language: Language,
        command: Vec<OsString>,
        environment: &Environment,
    ) -> Result<Self, String> {
        let ask = |option: &str| {
            let mut command = command.clone();
            command.push(option.into());
            match run(&command, environment) {
                Ok(finished) if finished.status.success() => Ok(finished.stdout),
                Ok(finished) => Err(last_line(&finished.raw(), &quoted(&command))),
                Err(error) => Err(error.to_string()),
            }
        };
        let version = ask("--version")?.trim().to_owned();
        // Not every compiler knows this one, and the version often says it anyway.
        let target = ask("-dumpmachine").unwrap_or_default().trim().to_owned();
        let family = family(&command, &version);
        let mut identity = command.clone();
        identity.extend([version.clone().into(), target.clone().into()]);
        identity.extend(programs(&command, environment).iter().flat_map(|program| stamp(program)));
        Ok(Self { language, command, family, version, target, identity })
    }

    /// What must be the same for a compiler to be the same: its command, what it says of
    /// itself, and size and time of its program (and of those it starts, as in `ccache gcc`).
    pub fn identity(&self) -> &[OsString] {
        &self.identity
    }
}

fn family(command: &[OsString], version: &str) -> Family {
    let says = |text: &str| version.to_ascii_lowercase().contains(text);
    if command.iter().any(|word| word == "ziglang") || command.iter().any(|word| word == "zig") {
        Family::Zig
    } else if says("clang") || says("flang") {
        Family::Clang
    } else if says("free software foundation") || says("gcc") || says("gnu fortran") {
        Family::Gnu
    } else {
        Family::Unknown
    }
}

/// The program of a command, and those among its arguments.
fn programs(command: &[OsString], environment: &Environment) -> Vec<PathBuf> {
    let option = |word: &OsStr| word.as_encoded_bytes().starts_with(b"-");
    command.iter().filter(|word| !option(word)).filter_map(|word| environment.which(word)).collect()
}

/// A file's real path, size and time of change, as text; nothing if it went away.
fn stamp(program: &Path) -> Vec<OsString> {
    let Ok(path) = program.canonicalize() else { return Vec::new() };
    let Ok(metadata) = path.metadata() else { return Vec::new() };
    let modified = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    vec![path.into(), format!("{} {modified:?}", metadata.len()).into()]
}

fn last_line(raw: &str, command: &str) -> String {
    match raw.lines().rev().find(|line| !line.trim().is_empty()) {
        Some(line) => line.trim().to_owned(),
        None => format!("`{command}` failed and said nothing"),
    }
}
