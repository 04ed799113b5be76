//! Why a program cannot be linked.

use std::fmt;

/// An error of a type or an op. A host can extract its own exception from it.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

/// Why a program cannot be linked.
#[derive(Debug)]
pub enum LinkError {
    /// A type or an op has no C code.
    NoCode {
        /// `Type of x cannot produce C code`
        message: String,
        /// The node, for an op.
        node: Option<usize>,
    },
    /// The program is invalid: for example, a variable has no source.
    Program(String),
    /// Two of them require different compilers.
    Compilers {
        /// The first, with its compiler.
        first: (String, String),
        /// The second, with its compiler.
        second: (String, String),
    },
    /// A method of a type or an op failed.
    User {
        /// `Double.c_extract of x`
        what: String,
        /// The node, for an op.
        node: Option<usize>,
        /// The error.
        error: Error,
    },
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LinkError::NoCode { message, .. } | LinkError::Program(message) => f.write_str(message),
            LinkError::Compilers { first, second } => write!(
                f,
                "{} asks for the compiler {}, but {} for {}: one function has one compiler",
                first.0, first.1, second.0, second.1
            ),
            LinkError::User { what, error, .. } => write!(f, "{what}: {error}"),
        }
    }
}

impl std::error::Error for LinkError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            LinkError::User { error, .. } => Some(error.as_ref()),
            _ => None,
        }
    }
}
