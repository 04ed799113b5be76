//! The owner of C-allocated memory: `own(free)`, `borrow(x, y)`.

use super::brackets;
use super::lexer::{Kind, Token};
use crate::names;
use fishplate_model::{Code, Diagnostic, Owner, Pointee, ReturnedPointer, Spanned};

/// True if `tokens` begin with a keyword about ownership, or about a callback, and its brackets.
pub(crate) fn has_brackets(tokens: &[Token<'_>]) -> bool {
    const WORDS: [&str; 7] = ["own", "borrow", "keep", "replace", "until", "data", "fails"];
    let is_owner = |word: &Token<'_>| WORDS.iter().any(|one| word.is_word(one));
    matches!(tokens, [word, open, ..] if is_owner(word) && open.is("("))
}

/// The combined keywords about the ownership of one pointer.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Ownership {
    pub owner: Owner,
    /// The arguments that must outlive it.
    pub keeps: Vec<Spanned<String>>,
}

impl Ownership {
    /// Parses a keyword about ownership, with its brackets if it has any, and returns the number of
    /// tokens. `tokens` begin with that keyword.
    pub(crate) fn read(
        &mut self,
        tokens: &[Token<'_>],
        diagnostics: &mut Vec<Diagnostic>,
    ) -> usize {
        let word = tokens[0];
        let (found, length) = if has_brackets(tokens) {
            let close = 1 + brackets::closing(&tokens[1..]);
            (names(&tokens[..=close], diagnostics), close + 1)
        } else {
            (Vec::new(), 1)
        };
        match word.text {
            "keep" if length == 1 => diagnostics.push(Diagnostic::error(
                Code::PROTO_SYNTAX,
                word.span,
                "`keep` needs names of arguments",
                "name the arguments that must outlive the object, as in `keep(x)`",
            )),
            "keep" => self.keeps = found,
            "borrow" => self.owner = Owner::Borrowed(found),
            _ => {
                if let Some(second) = found.get(1) {
                    diagnostics.push(Diagnostic::error(
                        Code::PROTO_SYNTAX,
                        second.span,
                        "`own` has one C function",
                        "write the one that frees the memory",
                    ));
                }
                self.owner = Owner::Caller(found.into_iter().next());
            }
        }
        length
    }
}

impl Ownership {
    /// Memory of this owner.
    pub(crate) fn out_pointer(self, holds: Pointee) -> ReturnedPointer {
        ReturnedPointer { holds, owner: self.owner, keeps: self.keeps, stored: None }
    }
}

/// The names in the brackets of `own(f)`, `borrow(x, y)`, `until(f, name)`.
pub(crate) fn names(
    tokens: &[Token<'_>],
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Spanned<String>> {
    let close = tokens.len() - 1;
    let mut found = Vec::new();
    for part in tokens[2..close].split(|token| token.is(",")) {
        match part {
            [name] if name.kind == Kind::Word && !names::is_c_keyword(name.text) => {
                found.push(Spanned::new(name.text.to_owned(), name.span));
            }
            _ => {
                let (first, last) = (part.first(), part.last());
                let span = first
                    .zip(last)
                    .map_or(tokens[1].span.to(tokens[close].span), |(a, b)| a.span.to(b.span));
                let (message, hint) = match tokens[0].text {
                    "own" => (
                        "`own` needs the name of a C function",
                        "write the function that frees the memory, as in `own(free)`",
                    ),
                    "until" => (
                        "`until` needs the name of a function",
                        "write the function of this module after which C calls it no more, as in `until(reset)`",
                    ),
                    "keep" => ("`keep` needs names of arguments", "write `keep(x)`"),
                    "replace" => ("`replace` needs names of arguments", "write `replace(x)`"),
                    _ => (
                        "`borrow` needs names of arguments",
                        "write `borrow(x)`, or `borrow` alone for static memory",
                    ),
                };
                diagnostics.push(Diagnostic::error(Code::PROTO_SYNTAX, span, message, hint));
            }
        }
    }
    found
}
