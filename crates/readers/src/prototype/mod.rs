//! One annotated C prototype.
//!
//! Purpose: parse an ordinary C declaration, with intents as qualifiers, shapes in brackets and
//! defaults after `=`, to an [`Overload`].
//! Invariant: an overload is returned exactly if it has no mistakes, also in its types; a
//! partial one would cause misleading errors in later phases.
//! Reason: every front end with prototypes (`.toml` files, headers) shares this parser.

mod aliases;
mod argument;
pub(crate) mod brackets;
mod callback;
pub(crate) mod cplusplus;
mod dimension;
pub(crate) mod expression;
pub(crate) mod lexer;
mod message;
mod owner;
mod parser;
mod print;
pub(crate) mod qualifiers;
mod result;
mod retention;
mod standard;
mod struct_arrays;
mod types;
pub(crate) mod unpacked;

pub use expression::{MAX_DEPTH, MAX_TOKENS};
pub use print::print;
pub(crate) use print::print_shown;
pub(crate) use print::{expressions, locals};
pub use types::{Declaration, Types};

use crate::span_map::SpanMap;
use fishplate_model::{Adapter, Argument, Code, Diagnostic, Expr, Overload, Span};

/// How much of an argument its prototype specifies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Everything: each argument has a name, and each array its shape.
    Annotated,
    /// Everything, for a callback: it may have user data, and strings as arguments.
    Callback,
    /// The minimum for C: an argument without a name is called `arg0` and so on by its position, an
    /// array without a size is a pointer, as in C.
    Plain,
}

/// Parses one annotated prototype. `map` maps its source to the file, `types` are the type names
/// besides C's. All mistakes are added to `diagnostics`.
pub fn read(
    text: &str,
    map: &SpanMap,
    types: &Types,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Overload> {
    read_as(Form::Annotated, text, map, types, diagnostics)
}

/// Parses one value: a number, or a constant of the headers.
pub(crate) fn read_value(
    text: &str,
    map: &SpanMap,
    types: &Types,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Expr> {
    let before = diagnostics.len();
    let tokens = lexer::lex(text, map, diagnostics);
    if tokens.is_empty() || diagnostics.len() > before {
        return None;
    }
    expression::parse(&tokens, types).map_err(|found| diagnostics.push(*found)).ok()
}

/// Parses several, with commas between them; mistakes are added to `diagnostics`.
pub(crate) fn read_values(
    text: &str,
    map: &SpanMap,
    types: &Types,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Expr> {
    let before = diagnostics.len();
    let tokens = lexer::lex(text, map, diagnostics);
    if tokens.is_empty() || diagnostics.len() > before {
        return Vec::new();
    }
    if let Some(found) = brackets::unbalanced(&tokens) {
        diagnostics.push(found);
        return Vec::new();
    }
    expression::parse_all(&tokens, types, diagnostics)
}

/// Parses an annotated prototype, which may be that of a C++ operator with a second function.
pub(crate) fn read_all(
    text: &str,
    map: &SpanMap,
    types: &Types,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Overload> {
    read_forms(Form::Annotated, text, map, types, diagnostics)
}

/// Parses one prototype of this form.
pub fn read_as(
    form: Form,
    text: &str,
    map: &SpanMap,
    types: &Types,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Overload> {
    read_forms(form, text, map, types, diagnostics).into_iter().next()
}

fn read_forms(
    form: Form,
    text: &str,
    map: &SpanMap,
    types: &Types,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Overload> {
    let mut found = Vec::new();
    let tokens = without_attributes(types.expand(&lexer::lex(text, map, &mut found)));
    let expanded = types.expand_text(text.trim());
    let trimmed = text.trim();
    let start = text.len() - text.trim_start().len();
    let span =
        if trimmed.is_empty() { map.whole() } else { map.span(start, start + trimmed.len()) };
    let adapted = match form {
        Form::Annotated => cplusplus::adapt(&tokens, types),
        Form::Callback | Form::Plain => None,
    };
    let written = Written { text: &expanded, span, form };
    match adapted {
        None => {
            read_tokens(&tokens, written, types, None, found, diagnostics).into_iter().collect()
        }
        Some(Ok(all)) => {
            let mut read =
                |one| read_adapted(written, one, types, std::mem::take(&mut found), diagnostics);
            all.into_iter().filter_map(&mut read).collect()
        }
        Some(Err(mistake)) => {
            diagnostics.append(&mut found);
            diagnostics.push(*mistake);
            Vec::new()
        }
    }
}

/// A prototype as its author wrote it.
#[derive(Clone, Copy)]
pub(crate) struct Written<'a> {
    pub text: &'a str,
    pub span: Span,
    pub form: Form,
}

/// Parses the C prototype that replaces one of C++. `found` are the mistakes in its tokens.
pub(crate) fn read_adapted(
    written: Written<'_>,
    adapted: cplusplus::Adapted,
    types: &Types,
    found: Vec<Diagnostic>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Overload> {
    let tokens: Vec<_> = adapted.pieces.iter().map(cplusplus::Piece::token).collect();
    read_tokens(&tokens, written, types, Some(Box::new(adapted.adapter)), found, diagnostics)
}

fn read_tokens(
    tokens: &[lexer::Token<'_>],
    written: Written<'_>,
    types: &Types,
    adapter: Option<Box<Adapter>>,
    mut found: Vec<Diagnostic>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Overload> {
    let Written { text, span, form } = written;
    let parts = parser::parse(tokens, span, form, types, &mut found);
    let good = !found.iter().any(Diagnostic::is_error);
    diagnostics.append(&mut found);
    parts.filter(|parts| good && parts.ctypes().all(|ctype| types.is_known(ctype))).map(|parts| {
        Overload {
            text: text.to_owned(),
            span,
            c_name: parts.c_name,
            result: parts.result,
            arguments: parts.arguments,
            unpacked: parts.unpacked,
            adapter,
            kinds: None,
            callee: parts.callee,
        }
    })
}

/// The tokens without attributes for the compiler: `__attribute__((unused))`, `[[nodiscard]]`.
fn without_attributes(tokens: Vec<lexer::Token<'_>>) -> Vec<lexer::Token<'_>> {
    let mut left = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        match crate::header::extension(&tokens[at..]) {
            0 => {
                left.push(tokens[at]);
                at += 1;
            }
            length => at += length,
        }
    }
    left
}

/// Parses one argument, the one with this index; there is at least one token.
pub(crate) fn argument_of(
    tokens: &[lexer::Token<'_>],
    index: usize,
    types: &Types,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Argument> {
    argument::parse(tokens, index, Form::Annotated, types, diagnostics)
}

/// Parses a query: a C expression over the arguments of a prototype, which may pass addresses.
pub(crate) fn read_query(
    text: &str,
    map: &SpanMap,
    types: &Types,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Expr> {
    let mut found = Vec::new();
    let tokens = lexer::lex(text, map, &mut found);
    let parsed = match brackets::unbalanced(&tokens) {
        Some(unbalanced) => Err(Box::new(unbalanced)),
        None if tokens.is_empty() => Err(Box::new(Diagnostic::error(
            Code::PROTO_SYNTAX,
            map.whole(),
            "the query is empty",
            "write the call to C, as in `names(NULL, 0)`, or remove it",
        ))),
        None => expression::parse_query(&tokens, types),
    };
    let good = !found.iter().any(Diagnostic::is_error);
    diagnostics.append(&mut found);
    parsed.map_err(|error| diagnostics.push(*error)).ok().filter(|_| good)
}

#[cfg(test)]
mod tests;
