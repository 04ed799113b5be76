//! Enumerations.
//!
//! Purpose: a class for each enumeration that has a name, without the common prefix of its
//! enumerators.
//! Invariant: the enumerators are those of the header, in its order.
//! Reason: the name of a member is more readable than its number.

use super::class::{Class, What};
use super::words::{self, ClassNames};
use fishplate_readers::header::bodies::Enumeration;

/// The class of an enumeration; none if it has no name.
pub(super) fn class(found: &Enumeration<'_>, names: &mut ClassNames<'_>) -> Option<Class> {
    let words = spelling(found)?;
    let values: Vec<&str> = found.values.iter().map(|value| value.name).collect();
    let prefix = words::prefix(&values, &|name| names.reserved.allows_member(name));
    if values.is_empty()
        || !values.iter().all(|name| names.reserved.allows_member(&name[prefix.len()..]))
    {
        return None;
    }
    let shifts =
        found.values.iter().filter(|one| one.value.is_some_and(|value| value.contains("<<")));
    let is_flags = 2 * shifts.count() > values.len();
    let mut remarks = Vec::new();
    if is_flags {
        remarks.push("its values are single bits and can be combined".to_owned());
    }
    let key = words.join(" ");
    Some(Class {
        name: names.name(words.last()?)?,
        key: found.tag.map_or(key, |tag| format!("enum {tag}")),
        words: words.into_iter().map(str::to_owned).collect(),
        at: Some(found.at),
        remarks,
        what: What::Enum {
            prefix: prefix.to_owned(),
            values: values.into_iter().map(str::to_owned).collect(),
            is_flags,
        },
    })
}

/// The words of its type.
pub(super) fn spelling<'t>(found: &Enumeration<'t>) -> Option<Vec<&'t str>> {
    match (found.typedef, found.tag) {
        (Some(name), _) => Some(vec![name]),
        (None, Some(tag)) => Some(vec!["enum", tag]),
        (None, None) => None,
    }
}
