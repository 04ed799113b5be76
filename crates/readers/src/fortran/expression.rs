//! Sizes of arrays.
//!
//! Purpose: the extents of `x(n, 0:m-1)` as expressions of an interface.
//! Invariant: every name is an argument, or a constant whose value replaces it.
//! Reason: an interface knows nothing of modules.

use super::source::Procedure;
use crate::f2py::text::{brackets, replace, split};

/// An extent of an array.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// A size.
    Size(String),
    /// `:`, whose size the caller's array has.
    Assumed,
    /// `*`, whose size Fortran does not know.
    Unknown,
}

/// The extent that a dimension declares.
pub(super) fn extent(dimension: &str, procedure: &Procedure) -> Result<Extent, String> {
    let known = |text: &str| size(text, procedure);
    Ok(match split(dimension, ':').as_slice() {
        ["*"] | [_, "*"] => Extent::Unknown,
        ["", ""] | [_, ""] => Extent::Assumed,
        ["1", upper] => Extent::Size(known(upper)?),
        ["0", upper] => match upper.replace(' ', "").strip_suffix("-1") {
            Some(size) => Extent::Size(known(size)?),
            None => Extent::Size(format!("{} + 1", known(upper)?)),
        },
        [lower, upper] => Extent::Size(format!("{} - ({}) + 1", known(upper)?, known(lower)?)),
        [upper] => Extent::Size(known(upper)?),
        _ => return Err(format!("the size `{dimension}` is not understood")),
    })
}

fn size(text: &str, procedure: &Procedure) -> Result<String, String> {
    if text.contains("**") || text.contains(['%', '\'', '"', '.']) {
        return Err(format!("the size `{text}` has no equal in C"));
    }
    let mut problem = None;
    let found = replace(&without_kinds(text), &mut |word, rest| {
        let is_number = word.starts_with(|c: char| c.is_ascii_digit());
        if is_number || procedure.arguments.iter().any(|one| one == word) {
            return None;
        }
        let constant = || procedure.variables.get(word).and_then(|one| one.value.as_ref());
        if word == "size"
            && let Some((inside, behind)) = brackets(rest)
        {
            let length = rest.len() - behind.len();
            return match split(inside, ',').as_slice() {
                [array] => Some((format!("size({array})"), length)),
                [array, axis] => {
                    let axis: Option<usize> = axis.parse().ok();
                    Some((format!("shape({array}, {})", axis?.checked_sub(1)?), length))
                }
                _ => None,
            };
        }
        if ["min", "max"].contains(&word) {
            let (inside, behind) = brackets(rest)?;
            let parts = split(inside, ',');
            let (last, first) = parts.split_last()?;
            let mut known = |text: &str| {
                size(text, procedure).unwrap_or_else(|reason| {
                    problem = Some(reason);
                    String::new()
                })
            };
            let last = known(last);
            let all = first
                .iter()
                .rev()
                .fold(last, |rest, one| format!("{word}({}, {rest})", known(one)));
            return Some((all, rest.len() - behind.len()));
        }
        match constant().map(|value| without_kinds(value).parse::<u64>()) {
            Some(Ok(value)) => Some((value.to_string(), 0)),
            _ => {
                problem = Some(format!(
                    "the size `{text}` depends on `{word}`, which is not an argument"
                ));
                None
            }
        }
    });
    problem.map_or(Ok(found), Err)
}

/// The text without the kinds of numbers, `3_ip`, which do not matter in a size.
fn without_kinds(text: &str) -> String {
    let mut made = String::new();
    let mut is_kind = false;
    for c in text.chars() {
        let is_part = c.is_ascii_alphanumeric() || c == '_';
        let word = made.rsplit(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next();
        let is_number = word.is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()));
        is_kind = is_part && (is_kind || (c == '_' && is_number));
        if !is_kind {
            made.push(c);
        }
    }
    made
}
