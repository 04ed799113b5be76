//! The errors of a build, with remedies.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::message::{CompilerMessage, Severity};
use crate::request::SourceLanguage;
use crate::toolchain::{Looked, Outcome};

/// One unit that did not compile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompileFailure {
    /// The unit, as it was passed to the compiler.
    pub unit: PathBuf,
    /// The command, quoted for a POSIX shell: it can be pasted and run.
    pub command: String,
    /// The compiler's whole output.
    pub raw: String,
}

/// The reason why a library could not be built.
#[derive(Debug)]
#[non_exhaustive]
pub enum BuildError {
    /// One or more units did not compile.
    Compile {
        /// The compilers' messages about all failed units, in the order of the units.
        messages: Vec<CompilerMessage>,
        /// The failed units.
        failures: Vec<CompileFailure>,
    },
    /// All units compiled, and the linker refused them.
    Link {
        /// The linker's whole output.
        raw: String,
        /// The command, quoted for a POSIX shell.
        command: String,
        /// The undefined symbols, if these were the reason.
        undefined: Vec<String>,
    },
    /// A unit's language has no compiler here.
    NoCompiler {
        /// The language.
        language: SourceLanguage,
        /// The other machine that it should build for.
        machine: Option<String>,
        /// The places of the search, in order, and the result for each.
        looked: Vec<Looked>,
        /// How to install one, a line each.
        advice: Vec<String>,
    },
    /// A file could not be read or written, or a program not started.
    Io {
        /// The operation: `write`, `create the folder`.
        doing: String,
        /// Its target.
        path: PathBuf,
        /// The system's message.
        source: io::Error,
    },
    /// A compiler ended without an error, and its output is missing.
    NoOutput {
        /// The command.
        program: PathBuf,
        /// The output: `object file`.
        what: &'static str,
    },
    /// The request contradicts itself.
    Request {
        /// The contradiction.
        problem: String,
    },
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Compile { messages, failures } => {
                let units: Vec<_> =
                    failures.iter().map(|failure| failure.unit.display().to_string()).collect();
                write!(f, "could not compile {}", units.join(", "))?;
                let errors: Vec<_> =
                    messages.iter().filter(|m| m.severity == Severity::Error).collect();
                for error in &errors {
                    write!(f, "\n{error}")?;
                }
                // A compiler that crashed reports that in no standard format.
                if errors.is_empty() {
                    for failure in failures {
                        write!(f, "\n$ {}\n{}", failure.command, failure.raw.trim_end())?;
                    }
                }
                Ok(())
            }
            Self::Link { raw, command, undefined } => {
                if undefined.is_empty() {
                    write!(f, "could not link the module")?;
                } else {
                    write!(
                        f,
                        "could not link the module: nothing defines {}; is a source or a library \
                         missing?",
                        undefined.join(", ")
                    )?;
                }
                write!(f, "\n$ {command}\n{}", raw.trim_end())
            }
            Self::NoCompiler { language, machine, looked, advice } => {
                let set = looked.iter().find_map(|looked| Some((looked, looked.variable()?)));
                if let (None, Some((looked, (name, value)))) = (machine, set) {
                    write!(f, "{name} names no usable {} compiler: `{value}`", language.name())?;
                    match &looked.outcome {
                        Outcome::Broken(output) => write!(f, "\nit does not work: {output}")?,
                        _ => write!(f, "\nthere is no such program")?,
                    }
                    return write!(f, "\nunset {name}, or set it to a compiler");
                }
                write!(f, "no {} compiler", language.name())?;
                machine.iter().try_for_each(|machine| write!(f, " for {machine}"))?;
                write!(f, " was found")?;
                for looked in looked {
                    write!(f, "\n  looked for {looked}")?;
                }
                write!(f, "\ninstall one:")?;
                for line in advice {
                    write!(f, "\n  {line}")?;
                }
                Ok(())
            }
            Self::Io { doing, path, source } => {
                write!(f, "could not {doing} {}: {source}", path.display())?;
                let advice = match source.kind() {
                    _ if is_no_space(source) => "free some space and build again",
                    io::ErrorKind::PermissionDenied
                    | io::ErrorKind::ReadOnlyFilesystem
                    | io::ErrorKind::NotFound
                    | io::ErrorKind::NotADirectory
                        if doing.starts_with("create") || doing == "write" =>
                    {
                        "choose an output folder that can be written"
                    }
                    _ => return Ok(()),
                };
                write!(f, "\n{advice}")
            }
            Self::NoOutput { program, what } => write!(
                f,
                "`{}` ended without an error and wrote no {what}\nname a C compiler in $CC, such as gcc",
                program.display()
            ),
            Self::Request { problem } => write!(f, "{problem}"),
        }
    }
}

impl BuildError {
    /// True if the user interrupted a program.
    pub fn is_interruption(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() == io::ErrorKind::Interrupted)
    }
}

impl std::error::Error for BuildError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}

/// Adds the operation and its target to an I/O error, which is useless without.
pub(crate) trait Doing<T> {
    fn doing(self, what: &str, path: &Path) -> Result<T, BuildError>;
}

impl<T> Doing<T> for io::Result<T> {
    fn doing(self, what: &str, path: &Path) -> Result<T, BuildError> {
        self.map_err(|source| BuildError::Io {
            doing: what.to_owned(),
            path: path.to_owned(),
            source,
        })
    }
}

impl BuildError {
    /// Not enough space was left for the output of the build.
    pub fn is_no_space(&self) -> bool {
        matches!(self, Self::Io { source, .. } if is_no_space(source))
    }
}

/// The file system is full, or the user's part of it.
pub fn is_no_space(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}
