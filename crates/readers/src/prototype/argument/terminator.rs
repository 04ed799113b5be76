//! Terminators of arrays: `terminated`, `terminated(-1)`, `terminated(index = -1)`.
//!
//! Purpose: parse the keyword, and the size of an array that has a terminator in place of one.
//! Invariant: `terminated` is a name unless only a keyword can stand there.
//! Reason: without a length in C, an array of the caller may have any.

use super::Reader;
use crate::prototype::brackets;
use crate::prototype::expression;
use crate::prototype::lexer::{Kind, Token};
use fishplate_model::{
    Code, Expr, ExprKind, Measure, Passing, Span, Spanned, Terminator, TerminatorValue,
};

/// True if the keyword that `tokens` begin with is not a name: brackets or a type follow.
pub(super) fn begins(tokens: &[Token<'_>]) -> bool {
    tokens.get(1).is_some_and(|next| next.is("(") || next.kind == Kind::Word)
}

impl Reader<'_, '_, '_> {
    /// Parses the keyword, with its brackets if it has any, and returns the number of tokens.
    pub(super) fn terminator(&mut self, tokens: &[Token<'_>]) -> usize {
        let length = if tokens[1].is("(") { 2 + brackets::closing(&tokens[1..]) } else { 1 };
        let span = tokens[0].span.to(tokens[length - 1].span);
        let inner = tokens.get(2..length - 1).unwrap_or_default();
        let before = self.diagnostics.len();
        let values: Vec<TerminatorValue> = match inner {
            [] => Vec::new(),
            inner => self.terminator_values(inner),
        };
        if self.diagnostics.len() > before {
            self.terminator = Some(Spanned::new(Terminator::default(), span));
            return length;
        }
        if self.terminator.is_some() {
            self.error(
                Code::BAD_QUALIFIERS,
                span,
                "`terminated` is written twice",
                "write the values of the terminator once, as in `terminated(index = -1)`",
            );
        }
        self.terminator = Some(Spanned::new(Terminator { values }, span));
        length
    }

    fn terminator_values(&mut self, tokens: &[Token<'_>]) -> Vec<TerminatorValue> {
        let (mut values, mut rest) = (Vec::new(), tokens);
        while let Some(comma) = brackets::outside(rest, ",") {
            values.extend(self.terminator_value(&rest[..comma], rest[comma].span));
            rest = &rest[comma + 1..];
        }
        let last = tokens[tokens.len() - 1].span;
        values.extend(self.terminator_value(rest, last));
        values
    }

    /// `-1`, `index = -1`; `end` is the place after it.
    fn terminator_value(&mut self, tokens: &[Token<'_>], end: Span) -> Option<TerminatorValue> {
        let (field, value) = match tokens {
            [name, equals, value @ ..] if name.kind == Kind::Word && equals.is("=") => {
                (Some(Spanned::new(name.text.to_owned(), name.span)), value)
            }
            value => (None, value),
        };
        if value.is_empty() {
            self.error(
                Code::PROTO_SYNTAX,
                end,
                "a value of the terminator is missing",
                "write a number, or the fields of a struct that are not zero: `terminated(index = -1)`",
            );
            return None;
        }
        let value = expression::parse(value, self.types);
        let value = value.map_err(|found| self.diagnostics.push(*found)).ok()?;
        Some(TerminatorValue { field, value })
    }

    /// `[]`: the caller's array has any length, and so has each row.
    pub(super) fn open_dimension(&mut self, span: Span) {
        match (&self.terminator, self.name, self.dimensions.len()) {
            (Some(_), Some(name), 0) => self.dimensions.push(Expr {
                kind: ExprKind::Measure {
                    measure: Measure::Len,
                    array: name.text.to_owned(),
                    array_span: name.span,
                    axis: None,
                },
                span,
            }),
            (Some(_), _, 1) if self.stars.len() == 1 => self.has_open_rows = true,
            (None, _, 0) if self.is_pointer_list() => self.is_null_terminated = true,
            _ => self.no_dimension(span),
        }
    }

    /// Reports a terminator of something that has none.
    pub(super) fn misplaced_terminator(&mut self, name: &str, passing: &Passing) {
        let Some(Spanned { value, span }) = &self.terminator else { return };
        let is_bare = value.values.is_empty();
        let (message, hint) = match passing {
            Passing::Jagged { lengths: None, .. } => return,
            Passing::Array { shape, fortran: false, rows: None, length: None, .. }
                if shape.len() == 1 =>
            {
                return;
            }
            Passing::List { .. } if is_bare => return,
            Passing::List { .. } => (
                format!("`{name}` is an array of pointers, which NULL terminates"),
                "write `terminated` without a value",
            ),
            _ => (
                format!("`{name}` cannot have a terminator"),
                "write it before an array of one dimension, `terminated(-1) const int x[]`, before rows, \
                 `terminated(-1) const int *x[m][]`, or remove it",
            ),
        };
        let span = *span;
        self.error(Code::BAD_QUALIFIERS, span, message, hint);
    }
}
