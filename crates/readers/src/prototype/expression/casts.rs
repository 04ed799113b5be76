//! Types inside expressions: `(type) x` and `sizeof(type)`.
//!
//! Purpose: distinguish casts from values in parentheses, without headers.
//! Invariant: a type is one of C's own, declared in `[types]`, or one `..._t` word before an
//! operand.
//! Reason: C cannot be parsed without its typedefs; this follows what a person would read.

use super::{Parsed, Parser, error};
use crate::names;
use crate::prototype::lexer::{Kind, Token};
use fishplate_model::{Expr, ExprKind};

impl Parser<'_, '_> {
    /// `sizeof(type)`.
    pub(super) fn size_of(&mut self) -> Parsed<Expr> {
        self.at += 1;
        let word = self.previous();
        if self.eat("(").is_none() {
            return Err(error(word.span, "`sizeof` needs a type", "write `sizeof(double)`"));
        }
        let first = self.at;
        while self.peek().is_some_and(|token| token.kind == Kind::Word || token.is("*")) {
            self.at += 1;
        }
        let tokens = &self.tokens[first..self.at];
        if tokens.is_empty() || !self.peek_is(")") || tokens[0].is("*") {
            return Err(error(
                word.span.to(self.peek().unwrap_or(self.previous()).span),
                "the argument of `sizeof` is not a type",
                "write a type, as in `sizeof(double)`",
            ));
        }
        self.at += 1;
        let kind = ExprKind::SizeOf(spell(tokens));
        Ok(Expr::new(kind, word.span.to(self.previous().span)))
    }

    /// The number of tokens inside the current parenthesis that are a type; `None` if it contains a
    /// value.
    pub(super) fn type_in_parens(&self) -> Option<usize> {
        let inside = &self.tokens[self.at + 1..];
        let words = inside.iter().take_while(|token| token.kind == Kind::Word).count();
        let stars = inside[words..].iter().take_while(|token| token.is("*")).count();
        let after = inside.get(words + stars)?;
        if words == 0 || !after.is(")") {
            return None;
        }
        let strings: Vec<&str> = inside[..words].iter().map(|token| token.text).collect();
        let type_word = |word: &&str| {
            names::is_c_specifier(word) || matches!(*word, "struct" | "union" | "enum" | "const")
        };
        let certain = strings.iter().any(type_word)
            || self.types.find(&strings).is_some()
            || self.types.class(&strings).is_some();
        // `(n_t) x` is a cast, but `(n_t)` and `(n_t) * 2` are a value in parentheses: a cast's
        // operand must follow, and `*`, `+`, `-` read better as arithmetic on a value.
        let likely = words == 1
            && strings[0].ends_with("_t")
            && inside.get(words + stars + 1).is_some_and(|next| {
                next.kind != Kind::Mark || next.is("(") || next.is("!") || next.is("~")
            });
        (certain || likely).then_some(words + stars)
    }

    /// The current cast, with `length` tokens in its parentheses.
    pub(super) fn cast(&mut self, length: usize) -> Parsed<Expr> {
        let open = self.at;
        let inside = &self.tokens[open + 1..open + 1 + length];
        self.at += length + 2;
        if let Some(star) = inside.iter().find(|token| token.is("*")) {
            return Err(error(
                star.span,
                "an expression cannot cast to a pointer",
                "cast to a number's type, as in `(double) n`",
            ));
        }
        let inner = self.nested(Self::unary)?;
        let span = self.tokens[open].span.to(inner.span);
        Ok(Expr::new(ExprKind::Cast(spell(inside), Box::new(inner)), span))
    }
}

/// A type's words in C's spelling.
fn spell(tokens: &[Token<'_>]) -> String {
    tokens.iter().map(|token| token.text).collect::<Vec<_>>().join(" ")
}
