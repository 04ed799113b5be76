//! A usable compiler, and its identity.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::command::{quoted, run};
use crate::environment::Environment;
use crate::machine::Machine;
use crate::memo::{is_launcher, stamp, starts_others};
use crate::request::SourceLanguage;

/// The family of a compiler, which determines its options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// GCC, including gfortran.
    Gnu,
    /// Clang, including Apple's, and flang.
    Clang,
    /// `zig cc`: clang with other defaults.
    Zig,
    /// Any other: only options that every compiler has.
    Unknown,
}

impl Family {
    /// The flags for code that is long, or runs rarely: it takes less than half of the time to compile, and most loops are
    /// as fast.
    pub fn quick_flags(self) -> &'static [&'static str] {
        match self {
            // Without a second loop in shorter vectors after each, for the remaining elements.
            Self::Gnu => &["-O1", "-ftree-loop-vectorize", "--param", "vect-epilogues-nomask=0"],
            Self::Clang | Self::Zig => &["-O1", "-fvectorize"],
            Self::Unknown => &["-O1"],
        }
    }

    /// The optimisation of units that consist of short calls only: as fast as with `-O3`, in half of its time.
    pub fn call_flags(self) -> &'static [&'static str] {
        match self {
            // The parts of `-O3` that short calls need: larger inline functions, and small loops as statements.
            Self::Gnu => &[
                "-O1",
                "-fpeel-loops",
                "-finline-functions",
                "--param=max-inline-insns-single=200",
                "--param=max-inline-insns-auto=30",
                "--param=early-inlining-insns=14",
                "--param=inline-min-speedup=15",
            ],
            Self::Clang | Self::Zig | Self::Unknown => &[],
        }
    }
}

/// A compiler and its identity.
#[derive(Debug, Clone)]
pub struct Compiler {
    /// Its language.
    pub language: SourceLanguage,
    /// The program's full path, and its first arguments.
    pub command: Vec<OsString>,
    /// Its family.
    pub family: Family,
    /// The output of `--version`.
    pub version: String,
    /// The output of `-dumpmachine`: `x86_64-linux-gnu`.
    pub target: String,
    identity: Vec<OsString>,
}

/// The stored description of a compiler.
#[derive(Serialize, Deserialize)]
struct Description {
    /// The command to call it by.
    command: Vec<String>,
    /// The output of `--version`.
    version: String,
    /// The output of `-dumpmachine`.
    target: String,
}

impl Compiler {
    /// Starts a command to identify it, unless the result is cached; the error is its output.
    pub(super) fn identify(
        language: SourceLanguage,
        asked: Vec<OsString>,
        environment: &Environment,
    ) -> Result<Self, String> {
        let memo = environment.memo("compilers.json");
        // A name on PATH may be another program each time.
        let asked_programs = programs(&asked, environment);
        let question = || {
            asked
                .iter()
                .map(OsString::as_os_str)
                .chain(asked_programs.iter().map(|one| one.as_os_str()))
        };
        if let Some(known) =
            memo.as_ref().and_then(|memo| memo.recall::<Description, _>(question()))
        {
            let command: Vec<OsString> = known.command.iter().map(OsString::from).collect();
            let programs = programs(&command, environment);
            return Ok(Self::new(language, command, known.version, known.target, &programs));
        }
        let command = without_launcher(asked.clone(), environment);
        let version = run_option(&command, "--version", environment)?.trim().to_owned();
        // Not every compiler supports this option, and the version often contains it.
        let target = run_option(&command, "-dumpmachine", environment).unwrap_or_default();
        let target = target.trim().to_owned();
        let programs = programs(&command, environment);
        let words = command.iter().map(|word| word.to_str().map(str::to_owned)).collect();
        if let (Some(memo), Some(command)) = (memo, words)
            && !programs.is_empty()
            && !programs.iter().any(|program| starts_others(program))
        {
            let description =
                Description { command, version: version.clone(), target: target.clone() };
            memo.keep(question(), &description, programs.clone());
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

    /// The same compiler, building for this machine; `None` if it builds for another one.
    pub(super) fn for_machine(mut self, machine: &Machine) -> Option<Self> {
        if self.family == Family::Zig {
            let aim = ["-target".into(), OsString::from(machine.to_string())];
            self.command.extend(aim.clone());
            self.identity.extend(aim);
            self.target = machine.to_string();
            return Some(self);
        }
        machine.is_target(&self.target).then_some(self)
    }

    /// Whether it is called by a program such as ccache or distcc.
    pub fn has_launcher(&self) -> bool {
        self.command.iter().any(|word| is_launcher(Path::new(word)))
    }

    /// The identity of a compiler: its command, its own description, and size and time of its
    /// program (and of those it starts, as in `ccache gcc`).
    pub fn identity(&self) -> &[OsString] {
        &self.identity
    }
}

/// The output of a command for one option.
fn run_option(
    command: &[OsString],
    option: &str,
    environment: &Environment,
) -> Result<String, String> {
    let mut command = command.to_vec();
    command.push(option.into());
    match run(&command, environment) {
        Ok(finished) if finished.status.success() => Ok(finished.stdout),
        Ok(finished) => Err(last_line(&finished.raw(), &quoted(&command))),
        Err(error) => Err(error.to_string()),
    }
}

/// `INTERPRETER -m ziglang cc` as `ZIG cc`: starting an interpreter takes as long as compiling a
/// small file, and its own timestamp does not depend on the package.
fn without_launcher(command: Vec<OsString>, environment: &Environment) -> Vec<OsString> {
    let [interpreter, dash_m, ziglang, mode] = command.as_slice() else { return command };
    if dash_m != "-m" || ziglang != "ziglang" {
        return command;
    }
    let ask = [interpreter.clone(), dash_m.clone(), ziglang.clone()];
    let printed = run_option(&ask, "env", environment).unwrap_or_default();
    match zig_program(&printed) {
        Some(zig) if zig.is_file() => vec![zig.into(), mode.clone()],
        _ => command,
    }
}

/// The program in the output of `zig env`, in JSON or, since 0.15, in Zig's own notation.
fn zig_program(printed: &str) -> Option<PathBuf> {
    let value = printed.lines().find_map(|line| {
        let line = line.trim();
        line.strip_prefix(".zig_exe = ").or_else(|| line.strip_prefix("\"zig_exe\": "))
    })?;
    serde_json::from_str(value.trim_end_matches(',')).ok()
}

fn family(command: &[OsString], version: &str) -> Family {
    let says = |text: &str| version.to_ascii_lowercase().contains(text);
    let zig = |word: &OsString| Path::new(word).file_name().is_some_and(|name| name == "zig");
    if command.iter().any(|word| word == "ziglang" || zig(word)) || is_zig(version) {
        Family::Zig
    } else if says("clang") || says("flang") {
        Family::Clang
    } else if says("free software foundation") || says("gcc") || says("gnu fortran") {
        Family::Gnu
    } else {
        Family::Unknown
    }
}

/// It is the version of the clang in Zig, which a script that starts `zig cc` passes on: it names where its source is, or
/// the folder with `zig`, and a target with a version of Linux, `x86_64-unknown-linux6.1.0-gnu2.36.0`.
fn is_zig(version: &str) -> bool {
    let line = |start: &str| version.lines().find_map(|line| line.strip_prefix(start));
    let has_zig = |folder: &str| Path::new(folder.trim()).join("zig").is_file();
    let has_version = |target: &str| {
        let system = target.split_once("-linux").map_or("", |(_, system)| system);
        system.starts_with(|first: char| first.is_ascii_digit())
    };
    version.contains("ziglang/zig-bootstrap")
        || line("InstalledDir: ").is_some_and(has_zig) && line("Target: ").is_some_and(has_version)
}

/// The program of a command, and programs among its arguments.
fn programs(command: &[OsString], environment: &Environment) -> Vec<PathBuf> {
    let option = |word: &OsStr| word.as_encoded_bytes().starts_with(b"-");
    command.iter().filter(|word| !option(word)).filter_map(|word| environment.which(word)).collect()
}

fn last_line(raw: &str, command: &str) -> String {
    match raw.lines().rev().find(|line| !line.trim().is_empty()) {
        Some(line) => line.trim().to_owned(),
        None => format!("`{command}` failed and printed nothing"),
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

    #[test]
    fn scripts_of_zig_are_zig() {
        let version =
            "clang version 18.1.6 (https://github.com/ziglang/zig-bootstrap 98bc6bf4fc40)";
        let of = |version: &str| family(&["/bin/my-cc".into()], version);
        assert_eq!(of(version), Family::Zig);
        assert_eq!(of("Debian clang version 14.0.6"), Family::Clang);
    }
}
