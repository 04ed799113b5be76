//! How long C uses an argument: `keep(x)`, `replace(x, name)`, `until(f)`.
//!
//! Purpose: combine these words, which may be in any order, to a [`Retention`].
//! Invariant: words that contradict each other are reported once, and have no meaning.
//! Reason: they are the same for callbacks and for all other arguments.

use super::lexer::Token;
use super::{brackets, owner};
use fishplate_model::{
    Argument, CResult, Code, Diagnostic, Lifetime, Passing, PerArgument, Retention, Span, Spanned,
};

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

/// Parses the words at the beginning of an argument, of which it returns the number of tokens.
pub(crate) fn read(tokens: &[Token<'_>], diagnostics: &mut Vec<Diagnostic>) -> (Retention, usize) {
    let (mut words, mut keeps) = (Words::default(), Vec::new());
    let end = length(tokens);
    let mut at = 0;
    while at < end {
        if tokens[at].is_word("keep") {
            let close = at + 1 + brackets::closing(&tokens[at + 1..]);
            keeps = owner::names(&tokens[at..=close], diagnostics);
            at = close + 1;
        } else {
            at += words.read(&tokens[at..], diagnostics);
        }
    }
    (words.retention(&keeps, diagnostics), end)
}

/// The number of tokens of these words at the beginning of an argument.
pub(crate) fn length(tokens: &[Token<'_>]) -> usize {
    let mut at = 0;
    let mut has_until = false;
    while let Some(word) = tokens.get(at) {
        let is_one = ["keep", "replace", "until"].iter().any(|one| word.is_word(one));
        has_until |= word.is_word("until");
        at += match owner::has_brackets(&tokens[at..]) {
            true if is_one => brackets::closing(&tokens[at + 1..]) + 2,
            false if has_until && word.is_word("replace") => 1,
            _ => break,
        };
    }
    at
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

/// An object that C retains for a new object is one that the new object keeps: `keep(result) plan *p` is `keep(p)` before
/// the result.
pub(crate) fn move_objects(result: &mut CResult, arguments: &mut PerArgument<Argument>) {
    for at in arguments.keys() {
        let argument = &arguments[at];
        let is_object = argument.passing == Passing::Value && argument.ctype.handle().is_some();
        let Some(made) = argument.retention.handle().filter(|_| is_object) else { continue };
        if argument.retention.replaces {
            continue;
        }
        let name = argument.name.clone();
        let owner = arguments.position(|other| other.name.value == made.value);
        let keeps = match (owner, &mut *result) {
            (Some(owner), _) => match &mut arguments[owner].passing {
                Passing::OutPointer(pointer) => &mut pointer.keeps,
                _ => continue,
            },
            (None, CResult::Pointer(returned)) if made.value == "result" => {
                &mut returned.out_pointer.keeps
            }
            (None, _) => continue,
        };
        keeps.push(name);
        arguments[at].retention = Retention::default();
    }
}
