//! Names of arguments and constants, and suggestions for misspelt ones.

use fishplate_model::{Argument, Interface, Overload, PerArgument, VariableId};
use std::collections::{BTreeSet, HashMap};

/// How many names are compared with a misspelt one: each comparison takes about as long as reading an argument.
const MOST_CANDIDATES: usize = 256;

/// The index of each argument by its name; for a duplicate name, the first.
#[derive(Debug)]
pub(crate) struct Positions<'a>(HashMap<&'a str, VariableId>);

impl<'a> Positions<'a> {
    pub fn of(arguments: &'a PerArgument<Argument>) -> Self {
        let mut positions = HashMap::with_capacity(arguments.len());
        for (index, argument) in arguments.iter_enumerated() {
            positions.entry(argument.name.value.as_str()).or_insert(index);
        }
        Self(positions)
    }

    pub fn find(&self, name: &str) -> Option<VariableId> {
        self.0.get(name).copied()
    }
}

/// Capitals, as in the names of C constants: `NMAX`, `FFT_SIZE`, also as the last word:
/// `crypto_box_KEYBYTES`.
pub(crate) fn is_constant(name: &str) -> bool {
    let capitals = |word: &str| {
        word.len() > 1
            && word.contains(|c: char| c.is_ascii_uppercase())
            && !word.contains(|c: char| c.is_ascii_lowercase())
    };
    capitals(name) || name.rsplit('_').next().is_some_and(capitals)
}

/// The names that headers define: declared in the interface's tables of constants and enumerators,
/// or found by its front end.
#[derive(Debug, Default)]
pub(crate) struct Constants<'a>(BTreeSet<&'a str>);

impl<'a> Constants<'a> {
    pub fn of(interface: &'a Interface) -> Self {
        let enumerators = interface.enums.iter().flat_map(|one| &one.values);
        Self(
            interface
                .constants
                .iter()
                .chain(enumerators)
                .map(|one| one.value.value.trim())
                .chain(interface.header_constants.iter().map(String::as_str))
                .collect(),
        )
    }

    /// In place of constants: the arguments of the calls that take a callback.
    pub fn of_calls(overloads: &[&'a Overload]) -> Self {
        let arguments = overloads.iter().flat_map(|overload| &overload.arguments);
        Self(arguments.map(|argument| argument.name.value.as_str()).collect())
    }

    /// The name may be one of a header's constants; the compiler decides.
    pub fn contains(&self, name: &str) -> bool {
        is_constant(name) || self.0.contains(name)
    }

    /// The names that the interface declares.
    pub fn listed(&self) -> impl Iterator<Item = &'a str> {
        self.0.iter().copied()
    }
}

/// A capital, such as `I` of <complex.h>.
pub(crate) fn is_constant_letter(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase())
}

/// The help "did you mean", if one of the names is close.
pub(crate) fn suggestion<'a>(
    name: &str,
    candidates: impl Iterator<Item = &'a str>,
) -> Option<String> {
    candidates
        .take(MOST_CANDIDATES)
        .map(|candidate| (strsim::jaro_winkler(name, candidate), candidate))
        .filter(|(score, _)| *score > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| format!("did you mean `{candidate}`?"))
}
