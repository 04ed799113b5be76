//! Brackets: whether they match, and the tokens outside them.
//!
//! Purpose: find where a bracket closes, and the commas and `=` that belong to no bracket.
//! Invariant: [`closing`] and [`outside`] are only called for tokens in which [`unbalanced`] finds
//! nothing.
//! Reason: once brackets are known to match, a prototype can be split into parts that are parsed
//! separately.

use super::lexer::{Kind, Token};
use fishplate_model::{Code, Diagnostic};

fn is_open(token: &Token<'_>) -> bool {
    token.kind == Kind::Mark && matches!(token.text, "(" | "[" | "{")
}

fn is_close(token: &Token<'_>) -> bool {
    token.kind == Kind::Mark && matches!(token.text, ")" | "]" | "}")
}

/// The closing bracket for this one.
fn closer(open: &str) -> &'static str {
    match open {
        "(" => ")",
        "[" => "]",
        _ => "}",
    }
}

/// The first bracket that does not match.
pub(crate) fn unbalanced(tokens: &[Token<'_>]) -> Option<Diagnostic> {
    let mut open: Vec<Token<'_>> = Vec::new();
    for token in tokens {
        if is_open(token) {
            open.push(*token);
        } else if is_close(token) {
            match open.pop() {
                Some(opener) if token.is(closer(opener.text)) => {}
                Some(opener) => {
                    let message = format!("`{}` does not close `{}`", token.text, opener.text);
                    let hint = format!("write `{}` before it", closer(opener.text));
                    let found = Diagnostic::error(Code::PROTO_SYNTAX, token.span, message, hint);
                    return Some(found.also(opener.span, "opened here"));
                }
                None => {
                    let message = format!("unmatched `{}`", token.text);
                    let hint = "remove it, or open it before";
                    return Some(Diagnostic::error(Code::PROTO_SYNTAX, token.span, message, hint));
                }
            }
        }
    }
    let last = open.pop()?;
    let hint = format!("close it with `{}`", closer(last.text));
    let message = format!("`{}` is not closed", last.text);
    Some(Diagnostic::error(Code::PROTO_SYNTAX, last.span, message, hint))
}

/// The index of the bracket that closes the first token.
pub(crate) fn closing(tokens: &[Token<'_>]) -> usize {
    let mut depth = 0usize;
    let found = tokens.iter().position(|token| {
        depth += usize::from(is_open(token));
        depth = depth.saturating_sub(usize::from(is_close(token)));
        depth == 0
    });
    found.unwrap_or(tokens.len().saturating_sub(1))
}

/// The index of the first such mark outside all brackets.
pub(crate) fn outside(tokens: &[Token<'_>], mark: &str) -> Option<usize> {
    let mut depth = 0usize;
    tokens.iter().position(|token| {
        depth += usize::from(is_open(token));
        depth = depth.saturating_sub(usize::from(is_close(token)));
        depth == 0 && token.is(mark)
    })
}

/// The parts between such marks outside all brackets; at least one.
pub(crate) fn split<'s, 't>(tokens: &'s [Token<'t>], mark: &str) -> Vec<&'s [Token<'t>]> {
    let (mut parts, mut rest) = (Vec::new(), tokens);
    while let Some(at) = outside(rest, mark) {
        parts.push(&rest[..at]);
        rest = &rest[at + 1..];
    }
    parts.push(rest);
    parts
}
