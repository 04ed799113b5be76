//! The `ctype` of a class of values, an enum or a struct.
//!
//! Purpose: find the C type, and declare it for prototypes.
//! Invariant: a type belongs to one class at most, and is then not a number.
//! Reason: whether a type can be a class does not depend on its members.

use super::values::{Value, Values};
use crate::names;
use crate::prototype::Types;
use crate::prototype::lexer::{self, Kind, Token};
use fishplate_model::{CType, Code, Scalar, Type};

/// `enum color`, `color_t`: a class of values by its type.
pub(super) fn ctype(
    what: Type,
    value: &Value<'_>,
    example: &str,
    types: &mut Types,
    values: &mut Values<'_>,
) -> Option<CType> {
    let text = values.string("ctype", value, example)?;
    let map = values.map(value.span(), &text.value);
    let tokens = lexer::lex(&text.value, &map, values.diagnostics());
    let words: Vec<&str> = tokens.iter().map(|token| token.text).collect();
    let is_word = |token: &Token<'_>| {
        let begins = matches!(token.text, "struct" | "union" | "enum");
        token.kind == Kind::Word && (begins || !names::is_c_keyword(token.text))
    };
    let shown = names::short(&words.join(" "), 40);
    if matches!(what, Type::Enum(_)) && Scalar::from_words(&words).is_some() {
        values.error(
            Code::WRONG_VALUE,
            text.span,
            format!("an enum cannot have the name of an integer type, `{shown}`"),
            "write the name that the headers have for the enum; values that are passed as any integer are \
             `[constants]`",
        );
        return None;
    }
    if words.is_empty() || !tokens.iter().all(is_word) {
        values.error(
            Code::WRONG_VALUE,
            text.span,
            format!("`{}` is not the type of a value", names::short(&text.value, 40)),
            format!("write it as the headers do, without `const` and `*`, as in `{example}`"),
        );
        return None;
    }
    if !types.insert_class(&words, what.clone()) {
        values.error(
            Code::DUPLICATE_NAME,
            text.span,
            format!("`{shown}` is a type already"),
            "a type is one class, or a number: remove one of the two",
        );
        return None;
    }
    Some(CType { what, spelling: words.join(" "), span: text.span })
}
