//! One dimension in its brackets: `[n]`, `[capacity : length]`, `[lengths[]]`, `[...]`.

use super::expression;
use super::lexer::{Kind, Token};
use super::types::Types;
use fishplate_model::{Diagnostic, Expr, Spanned};

/// The content of the brackets.
pub(crate) enum Dimension {
    /// Nothing, or `*`: any size.
    Open,
    /// An expression, and the one after a `:`.
    Sized(Expr, Option<Expr>),
    /// `lengths[]`: a size of each row, or of each dimension, in an array.
    Listed(Spanned<String>),
    /// `...`: any number of dimensions.
    Any,
}

/// Reads the tokens from `[` to the matching `]`.
pub(crate) fn parse(tokens: &[Token<'_>], types: &Types) -> Result<Dimension, Box<Diagnostic>> {
    let inside = &tokens[1..tokens.len() - 1];
    // C99 allows `x[static n]` and `x[restrict n]` here; neither changes the shape.
    let skipped = inside
        .iter()
        .take_while(|token| matches!(token.text, "static" | "restrict" | "const"))
        .count();
    match &inside[skipped..] {
        [] => Ok(Dimension::Open),
        [star] if star.is("*") => Ok(Dimension::Open),
        [dots] if dots.is("...") => Ok(Dimension::Any),
        [name, open, close] if name.kind == Kind::Word && open.is("[") && close.is("]") => {
            Ok(Dimension::Listed(Spanned::new(name.text.to_owned(), name.span)))
        }
        inside => match colon(inside) {
            None => expression::parse(inside, types).map(|expr| Dimension::Sized(expr, None)),
            Some(at) if at == 0 || at + 1 == inside.len() => Err(Box::new(Diagnostic::error(
                fishplate_model::Code::PROTO_SYNTAX,
                inside[at].span,
                "missing size next to `:`",
                "write how many elements there may be, and how many there are after the call, as in \
                 `x[capacity : n]`",
            ))),
            Some(at) => {
                let capacity = expression::parse(&inside[..at], types)?;
                let length = expression::parse(&inside[at + 1..], types)?;
                Ok(Dimension::Sized(capacity, Some(length)))
            }
        },
    }
}

/// The first `:` that belongs to no `?`.
fn colon(tokens: &[Token<'_>]) -> Option<usize> {
    let (mut depth, mut questions) = (0usize, 0usize);
    for (index, token) in tokens.iter().enumerate() {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            "?" if depth == 0 => questions += 1,
            ":" if depth == 0 && questions == 0 => return Some(index),
            ":" if depth == 0 => questions -= 1,
            _ => {}
        }
    }
    None
}
