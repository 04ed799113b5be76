//! Rules for the values of an array of integers: `offsets`, `index(n)`.
//!
//! Purpose: parse the keyword and the expressions in its brackets.
//! Invariant: `offsets` and `index` are names unless only a keyword can stand there.
//! Reason: both are common names of arrays in C.

use super::Reader;
use crate::prototype::brackets;
use crate::prototype::expression;
use crate::prototype::lexer::{Kind, Token};
use fishplate_model::{Code, Span, Spanned, ValueRule};

/// True if the keyword that `tokens` begin with is not a name: brackets or a type follow.
pub(super) fn begins(tokens: &[Token<'_>]) -> bool {
    match tokens {
        [_, open, ..] if open.is("(") => true,
        [word, next, ..] => word.is_word("offsets") && next.kind == Kind::Word,
        _ => false,
    }
}

impl Reader<'_, '_, '_> {
    /// Parses the keyword, with its brackets if it has any, and returns the number of tokens.
    pub(super) fn value_rule(&mut self, tokens: &[Token<'_>]) -> usize {
        let word = tokens[0];
        let length = if tokens[1].is("(") { 2 + brackets::closing(&tokens[1..]) } else { 1 };
        let span = word.span.to(tokens[length - 1].span);
        let inner = tokens.get(2..length - 1).unwrap_or_default();
        let before = self.diagnostics.len();
        let values = match inner {
            [] => Vec::new(),
            inner => expression::parse_all(inner, self.types, self.diagnostics),
        };
        if self.diagnostics.len() > before {
            return length;
        }
        let (most, count) = if word.text == "index" { (2, "2 values") } else { (1, "1 value") };
        if values.len() > most {
            self.wrong_values(span, &format!("`{}` takes {count} at most", word.text));
            return length;
        }
        let mut values = values.into_iter();
        let rule = match (word.text, values.next()) {
            ("offsets", base) => ValueRule::Offsets { base },
            (_, Some(size)) => ValueRule::Index { size, base: values.next() },
            (_, None) => {
                self.wrong_values(span, "`index` needs the size of the dimension");
                return length;
            }
        };
        match &self.values {
            Some(_) => self.error(
                Code::BAD_QUALIFIERS,
                span,
                format!("`{}` is a second rule for the same values", word.text),
                "write one of `offsets` and `index(n)`",
            ),
            None => self.values = Some(Spanned::new(rule, span)),
        }
        length
    }

    fn wrong_values(&mut self, span: Span, message: &str) {
        self.error(
            Code::PROTO_SYNTAX,
            span,
            message,
            "write `index(n)` for values from 0 to n - 1, `index(n, 1)` for values from 1 to n; `offsets` begin with 0, \
             and `offsets(1)` with 1",
        );
    }
}
