//! The `ctype` of a class of values, an enum or a struct.
//!
//! Purpose: find the C type, and declare it for prototypes.
//! Invariant: a type belongs to one class at most, and is then not a number.
//! Reason: whether a type can be a class does not depend on its members.

use super::values::{Value, Values};
use crate::names;
use crate::prototype::Types;
use crate::prototype::lexer;
use fishplate_model::{CType, Code, Scalar, Spanned, Type};

/// `enum color`, `color_t`: a class of values by its type.
pub(super) fn ctype(
    what: Type,
    value: &Value<'_>,
    example: &str,
    types: &mut Types,
    values: &mut Values<'_>,
) -> Option<CType> {
    let text = words(value, example, values)?;
    let words: Vec<&str> = text.value.split(' ').collect();
    let shown = names::short(&text.value, 40);
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
    if !is_type(&text, example, values) {
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
    Some(CType { what, spelling: text.value, span: text.span })
}

/// The words of the type of a struct, with one space between them.
pub(super) fn spelling(
    value: &Value<'_>,
    example: &str,
    values: &mut Values<'_>,
) -> Option<Spanned<String>> {
    let text = words(value, example, values)?;
    is_type(&text, example, values).then_some(text)
}

fn words(value: &Value<'_>, example: &str, values: &mut Values<'_>) -> Option<Spanned<String>> {
    let text = values.string("ctype", value, example)?;
    let map = values.map(value.span(), &text.value);
    let tokens = lexer::lex(&text.value, &map, values.diagnostics());
    let words: Vec<&str> = tokens.iter().map(|token| token.text).collect();
    Some(Spanned::new(words.join(" "), text.span))
}

/// Reports a text that is not the type of a value.
fn is_type(text: &Spanned<String>, example: &str, values: &mut Values<'_>) -> bool {
    let is_word = |word: &str| {
        let begins = matches!(word, "struct" | "union" | "enum");
        let is_name = word.starts_with(|c: char| c == '_' || c.is_ascii_alphabetic());
        is_name && (begins || !names::is_c_keyword(word))
    };
    let is_type = text.value.split(' ').all(is_word);
    if !is_type {
        values.error(
            Code::WRONG_VALUE,
            text.span,
            format!("`{}` is not the type of a value", names::short(&text.value, 40)),
            format!("write it as the headers do, without `const` and `*`, as in `{example}`"),
        );
    }
    is_type
}
