//! Whose memory it is: `own(free)`, `borrow(x, y)`.

use super::brackets;
use super::lexer::{Kind, Token};
use crate::names;
use fishplate_model::{Code, Diagnostic, Owner, Spanned};

/// True where `tokens` begin with a word about ownership and its brackets.
pub(crate) fn has_brackets(tokens: &[Token<'_>]) -> bool {
    matches!(tokens, [word, open, ..] if (word.is_word("own") || word.is_word("borrow")) && open.is("("))
}

/// Reads a word about ownership, with its brackets where it has any, and says how many tokens these
/// are. `tokens` begin with that word.
pub(crate) fn parse(tokens: &[Token<'_>], diagnostics: &mut Vec<Diagnostic>) -> (Owner, usize) {
    let lends = tokens[0].is_word("borrow");
    if !has_brackets(tokens) {
        return (if lends { Owner::Lent(Vec::new()) } else { Owner::Caller(None) }, 1);
    }
    let close = 1 + brackets::closing(&tokens[1..]);
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
                let (message, hint) = if lends {
                    (
                        "`borrow` takes names of arguments",
                        "write `borrow(x)`, or `borrow` alone for memory that is always there",
                    )
                } else {
                    (
                        "`own` takes the name of a C function",
                        "write the function that frees the memory, as in `own(free)`",
                    )
                };
                diagnostics.push(Diagnostic::error(Code::PROTO_SYNTAX, span, message, hint));
            }
        }
    }
    if !lends && found.len() > 1 {
        diagnostics.push(Diagnostic::error(
            Code::PROTO_SYNTAX,
            found[1].span,
            "`own` takes one C function",
            "keep the one that frees the memory",
        ));
    }
    let owner = if lends { Owner::Lent(found) } else { Owner::Caller(found.into_iter().next()) };
    (owner, close + 1)
}
