//! Calls in expressions: C functions, and array properties.
//!
//! Purpose: parse what follows a name and its `(`.
//! Invariant: an array property names its array and, for `shape` and `stride`, the axis if there is
//! one; nothing is computed for either.
//! Reason: `len(x)` looks like a call but is an array property, so its argument is checked here.

use super::{Parsed, Parser, error};
use crate::names;
use crate::prototype::lexer::{Kind, Token};
use fishplate_model::{Expr, ExprKind, Measure};

impl<'t> Parser<'_, 't> {
    /// The call of `name`, after its `(`.
    pub(super) fn call(&mut self, name: Token<'t>) -> Parsed<Expr> {
        let measure = match name.text {
            "len" => Some(Measure::Len),
            "shape" => Some(Measure::Shape),
            "ndim" => Some(Measure::Ndim),
            "size" => Some(Measure::Size),
            "stride" => Some(Measure::Stride),
            "itemsize" => Some(Measure::ItemSize),
            "dtype" => Some(Measure::Dtype),
            _ => None,
        };
        if let Some(measure) = measure {
            return self.measure(name, measure);
        }
        let mut args = Vec::new();
        if !self.peek_is(")") {
            args.push(self.nested(Self::conditional)?);
            while self.eat(",").is_some() {
                args.push(self.nested(Self::conditional)?);
            }
        }
        let close = self.expect(")", "close the call with `)`")?;
        let kind = ExprKind::Call(name.text.to_owned(), args);
        Ok(Expr::new(kind, name.span.to(close.span)))
    }

    fn measure(&mut self, name: Token<'t>, measure: Measure) -> Parsed<Expr> {
        let usage = match measure {
            Measure::Shape => "write `shape(x, 0)` with an array argument's name and an axis",
            Measure::Len => "write `len(x)` with an array argument's name",
            Measure::Ndim => "write `ndim(x)` with an array argument's name",
            Measure::Size => "write `size(x)` with an array argument's name",
            Measure::Stride => "write `stride(x, 0)` with an array argument's name and an axis",
            Measure::ItemSize => "write `itemsize(x)` with an array argument's name",
            Measure::Dtype => "write `dtype(x)` with an array argument's name",
        };
        let array = match self.peek() {
            Some(token) if token.kind == Kind::Word && !names::is_c_keyword(token.text) => token,
            other => {
                let span = other.map_or(name.span, |token| token.span);
                let message = format!("the argument of `{}` is not a name", name.text);
                return Err(error(span, message, usage));
            }
        };
        self.at += 1;
        let comma = self.eat(",");
        let axis = match (measure, comma) {
            (Measure::Shape | Measure::Stride, Some(_)) => Some(self.axis(name.text, usage)?),
            (_, Some(comma)) => {
                let message = format!("`{}` has one argument, an array", name.text);
                return Err(error(comma.span, message, usage));
            }
            (_, None) => None,
        };
        if !self.peek_is(")") {
            let span = self.peek().unwrap_or(self.previous()).span;
            let message = format!("the argument of `{}` is an array, not an expression", name.text);
            return Err(error(span, message, usage));
        }
        self.at += 1;
        let kind = ExprKind::Measure {
            measure,
            array: array.text.to_owned(),
            array_span: array.span,
            axis,
        };
        Ok(Expr::new(kind, name.span.to(self.previous().span)))
    }

    fn axis(&mut self, asked: &str, usage: &str) -> Parsed<usize> {
        let token = self.next();
        let value =
            token.filter(|token| token.kind == Kind::Number).and_then(|t| t.text.parse().ok());
        value.ok_or_else(|| {
            let span = token.unwrap_or(self.previous()).span;
            error(span, format!("the axis of `{asked}` is an integer literal such as 0"), usage)
        })
    }
}
