//! Names that the headers give to types of templates: `using Path = std::vector<Point>;`.
//!
//! Purpose: let prototypes, fields and classes of a draft have these names, which `[types]` explains.
//! Invariant: each name stands for exactly the type that it replaces, where the header writes it; a type with two names
//! keeps none.
//! Reason: a prototype is compared with the header by people, and names are shorter.

use super::declarations::{Type, Unit};
use super::{Draft, Table};
use std::collections::BTreeMap;

/// The names in a draft with their types, those of the longest types first.
#[derive(Clone, Debug, Default)]
pub(super) struct Aliases(Vec<(String, String)>);

impl Aliases {
    pub(super) fn new(unit: &Unit) -> Self {
        let mut types: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        let is_standard =
            |one: &Type| matches!(one, Type::Template(name, _) if name.starts_with("std::"));
        for (name, ctype) in unit.aliases.iter().filter(|(_, ctype)| is_standard(ctype)) {
            types.entry(ctype.to_string()).or_default().push(name);
        }
        let named = types.into_iter().filter(|(_, names)| names.len() == 1);
        let mut all: Vec<_> = named.map(|(ctype, names)| (names[0].to_owned(), ctype)).collect();
        all.sort_by_key(|(_, ctype)| std::cmp::Reverse(ctype.len()));
        Aliases(all)
    }

    /// The text with names in place of types: those that are in `written`.
    fn shorten(&self, text: &str, written: impl Fn(&String) -> bool) -> String {
        let mut text = text.to_owned();
        for (name, ctype) in self.0.iter().filter(|(name, _)| written(name)) {
            text = replace(&text, ctype, name);
        }
        text
    }

    /// The names that a draft has, with their types.
    pub(super) fn used(&self, draft: &Draft) -> Vec<(&str, String)> {
        let mut texts: Vec<String> = draft.texts().cloned().collect();
        let mut used = Vec::new();
        // A type may have the name of a shorter one.
        for (at, (name, ctype)) in self.0.iter().enumerate() {
            if texts.iter().any(|text| contains(text, name)) {
                let ctype = Aliases(self.0[at + 1..].to_vec()).shorten(ctype, |_| true);
                texts.push(ctype.clone());
                used.push((name.as_str(), ctype));
            }
        }
        used.reverse();
        used
    }
}

impl Draft {
    /// Replaces types by their names.
    pub(super) fn name_types(&mut self, unit: &Unit) {
        let aliases = Aliases::new(unit);
        for table in self.classes.iter_mut().chain(&mut self.functions) {
            table.name_types(&aliases);
        }
        self.aliases = aliases;
    }
}

impl Table {
    fn name_types(&mut self, aliases: &Aliases) {
        for one in self.protos.iter_mut().chain(&mut self.members) {
            one.text = aliases.shorten(&one.text, |name| one.names.contains(name));
        }
        for one in &mut self.fixed {
            *one = aliases.shorten(one, |_| true);
        }
    }
}

/// The places of a whole name or type in a text.
fn places<'a>(text: &'a str, part: &'a str) -> impl Iterator<Item = usize> + 'a {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    text.match_indices(part).map(|(at, _)| at).filter(move |at| {
        let ends_word = part.ends_with(is_word);
        let goes_on = ends_word && text[at + part.len()..].starts_with(is_word);
        !text[..*at].ends_with(is_word) && !goes_on
    })
}

pub(super) fn contains(text: &str, name: &str) -> bool {
    places(text, name).next().is_some()
}

fn replace(text: &str, ctype: &str, name: &str) -> String {
    let mut made = String::new();
    let mut end = 0;
    for at in places(text, ctype) {
        made += &text[end..at];
        made += name;
        end = at + ctype.len();
    }
    made + &text[end..]
}
