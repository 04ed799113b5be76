//! Values of a configuration: booleans, and keywords.
//!
//! Purpose: the same messages for every key with such values.
//! Invariant: a faulty value is reported and counts as absent.
//! Reason: a misspelt kind that is ignored changes which calls a kernel accepts.

use super::document::{Entry, Value};
use crate::names;
use fishplate_model::{Code, Diagnostic, Ellipses, Kind, Spanned};

/// A boolean, as `getboolean` of Python's configparser reads it.
pub(super) fn boolean(entry: &Entry, diagnostics: &mut Vec<Diagnostic>) -> Option<bool> {
    let written = entry.value.whole();
    match written.value.to_ascii_lowercase().as_str() {
        "1" | "yes" | "true" | "on" => Some(true),
        // A key without a value counts as absent.
        "0" | "no" | "false" | "off" | "" => Some(false),
        _ => {
            let (key, shown) = (&entry.key.value, names::short(&written.value, 40));
            diagnostics.push(Diagnostic::error(
                Code::BAD_SETTING,
                written.span,
                format!("`{key}` is true or false, not `{shown}`"),
                format!("write `{key}: true` or `{key}: false`"),
            ));
            None
        }
    }
}

/// The entries that a file skips. The first configuration that xndtools writes has a comment there,
/// which is to be removed.
pub(super) fn skip(entry: &Entry, diagnostics: &mut Vec<Diagnostic>) -> bool {
    entry.value.text.trim_start().starts_with('#') || boolean(entry, diagnostics).unwrap_or(false)
}

/// The values for a list of keywords.
fn chosen<T: Copy>(
    key: &str,
    value: &Value,
    choices: &[(&str, T)],
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<T> {
    let mut all = Vec::new();
    for word in value.parts(|c| c == ',' || c == '\n') {
        if let Some((_, choice)) = choices.iter().find(|(name, _)| *name == word.value) {
            all.push(*choice);
            continue;
        }
        let words: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        let shown = names::short(&word.value, 40);
        let hint = if word.value.contains(['#', ';']) {
            "write a comment on its own line".to_owned()
        } else {
            match names::closest(&word.value, words.iter().copied()) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("write {}", names::list(&words, "or")),
            }
        };
        let message = format!("`{key}` cannot be `{shown}`");
        diagnostics.push(Diagnostic::error(Code::BAD_SETTING, word.span, message, hint));
    }
    all
}

/// `C, Fortran, Xnd`; an empty list has none.
pub(super) fn kinds(value: &Value, diagnostics: &mut Vec<Diagnostic>) -> Spanned<Vec<Kind>> {
    let choices = [
        ("C", Kind::C),
        ("Fortran", Kind::Fortran),
        ("Xnd", Kind::Strided),
        ("Strided", Kind::Strided),
    ];
    let mut kinds = chosen("kinds", value, &choices, diagnostics);
    kinds.sort_unstable();
    kinds.dedup();
    Spanned::new(kinds, value.span())
}

/// `none`, `...` and `var...`, in source order.
#[derive(Clone, Copy, Default)]
pub(super) struct Dots {
    fixed: bool,
    ragged: bool,
}

impl Dots {
    /// The default of a configuration.
    pub(super) const DEFAULT: Dots = Dots { fixed: true, ragged: false };
}

/// Reads `ellipses`; an empty list counts as absent.
pub(super) fn ellipses(value: &Value, diagnostics: &mut Vec<Diagnostic>) -> Option<Dots> {
    let choices = [
        ("none", Dots::default()),
        ("...", Dots { fixed: true, ragged: false }),
        ("var...", Dots { fixed: false, ragged: true }),
    ];
    let dots = chosen("ellipses", value, &choices, diagnostics);
    let both = |all: Dots, one: &Dots| Dots {
        fixed: all.fixed || one.fixed,
        ragged: all.ragged || one.ragged,
    };
    (!dots.is_empty()).then(|| dots.iter().fold(Dots::default(), both))
}

/// The arrays to which `...` applies: `symbolic` ones, `variable` ones, or both.
#[derive(Clone, Copy)]
pub(super) struct ArrayTypes {
    symbolic: bool,
    variable: bool,
}

impl ArrayTypes {
    /// The default of a configuration.
    pub(super) const DEFAULT: ArrayTypes = ArrayTypes { symbolic: true, variable: false };
}

/// Reads `arraytypes`; an empty list counts as absent.
pub(super) fn array_types(value: &Value, diagnostics: &mut Vec<Diagnostic>) -> Option<ArrayTypes> {
    let choices = [("symbolic", true), ("variable", false)];
    let types = chosen("arraytypes", value, &choices, diagnostics);
    (!types.is_empty())
        .then(|| ArrayTypes { symbolic: types.contains(&true), variable: types.contains(&false) })
}

/// The combination of the two: `...` over variable arrays is `var...`.
pub(super) fn mapping(dots: Dots, types: ArrayTypes) -> Ellipses {
    Ellipses {
        broadcast: dots.fixed && types.symbolic,
        ragged: dots.ragged || (dots.fixed && types.variable),
    }
}
