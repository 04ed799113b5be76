//! C headers.
//!
//! Purpose: a first interface of plain headers ([`draft`]).
//! Invariant: pure: the caller runs the C preprocessor and reads the files; a reader that finds
//! something odd says so and goes on.
//! Reason: only the preprocessor knows what a header declares here and now, and only the header
//! itself knows where that was written.

mod comments;
mod declarator;
mod draft;
mod guess;
mod mask;
mod meaning;
mod preprocessed;
mod syntax;

pub use draft::{Draft, DraftFunction, DraftModule, LeftOut, draft};

/// A header whose own declarations are read.
#[derive(Clone, Debug, Default)]
pub struct Header {
    /// What people call it: `zlib.h`.
    pub name: String,
    /// The names that the preprocessor's line markers give it.
    pub markers: Vec<String>,
    /// Its text, before the preprocessor.
    pub text: String,
}

/// Every file whose text is in what the preprocessor printed, by the names that it gave them.
pub fn files(printed: &str) -> Vec<String> {
    preprocessed::Preprocessed::new(printed).files().to_vec()
}

/// A module's name that looks like a file's.
pub fn module_name(stem: &str) -> String {
    crate::names::identifier_like(stem)
}
