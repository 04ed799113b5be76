//! The keywords before a declaration that are not types: the interface language's, and C's.
//!
//! Purpose: collect qualifiers in any order, then determine their combined meaning.
//! Invariant: an intent is returned only for keywords that agree.
//! Reason: to C programmers `const double out x` and `out const double x` are the same, so the
//! order is free, and contradictions are reported once all keywords are known.

use super::lexer::Token;
use crate::names;
use fishplate_model::{Code, Diagnostic, Intent, Span, Spanned};

/// The meaning of a word before a declaration, if it is a qualifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Qualifier {
    In,
    InPlace,
    InOut,
    Out,
    Init,
    Hidden,
    Nullable,
    Invalidates,
    Fortran,
    Bytes,
    String,
    Own,
    Borrow,
    Keep,
    Replace,
    Until,
    Data,
    Fails,
    Status,
    Const,
    /// Valid in C, without an effect here: `restrict`, `register`.
    Ignored,
    /// Valid in C, and refused: `volatile`, `_Atomic`.
    Refused,
}

impl Qualifier {
    pub(crate) fn of(word: &str) -> Option<Qualifier> {
        Some(match word {
            "in" => Qualifier::In,
            "inplace" => Qualifier::InPlace,
            "inout" => Qualifier::InOut,
            "out" => Qualifier::Out,
            "init" => Qualifier::Init,
            "hidden" => Qualifier::Hidden,
            "nullable" => Qualifier::Nullable,
            "invalidates" => Qualifier::Invalidates,
            "fortran" => Qualifier::Fortran,
            "bytes" => Qualifier::Bytes,
            "text" => Qualifier::String,
            "own" => Qualifier::Own,
            "borrow" => Qualifier::Borrow,
            "keep" => Qualifier::Keep,
            "const" | "__const" => Qualifier::Const,
            "restrict" | "__restrict" | "__restrict__" | "register" => Qualifier::Ignored,
            "volatile" | "__volatile__" | "_Atomic" => Qualifier::Refused,
            _ => return None,
        })
    }

    /// The keyword of the interface language that was likely meant by another tool's word.
    pub(crate) fn meant(word: &str) -> Option<&'static str> {
        const WORDS: [&str; 14] = [
            "in",
            "inplace",
            "inout",
            "out",
            "init",
            "hidden",
            "nullable",
            "invalidates",
            "fortran",
            "bytes",
            "text",
            "own",
            "borrow",
            "keep",
        ];
        match word.to_lowercase().as_str() {
            "output" | "intent_out" => Some("out"),
            "input" | "intent_in" => Some("in"),
            "optional" => Some("nullable"),
            other => names::closest(other, WORDS).filter(|word| word.len() > 2),
        }
    }

    /// A keyword of the interface language; C may use it as a name.
    pub(crate) fn is_ours(self) -> bool {
        !matches!(self, Qualifier::Const | Qualifier::Ignored | Qualifier::Refused)
    }

    pub(crate) fn is_intent(self) -> bool {
        matches!(
            self,
            Qualifier::In
                | Qualifier::InPlace
                | Qualifier::InOut
                | Qualifier::Out
                | Qualifier::Hidden
        )
    }
}

/// The qualifiers of one argument, each once.
#[derive(Debug, Default)]
pub(crate) struct Qualifiers {
    seen: Vec<(Qualifier, Span)>,
}

impl Qualifiers {
    /// Records one, and reports it if it is refused or a duplicate.
    pub(crate) fn add(
        &mut self,
        qualifier: Qualifier,
        token: Token<'_>,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let before = self.place(qualifier);
        if qualifier == Qualifier::Refused {
            diagnostics.push(Diagnostic::error(
                Code::UNSUPPORTED_TYPE,
                token.span,
                format!("`{}` arguments are not supported", token.text),
                "write a C function without it, and wrap that",
            ));
        } else if let (true, Some(before)) = (qualifier.is_ours(), before) {
            diagnostics.push(
                Diagnostic::error(
                    Code::BAD_QUALIFIERS,
                    token.span,
                    format!("duplicate `{}`", token.text),
                    "remove one of the two",
                )
                .also(before, "first specified here"),
            );
        } else if before.is_none() {
            self.seen.push((qualifier, token.span));
        }
    }

    /// Its place.
    pub(crate) fn place(&self, qualifier: Qualifier) -> Option<Span> {
        self.seen.iter().find(|(seen, _)| *seen == qualifier).map(|(_, span)| *span)
    }

    /// The combined meaning of the intent keywords.
    pub(crate) fn intent(&self, diagnostics: &mut Vec<Diagnostic>) -> Option<Spanned<Intent>> {
        let words: Vec<(Qualifier, Span)> =
            self.seen.iter().copied().filter(|(word, _)| word.is_intent()).collect();
        let (_, first) = *words.first()?;
        let span = words.iter().fold(first, |span, (_, next)| span.to(*next));
        let mut kinds: Vec<Qualifier> = words.iter().map(|(word, _)| *word).collect();
        kinds.sort_unstable_by_key(|kind| *kind == Qualifier::Out);
        let intent = match kinds.as_slice() {
            [Qualifier::In] => Intent::In,
            [Qualifier::InPlace] => Intent::InPlace,
            [Qualifier::InOut] => Intent::InOut,
            [Qualifier::Out] | [Qualifier::Hidden, Qualifier::Out] => Intent::Out,
            [Qualifier::Hidden] => Intent::Hidden,
            [Qualifier::In, Qualifier::Out] => Intent::InAndOut,
            [Qualifier::InPlace, Qualifier::Out] => Intent::InPlaceAndOut,
            [Qualifier::InOut, Qualifier::Out] => Intent::InOutAndOut,
            _ => {
                let (_, last) = words[words.len() - 1];
                diagnostics.push(
                    Diagnostic::error(
                        Code::BAD_QUALIFIERS,
                        last,
                        "these intents contradict each other",
                        "write one of `in`, `inplace`, `inout` and `hidden`; only `out` may accompany one",
                    )
                    .also(first, "the other intent"),
                );
                return None;
            }
        };
        Some(Spanned::new(intent, span))
    }
}
