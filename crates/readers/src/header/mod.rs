//! C headers.
//!
//! Purpose: an annotated header to an interface ([`read`]), and what any header declares, for first interfaces
//! and messages.
//! Invariant: pure: the caller runs the C preprocessor and reads the files; a reader that finds
//! something odd says so and goes on.
//! Reason: only the preprocessor knows what a header declares here and now, and only the header
//! itself knows where that was written.

mod annotated;
pub mod bodies;
mod broken;
pub mod comments;
pub mod declarator;
pub mod doxygen;

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

/// What the preprocessor reads instead of it, so that a reader finds the annotations again.
pub const READING: &str = include_str!("../../include/reading.h");

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

/// The function of a preprocessed text that was likely meant by this name: one that is spelt nearly so, or
/// one with a prefix or an ending more.
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

/// A module's name that looks like a file's.
pub fn module_name(stem: &str) -> String {
    crate::names::identifier_like(stem)
}

/// Advice about prototypes in the words of headers: `FP_OUT` for `out`.
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
