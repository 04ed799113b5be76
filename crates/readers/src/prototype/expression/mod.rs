//! Expressions in dimensions and after `=`: C's, with array properties.
//!
//! Purpose: parse tokens to an [`Expr`], with a Pratt parser over C's own precedences.
//! Invariant: every returned expression has at most [`MAX_DEPTH`] levels of brackets and at most
//! [`MAX_TOKENS`] tokens, so that no recursive function can overflow the stack.
//! Reason: constructs that C allows and a binding must not contain (assignment, indirection,
//! sequence) are reported here, at the operator, rather than by a C compiler later.

mod calls;
mod casts;

use super::brackets;
use super::lexer::{Kind, Token};
use super::types::Types;
use crate::names;
use fishplate_model::{BinaryOp, Code, Diagnostic, Expr, ExprKind, Span, UnaryOp};

/// The maximal depth of brackets, signs and `?:`.
pub const MAX_DEPTH: usize = 64;

/// The maximal number of tokens in one expression.
pub const MAX_TOKENS: usize = 1000;

type Parsed<T> = Result<T, Box<Diagnostic>>;

/// Parses several expressions with commas between them. If none is valid, the list is empty.
pub(crate) fn parse_all(
    tokens: &[Token<'_>],
    types: &Types,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Expr> {
    let (before, mut read, mut rest) = (diagnostics.len(), Vec::new(), tokens);
    loop {
        let comma = brackets::outside(rest, ",");
        let part = &rest[..comma.unwrap_or(rest.len())];
        if part.is_empty() {
            let place = comma.map_or(tokens[tokens.len() - 1], |at| rest[at]);
            diagnostics.push(Diagnostic::error(
                Code::PROTO_SYNTAX,
                place.span,
                "missing value next to this comma",
                "remove it, or write the value",
            ));
        } else {
            match parse(part, types) {
                Ok(value) => read.push(value),
                Err(found) => diagnostics.push(*found),
            }
        }
        match comma {
            Some(at) => rest = &rest[at + 1..],
            None => break,
        }
    }
    if diagnostics.len() > before { Vec::new() } else { read }
}

/// Parses all of `tokens` as one expression. There is at least one token.
pub(crate) fn parse(tokens: &[Token<'_>], types: &Types) -> Parsed<Expr> {
    read(tokens, types, false)
}

/// The same for a query, which may pass addresses.
pub(crate) fn parse_query(tokens: &[Token<'_>], types: &Types) -> Parsed<Expr> {
    read(tokens, types, true)
}

fn read(tokens: &[Token<'_>], types: &Types, addresses: bool) -> Parsed<Expr> {
    let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else {
        return Err(error(Span::default(), "an expression is missing", "write one"));
    };
    if tokens.len() > MAX_TOKENS {
        return Err(error(
            first.span.to(last.span),
            format!("this expression has more than {MAX_TOKENS} parts"),
            "move the computation into a C function and call that",
        ));
    }
    let mut parser = Parser { tokens, at: 0, depth: 0, types, addresses };
    let expr = parser.conditional()?;
    match parser.peek() {
        None => Ok(expr),
        Some(token) => Err(leftover(token)),
    }
}

fn error(span: Span, message: impl Into<String>, hint: impl Into<String>) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(Code::PROTO_SYNTAX, span, message, hint))
}

/// The message for a token that does not continue the expression before it.
fn leftover(token: Token<'_>) -> Box<Diagnostic> {
    let text = names::short(token.text, 40);
    match (token.kind, token.text) {
        (Kind::Mark, "=") => error(
            token.span,
            "an expression cannot assign with `=`",
            "write the value alone; to compare, write `==`",
        ),
        (Kind::Mark, "++" | "--") => changes(token),
        (Kind::Mark, mark) if mark.len() > 1 && mark.ends_with('=') => changes(token),
        (Kind::Mark, ",") => error(
            token.span,
            "a comma cannot join two expressions",
            "write one value; dimensions go in brackets of their own, as in `x[n][m]`",
        ),
        (Kind::Mark, _) => error(
            token.span,
            format!("`{text}` was not expected here"),
            "end the expression before it, or remove it",
        ),
        _ => error(
            token.span,
            format!("an operator is missing before `{text}`"),
            "write an operator such as `*` between two values",
        ),
    }
}

fn changes(token: Token<'_>) -> Box<Diagnostic> {
    error(
        token.span,
        format!("`{}` would change a value, and an expression only computes one", token.text),
        "write the value alone, such as `n + 1`",
    )
}

struct Parser<'a, 't> {
    tokens: &'a [Token<'t>],
    at: usize,
    depth: usize,
    types: &'a Types,
    /// `&` takes an address.
    addresses: bool,
}

impl<'t> Parser<'_, 't> {
    fn peek(&self) -> Option<Token<'t>> {
        self.tokens.get(self.at).copied()
    }

    fn peek_is(&self, mark: &str) -> bool {
        self.peek().is_some_and(|token| token.is(mark))
    }

    fn next(&mut self) -> Option<Token<'t>> {
        let token = self.peek();
        self.at += usize::from(token.is_some());
        token
    }

    /// The token before the current one; the first one at the start.
    fn previous(&self) -> Token<'t> {
        self.tokens[self.at.saturating_sub(1)]
    }

    fn eat(&mut self, mark: &str) -> Option<Token<'t>> {
        self.peek().filter(|token| token.is(mark)).inspect(|_| self.at += 1)
    }

    fn expect(&mut self, mark: &str, hint: &str) -> Parsed<Token<'t>> {
        if let Some(token) = self.eat(mark) {
            return Ok(token);
        }
        match self.peek() {
            // An unsupported operator of C explains the error better.
            Some(token) => Err(leftover(token)),
            None => {
                let before = self.previous();
                let text = names::short(before.text, 40);
                Err(error(before.span, format!("`{mark}` is missing after `{text}`"), hint))
            }
        }
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == MAX_DEPTH {
            let span = self.peek().unwrap_or(self.previous()).span;
            return Err(error(
                span,
                format!("this expression nests deeper than {MAX_DEPTH} levels"),
                "move the computation into a C function and call that",
            ));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    fn conditional(&mut self) -> Parsed<Expr> {
        let test = self.binary(1)?;
        if self.eat("?").is_none() {
            return Ok(test);
        }
        let yes = self.nested(Self::conditional)?;
        self.expect(":", "write both values, as in `test ? yes : no`")?;
        let no = self.nested(Self::conditional)?;
        let span = test.span.to(no.span);
        Ok(Expr::new(ExprKind::Conditional(Box::new(test), Box::new(yes), Box::new(no)), span))
    }

    /// Operators with at least the precedence `least`, all left-associative.
    fn binary(&mut self, least: u8) -> Parsed<Expr> {
        let mut left = self.unary()?;
        while let Some(op) = self.peek().and_then(binary_op).filter(|op| op.precedence() >= least) {
            self.at += 1;
            let right = self.binary(op.precedence() + 1)?;
            let span = left.span.to(right.span);
            left = Expr::new(ExprKind::Binary(op, Box::new(left), Box::new(right)), span);
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let Some(token) = self.peek() else { return Err(self.no_value()) };
        if token.kind != Kind::Mark {
            return if token.is_word("sizeof") { self.size_of() } else { self.postfix() };
        }
        let op = match token.text {
            "+" => UnaryOp::Plus,
            "-" => UnaryOp::Minus,
            "!" => UnaryOp::Not,
            "~" => UnaryOp::BitNot,
            "++" | "--" => return Err(changes(token)),
            "*" if self.at > 0 && self.tokens[self.at - 1].is("*") => {
                return Err(error(
                    token.span,
                    "C has no operator `**`",
                    "write a product, as in `n*n`",
                ));
            }
            "*" => {
                return Err(error(
                    token.span,
                    "an expression cannot follow a pointer with `*`",
                    "index an array instead, as in `x[0]`",
                ));
            }
            "&" if self.addresses => UnaryOp::Address,
            "&" | "&&" => {
                return Err(error(
                    token.span,
                    format!("an expression cannot take an address with `{}`", token.text),
                    "use the value itself",
                ));
            }
            "(" => {
                return match self.type_in_parens() {
                    Some(words) => self.cast(words),
                    None => self.postfix(),
                };
            }
            _ => return Err(self.no_value()),
        };
        self.at += 1;
        let inner = self.nested(Self::unary)?;
        let span = token.span.to(inner.span);
        Ok(Expr::new(ExprKind::Unary(op, Box::new(inner)), span))
    }

    /// The message for a token where a value should begin.
    fn no_value(&self) -> Box<Diagnostic> {
        let hint = "write a number, a name, a call or something in parentheses";
        match (self.peek(), self.at) {
            (Some(token), _) if token.is("{") => error(
                token.span,
                "an expression cannot be a list in braces",
                "write one value: each element of an array starts as it",
            ),
            (Some(token), 0) => {
                let text = names::short(token.text, 40);
                error(token.span, format!("an expression cannot begin with `{text}`"), hint)
            }
            (token, _) => {
                let before = self.previous();
                let message =
                    format!("a value is missing after `{}`", names::short(before.text, 40));
                let span = token.map_or(before.span, |token| before.span.to(token.span));
                error(span, message, hint)
            }
        }
    }

    fn postfix(&mut self) -> Parsed<Expr> {
        let mut expr = self.primary()?;
        while let Some(token) = self.peek().filter(continues_value) {
            let start = expr.span;
            let inner = Box::new(expr);
            let kind = match token.text {
                "[" => {
                    self.at += 1;
                    let index = self.nested(Self::conditional)?;
                    self.expect("]", "close the index with `]`")?;
                    ExprKind::Index(inner, Box::new(index))
                }
                "." | "->" => {
                    self.at += 1;
                    match self.next() {
                        Some(member) if member.kind == Kind::Word => {
                            ExprKind::Member(inner, format!("{}{}", token.text, member.text))
                        }
                        _ => {
                            return Err(error(
                                token.span,
                                format!("a member's name is missing after `{}`", token.text),
                                "write a name, as in `a.b`",
                            ));
                        }
                    }
                }
                "(" => {
                    return Err(error(
                        token.span,
                        "only a C function or macro can be called, by its name",
                        "write the call as `name(value)`, or an operator before `(`",
                    ));
                }
                _ => return Err(changes(token)),
            };
            expr = Expr::new(kind, start.to(self.previous().span));
        }
        Ok(expr)
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let Some(token) = self.peek() else { return Err(self.no_value()) };
        match token.kind {
            Kind::Character if !is_one_character(token.text) => Err(error(
                token.span,
                format!("{} is not one character", names::short(token.text, 40)),
                "write a number without quotes, or a string in double quotes",
            )),
            Kind::Number | Kind::Character => {
                self.at += 1;
                Ok(Expr::new(ExprKind::Literal(token.text.to_owned()), token.span))
            }
            Kind::String => Ok(self.strings()),
            Kind::Word if names::is_c_keyword(token.text) => Err(error(
                token.span,
                format!("`{}` is a keyword of C and cannot be a value", token.text),
                "use the name of an argument, a constant or a call",
            )),
            Kind::Word => {
                self.at += 1;
                match self.eat("(") {
                    Some(_) => self.call(token),
                    None => Ok(Expr::new(ExprKind::Name(token.text.to_owned()), token.span)),
                }
            }
            Kind::Mark if token.is("(") => {
                self.at += 1;
                let inner = self.nested(Self::conditional)?;
                let close = self.expect(")", "close the parenthesis with `)`")?;
                Ok(Expr::new(ExprKind::Paren(Box::new(inner)), token.span.to(close.span)))
            }
            Kind::Mark => Err(self.no_value()),
        }
    }

    /// Adjacent string literals are concatenated, as in C.
    fn strings(&mut self) -> Expr {
        let first = self.at;
        while self.peek().is_some_and(|token| token.kind == Kind::String) {
            self.at += 1;
        }
        let parts = &self.tokens[first..self.at];
        let text = parts.iter().map(|token| token.text).collect::<Vec<_>>().join(" ");
        Expr::new(ExprKind::Literal(text), parts[0].span.to(self.previous().span))
    }
}

/// True for `'a'`, `'\n'` and `'\x41'`: the value of several characters depends on the compiler.
fn is_one_character(text: &str) -> bool {
    let inner = text.split_once('\'').map_or("", |(_, rest)| rest.trim_end_matches('\''));
    match inner.strip_prefix('\\') {
        Some(escape) if escape.starts_with('x') => true,
        Some(escape) if escape.starts_with(|c: char| c.is_ascii_digit()) => {
            escape.len() <= 3 && escape.chars().all(|c| c.is_digit(8))
        }
        Some(escape) => escape.chars().count() <= 1,
        None => inner.chars().count() <= 1,
    }
}

/// Punctuation that may follow a value and belong to it.
fn continues_value(token: &Token<'_>) -> bool {
    token.kind == Kind::Mark && matches!(token.text, "[" | "." | "->" | "(" | "++" | "--")
}

fn binary_op(token: Token<'_>) -> Option<BinaryOp> {
    let is_mark = token.kind == Kind::Mark;
    BinaryOp::ALL.into_iter().find(|op| is_mark && op.symbol() == token.text)
}

#[cfg(test)]
mod tests;
