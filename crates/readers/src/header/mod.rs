//! C headers.
//!
//! Purpose: translate an annotated header to an interface ([`read`]), and list the declarations of
//! any header, for drafts and messages.
//! Invariant: pure: the caller runs the C preprocessor and reads the files; anything unusual is
//! reported and skipped.
//! Reason: only the preprocessor can determine the declarations of a header, and only the header
//! itself has their places.

mod annotated;
pub mod bodies;
mod broken;
pub mod comments;
pub mod declarator;
pub mod doxygen;
pub mod language;

pub mod macros;
pub mod mask;
pub mod meaning;
mod misplaced;
mod module;
mod places;
pub mod preprocessed;
mod prototype;
pub mod syntax;

pub use annotated::read;
pub use broken::NOT_CXX;
pub(crate) use mask::extension;
pub use module::{Preamble, preamble};

/// `fishplate.h`: one empty macro for each annotation.
pub const ANNOTATIONS: &str = include_str!("../../include/fishplate.h");

/// The file that the preprocessor reads in its place, so that annotations can be found in its
/// output.
pub const READING: &str = include_str!("../../include/reading.h");

/// A header whose own declarations are read.
#[derive(Clone, Debug, Default)]
pub struct Header {
    /// Its name in messages: `zlib.h`.
    pub name: String,
    /// Its names in the preprocessor's line markers.
    pub markers: Vec<String>,
    /// Its source, before the preprocessor.
    pub text: String,
}

/// Every file in the preprocessor's output, by the names in its markers.
pub fn files(printed: &str) -> Vec<String> {
    preprocessed::Preprocessed::new(printed).files().to_vec()
}

/// The function of a preprocessed source that was likely meant by this name: one with a similar
/// spelling, or with another prefix or suffix.
pub fn closest_function(name: &str, printed: &str) -> Option<String> {
    let preprocessed = preprocessed::Preprocessed::new(printed);
    let masked = mask::mask(&preprocessed.text);
    let unit = syntax::parse(&preprocessed.text, &masked);
    let functions = || unit.functions.iter().map(|function| function.name);
    let longer = |other: &&str| {
        let rest = other.strip_suffix(name);
        name.len() > 2
            && (other.starts_with(name) || rest.is_some_and(|prefix| prefix.ends_with('_')))
    };
    crate::names::closest(name, functions())
        .or_else(|| functions().filter(longer).min_by_key(|other| other.len()))
        .map(str::to_owned)
}

/// A module name derived from a file name.
pub fn module_name(stem: &str) -> String {
    crate::names::identifier_like(stem)
}

/// Advice about prototypes in the terms of headers: `FP_OUT` for `out`.
pub fn in_words_of_headers(hint: &str) -> String {
    let pairs = ["inplace", "inout", "in"].map(|word| {
        let name = prototype::macro_of(word).unwrap_or_default();
        (format!("`{word} out`"), format!("`{name} FP_OUT`"))
    });
    let mut hint = pairs.iter().fold(hint.to_owned(), |hint, (from, to)| hint.replace(from, to));
    if let Some((before, rest)) = hint.split_once(", or, if a header defines it, list it: ")
        && let Some(name) = rest.split('"').nth(1)
    {
        hint = format!("{before}, or define it: `#define {name} 8`");
    }
    for part in hint.clone().split('`').skip(1).step_by(2) {
        if let Some(name) = prototype::macro_of(part) {
            hint = hint.replace(&format!("`{part}`"), &format!("`{name}`"));
        } else if let Some(value) = part.strip_prefix("= ") {
            hint = hint.replace(&format!("`{part}`"), &format!("`FP_DEFAULT({value})`"));
        }
    }
    hint
}

#[cfg(test)]
mod tests;
