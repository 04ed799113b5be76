//! The words in names.
//!
//! Purpose: split `gsl_rng_free` and `XML_ParserFree` into words, find common prefixes, and choose
//! names of classes.
//! Invariant: names are only split at word boundaries, and never so that nothing is left.
//! Reason: libraries express in names what C cannot declare: which functions belong together, and
//! which ones create and free an object.

use super::families::Families;
use crate::Reserved;
use std::collections::{BTreeMap, BTreeSet};

/// The words of a name, as spelled.
pub(super) fn words(name: &str) -> Vec<&str> {
    let cuts: Vec<usize> = (1..name.len()).filter(|at| begins(name, *at)).collect();
    let starts = std::iter::once(0).chain(cuts.iter().copied());
    let ends = cuts.iter().copied().chain([name.len()]);
    let word = |(start, end)| name.get(start..end).unwrap_or_default().trim_matches('_');
    starts.zip(ends).map(word).filter(|word| !word.is_empty()).collect()
}

/// The words of a name in lower case.
pub(crate) fn lower_words(name: &str) -> Vec<String> {
    words(name).into_iter().map(str::to_ascii_lowercase).collect()
}

/// True at the beginning of a word in the name: after `_`, at `aB`, and at the `B` of `AAb` and `A8Bc`.
fn begins(name: &str, at: usize) -> bool {
    let bytes = name.as_bytes();
    let (before, here) = (bytes[at - 1], bytes[at]);
    let next = bytes.get(at + 1).copied().unwrap_or_default();
    before == b'_' && here != b'_'
        || here.is_ascii_uppercase()
            && (before.is_ascii_lowercase()
                || (before.is_ascii_uppercase() || before.is_ascii_digit())
                    && next.is_ascii_lowercase())
}

/// The common prefix of all names whose removal leaves a valid name.
pub(super) fn prefix<'n>(names: &[&'n str], good: &dyn Fn(&str) -> bool) -> &'n str {
    let Some(first) = names.first() else { return "" };
    let same = |name: &&str| {
        let pairs = first.bytes().zip(name.bytes());
        pairs.take_while(|(one, other)| one == other).count()
    };
    let longest = names.iter().map(same).min().unwrap_or_default();
    let fits = |at: &usize| {
        names
            .iter()
            .all(|name| *at < name.len() && begins(name, *at) && name.get(*at..).is_some_and(good))
    };
    let at = (1..=longest).rev().find(fits).unwrap_or_default();
    first.get(..at).unwrap_or_default()
}

/// The first words of a name, as far as they are good, without regard to case.
pub(super) fn beginning<'n>(name: &'n str, good: &dyn Fn(&str) -> bool) -> &'n str {
    let ends = (1..=name.len()).filter(|at| *at == name.len() || begins(name, *at));
    let fits = |at: &usize| lower_words(&name[..*at]).iter().all(|word| good(word));
    ends.take_while(fits).last().map_or("", |at| &name[..at])
}

/// The first word of most names: `gsl`. Empty if there are too few names.
pub(super) fn library<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut all = 0;
    for name in names {
        if let [first, _, ..] = lower_words(name).as_slice() {
            *counts.entry(first.clone()).or_default() += 1;
        }
        all += 1;
    }
    let most = counts.into_iter().max_by_key(|(_, count)| *count);
    most.filter(|(_, count)| 2 * count > all).map(|(word, _)| word).unwrap_or_default()
}

/// Suffixes of C's type names that only mark them as types.
const ENDINGS: &[&str] = &["t", "s", "st", "tag", "struct", "ptr", "impl"];

/// Some word of a name is in one of these lists.
pub(super) fn has_word(name: &str, list: &[&str]) -> bool {
    lower_words(name).iter().any(|word| list.contains(&word.as_str()))
}

/// The words of a type's name that identify it.
pub(super) fn type_words(name: &str) -> Vec<&str> {
    let mut words = words(name);
    while words.len() > 1 && words.last().is_some_and(|last| ENDINGS.contains(last)) {
        words.pop();
    }
    words
}

/// Names of classes, each used once.
pub(super) struct ClassNames<'f> {
    library: String,
    taken: BTreeSet<String>,
    families: &'f Families<'f>,
    /// No class has this name.
    pub(super) reserved: Reserved,
}

impl<'f> ClassNames<'f> {
    /// `taken` are the names that the module uses for something else.
    pub(super) fn new<'n>(
        library: &str,
        taken: impl Iterator<Item = &'n str>,
        families: &'f Families<'f>,
        reserved: Reserved,
    ) -> Self {
        let taken = taken.map(str::to_owned).collect();
        ClassNames { library: library.to_owned(), taken, families, reserved }
    }

    /// `Rng` for `gsl_rng`: without the library's own name, unless it is the only word or another
    /// class has the name.
    pub(super) fn name(&mut self, ctype: &str) -> Option<String> {
        let words = type_words(self.families.name(ctype));
        let without = match words.as_slice() {
            // A letter is no name of a library: `QRcode`, whose words are `Q` and `Rcode`.
            [first, rest @ ..]
                if !rest.is_empty()
                    && first.len() > 1
                    && first.eq_ignore_ascii_case(&self.library) =>
            {
                rest
            }
            all => all,
        };
        let good = |name: &String| self.is_free(name);
        let name = [without, &words].into_iter().map(camel).find(good)?;
        self.taken.insert(name.clone());
        Some(name)
    }
}

impl ClassNames<'_> {
    fn is_free(&self, name: &str) -> bool {
        self.reserved.allows(name) && !self.taken.contains(name)
    }

    /// The name itself, for a class that prototypes spell by its name.
    pub(super) fn same(&mut self, name: &str) -> Option<String> {
        self.is_free(name).then(|| {
            self.taken.insert(name.to_owned());
            name.to_owned()
        })
    }
}

/// The name of a class of these words.
pub(super) fn camel(words: &[&str]) -> String {
    let one = |word: &&str| {
        let is_shouted = word.len() > 3 && !word.contains(|c: char| c.is_ascii_lowercase());
        let rest = word.get(1..).unwrap_or_default();
        let rest = if is_shouted { rest.to_ascii_lowercase() } else { rest.to_owned() };
        word.get(..1).unwrap_or_default().to_ascii_uppercase() + &rest
    };
    words.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_end_where_people_see_it() {
        assert_eq!(words("gsl_rng_free"), ["gsl", "rng", "free"]);
        assert_eq!(words("XML_ParserFree"), ["XML", "Parser", "Free"]);
        assert_eq!(words("XMLParse_2d"), ["XML", "Parse", "2d"]);
        assert_eq!(words("__sqlite3__"), ["sqlite3"]);
    }

    #[test]
    fn prefixes_end_with_a_word() {
        let any = |_: &str| true;
        assert_eq!(prefix(&["COLOR_RED", "COLOR_REDDISH"], &any), "COLOR_");
        assert_eq!(prefix(&["CblasRowMajor", "CblasRight"], &any), "Cblas");
        assert_eq!(prefix(&["A_1", "A_2"], &|rest| !rest.starts_with(['1', '2'])), "");
        assert_eq!(prefix(&["one", "other"], &any), "");
        assert_eq!(prefix(&["COLOR_RED"], &any), "COLOR_");
    }

    #[test]
    fn beginnings_are_cut_where_a_word_is_no_good() {
        let good = |word: &str| matches!(word, "gsl" | "rng");
        assert_eq!(beginning("gsl_rng_", &good), "gsl_rng_");
        assert_eq!(beginning("gsl_rng_set_", &good), "gsl_rng_");
        assert_eq!(beginning("set_gsl_", &good), "");
        assert_eq!(beginning("", &good), "");
    }

    #[test]
    fn classes_are_called_as_in_python() {
        let families = Families::default();
        let mut names =
            ClassNames::new("gsl", ["Taken"].into_iter(), &families, Reserved::default());
        for (ctype, name) in [
            ("gsl_rng", Some("Rng")),
            ("gsl_rng_type", Some("RngType")),
            ("gsl", Some("Gsl")),
            ("gsl_taken", Some("GslTaken")),
            ("CBLAS_ORDER", Some("CblasOrder")),
            ("rng_t", None),
        ] {
            assert_eq!(names.name(ctype).as_deref(), name, "{ctype}");
        }
        assert_eq!(library(["a_b", "a_c", "d"].into_iter()), "a");
        assert_eq!(library(["a_b", "c", "d"].into_iter()), "");
    }
}
