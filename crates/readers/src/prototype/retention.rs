//! How long C uses an argument: `keep(x)`, `replace(x, name)`, `until(f)`.
//!
//! Purpose: combine these words, which may be in any order, to a [`Retention`].
//! Invariant: words that contradict each other are reported once, and have no meaning.
//! Reason: they are the same for callbacks and for all other arguments.

use super::lexer::Token;
use super::{brackets, owner};
use fishplate_model::{Code, Diagnostic, Lifetime, Retention, Span, Spanned};

/// The words that are specific to arguments; `keep` is also a word about pointers that C returns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Words {
    /// `until(f)`: a function.
    until: Vec<Spanned<String>>,
    /// `replace`, `replace(x, name)`: its place and its names.
    replace: Option<(Span, Vec<Spanned<String>>)>,
}

impl Words {
    /// Parses `until(f)`, `replace(x)` or `replace`, and returns the number of tokens. `tokens` begin with it.
    pub(crate) fn read(
        &mut self,
        tokens: &[Token<'_>],
        diagnostics: &mut Vec<Diagnostic>,
    ) -> usize {
        if !owner::has_brackets(tokens) {
            self.replace = Some((tokens[0].span, Vec::new()));
            return 1;
        }
        let close = 1 + brackets::closing(&tokens[1..]);
        let names = owner::names(&tokens[..=close], diagnostics);
        match tokens[0].text {
            "until" => self.until = names,
            _ => self.replace = Some((tokens[0].span, names)),
        }
        close + 1
    }

    /// `until` was parsed, so that a `replace` without brackets applies to it.
    pub(crate) fn has_until(&self) -> bool {
        !self.until.is_empty()
    }

    /// Their meaning, with the names of `keep`.
    pub(crate) fn retention(
        &self,
        keeps: &[Spanned<String>],
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Retention {
        match lasting(keeps, &self.until, self.replace.as_ref()) {
            Ok((lifetime, key)) => {
                Retention { lifetime, replaces: self.replace.is_some(), key: key.to_vec() }
            }
            Err(found) => {
                diagnostics.push(*found);
                Retention::default()
            }
        }
    }
}

/// How long C uses it, and the arguments that key it, from `keep`, `until` and `replace`.
fn lasting<'n>(
    keeps: &[Spanned<String>],
    until: &[Spanned<String>],
    replace: Option<&'n (Span, Vec<Spanned<String>>)>,
) -> Result<(Lifetime, &'n [Spanned<String>]), Box<Diagnostic>> {
    let bad = |span: Span, message: &str, hint: &str| {
        Err(Box::new(Diagnostic::error(Code::BAD_QUALIFIERS, span, message, hint)))
    };
    match (keeps, until, replace) {
        ([], [], None) => Ok((Lifetime::Call, &[])),
        ([], [], Some((_, names))) if let [handle, key @ ..] = names.as_slice() => {
            Ok((Lifetime::Handle(handle.clone()), key))
        }
        ([], [], Some((span, _))) => {
            bad(*span, "`replace` needs the handle that retains it", "write `replace(x)`")
        }
        ([], [function], replace) => {
            let key = replace.map_or(&[] as &[_], |(_, names)| names);
            Ok((Lifetime::Until(function.clone()), key))
        }
        ([], [function, keys @ ..], _) => {
            let hint = format!(
                "write `until({}) replace({})`, if a later call with the same {} replaces it",
                function.value,
                listed(keys, ", "),
                listed(keys, " and ")
            );
            bad(keys[0].span, "`until` has one function, and retains what every call passes", &hint)
        }
        ([handle], [], None) => Ok((Lifetime::Handle(handle.clone()), &[])),
        ([handle, keys @ ..], [], None) => {
            let hint = format!(
                "write `replace({}, {})`, if a later call with the same {} replaces it; otherwise `keep({})`",
                handle.value,
                listed(keys, ", "),
                listed(keys, " and "),
                handle.value
            );
            bad(
                keys[0].span,
                "`keep` of an argument has one handle, and retains what every call passes",
                &hint,
            )
        }
        ([handle, ..], [], Some((span, _))) => {
            let found = Diagnostic::error(
                Code::BAD_QUALIFIERS,
                *span,
                "`keep` retains what every call passes, and `replace` the last",
                format!("write `replace({})` or `keep({})`", handle.value, handle.value),
            );
            Err(Box::new(found.also(handle.span, "retained here")))
        }
        ([handle, ..], [function, ..], _) => {
            let found = Diagnostic::error(
                Code::BAD_QUALIFIERS,
                function.span,
                "`keep` and `until` both specify how long C uses it",
                "remove one of the two",
            );
            Err(Box::new(found.also(handle.span, "first specified here")))
        }
    }
}

fn listed(names: &[Spanned<String>], between: &str) -> String {
    let names: Vec<&str> = names.iter().map(|name| name.value.as_str()).collect();
    names.join(between)
}
