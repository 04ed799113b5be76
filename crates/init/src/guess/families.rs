//! Families of functions with a macro that selects one member.
//!
//! Purpose: `#define pcre2_compile pcre2_compile_8` selects one of `pcre2_compile_8`, `_16` and
//! `_32`; `#define mpz_init __gmpz_init` is the public name of an internal one.
//! Invariant: a member is omitted only if a macro names another member of the same form.
//! Reason: a program uses one member, by the macro's name, and a library often defines no other.

use fishplate_readers::names;
use std::collections::BTreeMap;

/// The maximal length of a member's suffix: `_utf8` is one, a word is not.
const LONGEST: usize = 5;

/// The macros that expand to a longer name.
#[derive(Debug, Default)]
pub(crate) struct Families<'a> {
    /// The name that each macro selects.
    selected: BTreeMap<&'a str, &'a str>,
    /// The macros of internal names: `mpz_init` of `__gmpz_init`.
    internal: BTreeMap<&'a str, &'a str>,
}

impl<'a> Families<'a> {
    /// `answers`: the replacement of each macro.
    pub(crate) fn new(answers: &'a BTreeMap<String, String>) -> Self {
        let is_member = |(name, value): &(&str, &str)| {
            (name.len() + 1..=name.len() + LONGEST).contains(&value.len())
                && value.starts_with(name)
                && names::is_identifier(value)
        };
        let pairs = answers.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let internal = pairs
            .clone()
            .filter(|(_, value)| value.starts_with('_') && names::is_identifier(value));
        Families {
            internal: internal.map(|(name, value)| (value, name)).collect(),
            selected: pairs.filter(is_member).collect(),
        }
    }

    /// The macro for this name, which is its public name; otherwise the name.
    pub(crate) fn name<'n>(&self, c_name: &'n str) -> &'n str
    where
        'a: 'n,
    {
        self.member(c_name, |selected| selected == c_name).map_or(c_name, |(name, _)| name)
    }

    /// The macro by which programs call this function, if its own name is internal; otherwise the name.
    pub(crate) fn public_name<'n>(&self, c_name: &'n str) -> &'n str
    where
        'a: 'n,
    {
        self.internal.get(c_name).copied().unwrap_or(c_name)
    }

    /// The macro that selects another member of the family of this name, and that member.
    pub(crate) fn other(&self, c_name: &str) -> Option<(&'a str, &'a str)> {
        if self.member(c_name, |selected| selected == c_name).is_some() {
            return None;
        }
        self.member(c_name, |selected| selected != c_name)
    }

    /// The macro with which a name begins, and its replacement, if both names have the same form
    /// after it.
    fn member(&self, c_name: &str, holds: impl Fn(&str) -> bool) -> Option<(&'a str, &'a str)> {
        let starts = (1..c_name.len()).rev().filter(|end| c_name.is_char_boundary(*end));
        let macros = starts.filter_map(|end| self.selected.get_key_value(&c_name[..end]));
        let is_alike = |name: &str, selected: &str| {
            form(&c_name[name.len()..]) == form(&selected[name.len()..])
        };
        macros
            .map(|(name, selected)| (*name, *selected))
            .find(|(name, selected)| is_alike(name, selected) && holds(selected))
    }
}

/// The character classes of a suffix: `_0` for `_8` and `_16`.
fn form(ending: &str) -> String {
    let kind = |c: char| match c {
        '0'..='9' => '0',
        'a'..='z' => 'a',
        'A'..='Z' => 'A',
        other => other,
    };
    let mut form: Vec<char> = ending.chars().map(kind).collect();
    form.dedup();
    form.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_select_members() {
        let pairs = [
            ("p_open", "p_open_8"),
            ("Load", "LoadW"),
            ("MAX", "10"),
            ("one", "two"),
            ("m_init", "__m_init"),
            ("p", "p_long_name"),
        ];
        let answers = pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        let families = Families::new(&answers);
        for (c_name, name, other) in [
            ("p_open_8", "p_open", None),
            ("p_open_16", "p_open_16", Some(("p_open", "p_open_8"))),
            ("LoadW", "Load", None),
            ("LoadA", "LoadA", Some(("Load", "LoadW"))),
            ("Loader", "Loader", None),
            ("p_open_file", "p_open_file", None),
            ("two", "two", None),
            ("p_x", "p_x", None),
            ("__m_init", "__m_init", None),
        ] {
            assert_eq!((families.name(c_name), families.other(c_name)), (name, other), "{c_name}");
        }
        assert_eq!(families.public_name("__m_init"), "m_init");
        assert_eq!(families.public_name("p_open_8"), "p_open_8");
    }
}
