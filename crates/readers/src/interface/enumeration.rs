//! The `[enum.NAME]` tables.
//!
//! Purpose: types that have a few integers as their values: which type, and which values.
//! Invariant: the types are declared before any prototype is read, since all prototypes may use them.
//! Reason: which integer a value is, and how wide the type, only the compiler knows.

use super::constant;
use super::values::{Value, Values, kind};
use crate::names;
use crate::prototype::Types;
use crate::prototype::lexer::{self, Kind, Token};
use fishplate_model::{CType, Code, Enum, Scalar, Spanned, Type};
use toml::de::DeTable;

/// The keys of `[enum.NAME]`.
pub(super) const KEYS: &[&str] = &["doc", "ctype", "values", "prefix", "flags"];

/// An example for hints.
const CTYPE: &str = "ctype = \"enum color\"";

/// Reads all tables, and declares their types. What is wrong with one leaves it out.
pub(super) fn read_all(
    table: &DeTable<'_>,
    types: &mut Types,
    values: &mut Values<'_>,
) -> Vec<Enum> {
    let mut found = Vec::new();
    for (name, value) in values.entries(table) {
        let shown = names::short(&name.value, 40);
        let Some(table) = value.get_ref().as_table() else {
            let message = format!("the enum `{shown}` is a table, not {}", kind(value.get_ref()));
            values.wrong(value, message, format!("write `[enum.{shown}]`, and `{CTYPE}` below"));
            continue;
        };
        values.diagnostics().extend(names::refuse_member(&name, "a class"));
        found.extend(read(name, value, table, types, values));
    }
    found
}

fn read(
    name: Spanned<String>,
    value: &Value<'_>,
    table: &DeTable<'_>,
    types: &mut Types,
    values: &mut Values<'_>,
) -> Option<Enum> {
    let shown = names::short(&name.value, 40);
    let (mut doc, mut flags, mut ctype) = (String::new(), false, None);
    for (key, value) in values.entries(table) {
        match key.value.as_str() {
            "values" | "prefix" => {}
            "ctype" => {
                ctype = self::ctype(Type::Enum(name.value.clone()), value, CTYPE, types, values)
            }
            "doc" => {
                let text = values.string("doc", value, "doc = \"Colors that there are.\"");
                doc = text.map(|doc| doc.value).unwrap_or_default();
            }
            "flags" => match value.get_ref().as_bool() {
                Some(set) => flags = set,
                None => {
                    let message =
                        format!("`flags` is true or false, not {}", kind(value.get_ref()));
                    values.wrong(value, message, "write `flags = true`");
                }
            },
            _ => values.unknown("an enum", &key, KEYS),
        }
    }
    for (key, example) in [("ctype", CTYPE), ("values", "values = [\"RED\", \"GREEN\"]")] {
        if table.get(key).is_none() {
            let message = format!("the enum `{shown}` has no `{key}`");
            values.missing(values.span(value), message, format!("add `{example}`"));
        }
    }
    let ctype = ctype?;
    let values = constant::named(table, "a value", values);
    Some(Enum { name, doc, ctype, flags, values })
}

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
            format!("`{shown}` is all integers, and not those of an enum alone"),
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
