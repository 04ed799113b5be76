//! One compiler that works, and what tells it from any other.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use super::memo::{Answer, Memo};
use crate::command::{quoted, run};
use crate::environment::Environment;
use crate::request::SourceLanguage;

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
    pub language: SourceLanguage,
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
    /// Asks a command who it is, unless that is remembered; the error is what it said instead.
    pub(super) fn ask(
        language: SourceLanguage,
        asked: Vec<OsString>,
        environment: &Environment,
        memo: Option<&Memo>,
    ) -> Result<Self, String> {
        if let Some(answer) = memo.and_then(|memo| memo.recall(&asked)) {
            let command: Vec<OsString> = answer.command.iter().map(OsString::from).collect();
            let programs = programs(&command, environment);
            if answer.is_of(&programs) {
                return Ok(Self::new(language, command, answer.version, answer.target, &programs));
            }
        }
        let command = without_launcher(asked.clone(), environment);
        let version = say(&command, "--version", environment)?.trim().to_owned();
        // Not every compiler knows this one, and the version often says it anyway.
        let target = say(&command, "-dumpmachine", environment).unwrap_or_default();
        let target = target.trim().to_owned();
        let programs = programs(&command, environment);
        if let Some(memo) = memo
            && let Some(answer) = Answer::new(&command, &programs, &version, &target)
        {
            memo.keep(&asked, answer);
        }
        Ok(Self::new(language, command, version, target, &programs))
    }

    fn new(
        language: SourceLanguage,
        command: Vec<OsString>,
        version: String,
        target: String,
        programs: &[PathBuf],
    ) -> Self {
        let family = family(&command, &version);
        let mut identity = command.clone();
        identity.extend([version.clone().into(), target.clone().into()]);
        identity.extend(programs.iter().flat_map(|program| stamp(program)));
        Self { language, command, family, version, target, identity }
    }

    /// What must be the same for a compiler to be the same: its command, what it says of
    /// itself, and size and time of its program (and of those it starts, as in `ccache gcc`).
    pub fn identity(&self) -> &[OsString] {
        &self.identity
    }
}

/// What a command says when it is given one option.
fn say(command: &[OsString], option: &str, environment: &Environment) -> Result<String, String> {
    let mut command = command.to_vec();
    command.push(option.into());
    match run(&command, environment) {
        Ok(finished) if finished.status.success() => Ok(finished.stdout),
        Ok(finished) => Err(last_line(&finished.raw(), &quoted(&command))),
        Err(error) => Err(error.to_string()),
    }
}

/// `INTERPRETER -m ziglang cc` as `ZIG cc`: starting an interpreter takes as long as compiling a small file,
/// and its own stamp says nothing of the package.
fn without_launcher(command: Vec<OsString>, environment: &Environment) -> Vec<OsString> {
    let [interpreter, dash_m, ziglang, mode] = command.as_slice() else { return command };
    if dash_m != "-m" || ziglang != "ziglang" {
        return command;
    }
    let ask = [interpreter.clone(), dash_m.clone(), ziglang.clone()];
    let said = say(&ask, "env", environment).unwrap_or_default();
    match zig_program(&said) {
        Some(zig) if zig.is_file() => vec![zig.into(), mode.clone()],
        _ => command,
    }
}

/// The program that `zig env` names, in JSON or, since 0.15, in Zig's own notation.
fn zig_program(said: &str) -> Option<PathBuf> {
    let value = said.lines().find_map(|line| {
        let line = line.trim();
        line.strip_prefix(".zig_exe = ").or_else(|| line.strip_prefix("\"zig_exe\": "))
    })?;
    serde_json::from_str(value.trim_end_matches(',')).ok()
}

fn family(command: &[OsString], version: &str) -> Family {
    let says = |text: &str| version.to_ascii_lowercase().contains(text);
    let zig = |word: &OsString| Path::new(word).file_name().is_some_and(|name| name == "zig");
    if command.iter().any(|word| word == "ziglang" || zig(word)) {
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
pub(super) fn stamp(program: &Path) -> Vec<OsString> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zig_says_where_it_is() {
        let zon = ".{\n    .zig_exe = \"/a b/zig\",\n    .lib_dir = \"/lib\",\n}\n";
        let json = "{\n \"zig_exe\": \"/a b/zig\",\n \"lib_dir\": \"/lib\"\n}\n";
        assert_eq!(zig_program(zon), Some("/a b/zig".into()));
        assert_eq!(zig_program(json), Some("/a b/zig".into()));
        assert_eq!(zig_program("No module named ziglang"), None);
    }
}
