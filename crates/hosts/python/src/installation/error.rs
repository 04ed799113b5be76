//! The reasons why a Python cannot be used for builds, with remedies.

use std::fmt;
use std::path::PathBuf;

use super::{Installation, OLDEST, STABLE};

/// Why a Python cannot be used for builds.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PythonError {
    /// The program does not exist.
    NotFound {
        /// The places of the search.
        looked: Vec<String>,
    },
    /// It runs, and its output is not a description of a Python.
    NotPython {
        /// The program.
        path: PathBuf,
        /// Its output.
        reason: String,
    },
    /// Older than 3.11.
    TooOld {
        /// The interpreter.
        path: PathBuf,
        /// Its version.
        version: (u32, u32, u32),
    },
    /// `Python.h` is missing.
    NoHeaders {
        /// The interpreter.
        python: PathBuf,
        /// Its major and minor version.
        version: (u32, u32),
        /// The folders that were searched.
        looked: Vec<PathBuf>,
    },
    /// NumPy is not installed for it.
    NoNumPy {
        /// The interpreter.
        python: PathBuf,
    },
    /// NumPy is installed and cannot be imported.
    BrokenNumPy {
        /// The interpreter.
        python: PathBuf,
        /// The error of the import.
        reason: String,
    },
    /// It has no stable ABI, or one that lacks what modules need.
    NoStableAbi(Box<Installation>),
}

impl fmt::Display for PythonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound { looked } => {
                write!(
                    f,
                    "no Python was found: looked for {}; install Python 3.11 or newer, or say \
                     which one to use",
                    looked.join(", ")
                )
            }
            Self::NotPython { path, reason } => {
                write!(f, "{} does not answer as a Python does: {reason}", path.display())
            }
            Self::TooOld { path, version: (major, minor, micro) } => {
                let (oldest_major, oldest_minor) = OLDEST;
                write!(
                    f,
                    "{} is Python {major}.{minor}.{micro}, and {oldest_major}.{oldest_minor} is \
                     the oldest that works: choose a newer one",
                    path.display()
                )
            }
            Self::NoHeaders { python, version: (major, minor), looked } => {
                let looked: Vec<_> = looked.iter().map(|path| path.display().to_string()).collect();
                write!(
                    f,
                    "the headers of {} are missing: no Python.h in {}; on Debian and Ubuntu `sudo \
                     apt install python3-dev` (or python{major}.{minor}-dev), on Fedora `sudo dnf \
                     install python3-devel`",
                    python.display(),
                    looked.join(", ")
                )
            }
            Self::NoNumPy { python } => {
                let python = python.display();
                write!(f, "{python} has no NumPy: run `{python} -m pip install numpy`")
            }
            Self::BrokenNumPy { python, reason } => {
                let python = python.display();
                write!(
                    f,
                    "{python} cannot import its NumPy ({reason}): run `{python} -m pip install \
                     --force-reinstall numpy`"
                )
            }
            Self::NoStableAbi(python) => {
                let ((oldest_major, oldest_minor), (major, minor, _)) = (STABLE, python.version);
                let kind = match python.free_threaded {
                    true => "free-threaded ",
                    false => "",
                };
                let name = match python.implementation.as_str() {
                    "cpython" => "Python",
                    other => other,
                };
                write!(
                    f,
                    "{} is {kind}{name} {major}.{minor}, and modules with the stable ABI are built with \
                     CPython {oldest_major}.{oldest_minor} or later, with its GIL: name one with `--python`",
                    python.executable.display()
                )
            }
        }
    }
}

impl std::error::Error for PythonError {}
