//! Errors in nodes.

use std::fmt;

/// The reason why a node cannot be created: the exception that a host raises, and a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The exception.
    pub kind: ErrorKind,
    /// The sentence.
    pub text: String,
}

/// The exceptions, by their names in Python.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// A dtype, a rank or an argument of the wrong type.
    Type,
    /// Shapes that do not match, values out of range.
    Value,
    /// An index out of range.
    Index,
}

impl Error {
    /// A wrong dtype, rank or type.
    pub fn kind_type(text: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Type, text: text.into() }
    }

    /// A wrong value or shape.
    pub fn value(text: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Value, text: text.into() }
    }

    /// An index out of range.
    pub fn index(text: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Index, text: text.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Error {}
