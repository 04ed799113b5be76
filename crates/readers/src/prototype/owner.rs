//! The owner of C-allocated memory: `own(free)`, `own(release(x, n))`, `borrow(x, y)`.

use super::lexer::{Kind, Token};
use super::types::Types;
use super::{brackets, expression};
use crate::names;
use fishplate_model::{
    Code, Diagnostic, Expr, ExprKind, Owner, Pointee, PointerList, ReturnedPointer, Span, Spanned,
};

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
    /// The owner of the pointees of an array of pointers, if specified separately.
    pub items: Option<Owner>,
    /// The arguments that must outlive it.
    pub keeps: Vec<Spanned<String>>,
}

impl Ownership {
    /// Parses a keyword about ownership, with its brackets if it has any, and returns the number of
    /// tokens. `tokens` begin with that keyword.
    pub(crate) fn read(
        &mut self,
        tokens: &[Token<'_>],
        types: &Types,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> usize {
        let word = tokens[0];
        let end = if has_brackets(tokens) { 2 + brackets::closing(&tokens[1..]) } else { 1 };
        if word.text == "own" {
            let (items, free) = match end {
                1 => (None, None),
                _ => owned(&tokens[..end], types, diagnostics),
            };
            self.items = items.or(self.items.take());
            self.owner = Owner::Caller(free);
            return end;
        }
        let found = if end == 1 { Vec::new() } else { names(&tokens[..end], diagnostics) };
        match word.text {
            "keep" if end == 1 => diagnostics.push(Diagnostic::error(
                Code::PROTO_SYNTAX,
                word.span,
                "`keep` needs names of arguments",
                "name the arguments that must outlive the object, as in `keep(x)`",
            )),
            "keep" => self.keeps = found,
            _ if self.owns_array() => self.items = Some(Owner::Borrowed(found)),
            _ => self.owner = Owner::Borrowed(found),
        }
        end
    }
}

impl Ownership {
    /// `own(free)` precedes, which is about an array; its items may have another owner.
    pub(crate) fn owns_array(&self) -> bool {
        matches!(self.owner, Owner::Caller(Some(_))) && self.items.is_none()
    }

    /// Memory of this owner.
    pub(crate) fn out_pointer(self, holds: Pointee) -> ReturnedPointer {
        let (holds, owner) = match (holds, self.owner) {
            (Pointee::List(list), Owner::Caller(free)) => (
                Pointee::List(PointerList { free: free.map(Box::new), ..list }),
                self.items.unwrap_or_default(),
            ),
            other => other,
        };
        ReturnedPointer { holds, owner, keeps: self.keeps, stored: None }
    }
}

/// An owner of the items of a value that is not an array of pointers.
pub(crate) fn misplaced_items(span: Span) -> Diagnostic {
    Diagnostic::error(
        Code::BAD_QUALIFIERS,
        span,
        "only the items of an array of pointers that C allocates have an owner of their own",
        "write one of `own` and `borrow`; an array of pointers is `char **f(out int *n)[n]`",
    )
}

/// The parts of `own(free, each = g_free)`: the owner of the items of a list, and the C that frees the memory.
fn owned(
    tokens: &[Token<'_>],
    types: &Types,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Option<Owner>, Option<Expr>) {
    let (inside, close) = (&tokens[2..tokens.len() - 1], tokens[tokens.len() - 1]);
    let is_each = |part: &&[Token<'_>]| part.first().is_some_and(|word| word.is_word("each"));
    let parts = brackets::split(inside, ",");
    let each = parts.iter().copied().find(is_each).map(|each| match each {
        [_] => None,
        [_, equals, name] if equals.is("=") && name.kind == Kind::Word => {
            Some(function(name.text, name.span))
        }
        [first, ..] => {
            let last = each.last().unwrap_or(first);
            diagnostics.push(Diagnostic::error(
                Code::PROTO_SYNTAX,
                first.span.to(last.span),
                "`each` has one C function",
                "write the function that frees each string, as in `own(free, each = free)`; objects have that of \
                 their class, `own(free, each)`",
            ));
            None
        }
        [] => None,
    });
    let others: Vec<&[Token<'_>]> = parts.into_iter().filter(|part| !is_each(part)).collect();
    let free = match others.as_slice() {
        [] => None,
        [one] => freed_by(one, tokens, types, diagnostics),
        [_, second, ..] => {
            diagnostics.push(Diagnostic::error(
                Code::PROTO_SYNTAX,
                second.first().map_or(close.span, |token| token.span),
                "`own` has one C function",
                match each {
                    Some(_) => {
                        "write the one that frees the array, and after `each =` the one that frees each string"
                    }
                    None => "write the one that frees the memory",
                },
            ));
            None
        }
    };
    (each.map(Owner::Caller), free)
}

/// The name of a C function that frees memory.
fn function(name: &str, span: Span) -> Expr {
    Expr::new(ExprKind::Name(name.to_owned()), span)
}

/// The C that frees memory: a function, or an expression that calls one. `all` begin with `own` and end with its bracket.
fn freed_by(
    tokens: &[Token<'_>],
    all: &[Token<'_>],
    types: &Types,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Expr> {
    if tokens.len() < 2 {
        let head_and_close = [&all[..2], tokens, &all[all.len() - 1..]].concat();
        let named = names(&head_and_close, diagnostics).into_iter().next();
        return named.map(|name| function(&name.value, name.span));
    }
    let free =
        expression::parse_query(tokens, types).map_err(|found| diagnostics.push(*found)).ok()?;
    let mut calls = false;
    free.walk(&mut |part| calls |= matches!(part.kind, ExprKind::Call(..)));
    if !calls {
        diagnostics.push(needs_function(free.span));
    }
    calls.then_some(free)
}

fn needs_function(span: Span) -> Diagnostic {
    Diagnostic::error(
        Code::PROTO_SYNTAX,
        span,
        "`own` needs the name of a C function",
        "write the function that frees the memory, as in `own(free)`, or a call of it if it has further arguments, as in \
         `own(release(x, n))`",
    )
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
                if tokens[0].is_word("own") {
                    diagnostics.push(needs_function(span));
                    continue;
                }
                let (message, hint) = match tokens[0].text {
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
