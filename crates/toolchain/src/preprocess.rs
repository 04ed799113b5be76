//! Runs the C preprocessor: it determines what a header declares on this machine.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::command::{quoted, run};
use crate::error::{BuildError, CompileFailure, Doing};
use crate::message;
use crate::request::SourceLanguage;
use crate::toolchain::{Family, Toolchain};

/// A C unit to be preprocessed, with the options for compiling it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Preprocess {
    /// The unit.
    pub unit: PathBuf,
    /// Headers that are included before it.
    pub before: Vec<PathBuf>,
    /// Folders for `#include`.
    pub include_dirs: Vec<PathBuf>,
    /// `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Other flags, last on the command line.
    pub flags: Vec<String>,
}

/// Runs the preprocessor; its output has line markers and no comments.
///
/// # Errors
///
/// [`BuildError::Compile`] with the compiler's messages, or without a compiler.
pub fn preprocess(request: &Preprocess, toolchain: &Toolchain) -> Result<String, BuildError> {
    let compiler = toolchain.compiler(SourceLanguage::C)?;
    let mut command = compiler.command.clone();
    command.push("-E".into());
    if matches!(compiler.family, Family::Gnu | Family::Clang) {
        command.push("-fdiagnostics-color=never".into());
    }
    for header in &request.before {
        command.extend([OsString::from("-include"), header.into()]);
    }
    for folder in &request.include_dirs {
        command.extend([OsString::from("-I"), folder.into()]);
    }
    let cross = toolchain.cross().into_iter();
    command.extend(cross.flat_map(|cross| cross.compile_flags(compiler.family)));
    command.extend(request.defines.iter().map(|define| format!("-D{define}").into()));
    command.extend(request.flags.iter().map(OsString::from));
    command.push(request.unit.clone().into());
    let finished = run(&command, toolchain.environment()).doing("start", Path::new(&command[0]))?;
    if finished.status.success() {
        // There are at least line markers.
        if finished.stdout.is_empty() {
            let program = PathBuf::from(&command[0]);
            return Err(BuildError::NoOutput { program, what: "preprocessed text" });
        }
        return Ok(finished.stdout);
    }
    // The output before the error is not a message.
    let raw = finished.stderr;
    Err(BuildError::Compile {
        messages: message::parse(&raw, &request.unit),
        failures: vec![CompileFailure {
            unit: request.unit.clone(),
            command: quoted(&command),
            raw,
        }],
    })
}
