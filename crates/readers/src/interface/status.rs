//! `[status]`, `status = { ... }` of a function or a class, and `[exceptions]`.
//!
//! Purpose: parse the meaning of return codes and of C++ exceptions.
//! Invariant: C is unchanged; the C compiler checks it at its place.
//! Reason: only the headers define `GSL_EDOM`.

use super::code::{message, one_piece, uses};
use super::values::{Value, Values, kind};
use crate::names;
use fishplate_model::{Code, ErrorSource, ErrorStack, Spanned, Status, StatusTest};
use toml::de::{DeTable, DeValue};

/// The keys of `[status]`.
pub(super) const KEYS: &[&str] =
    &["success", "warnings", "message", "messages", "exceptions", "errno", "clear", "stack"];

/// Examples for hints.
const NEXT: &str =
    "stack = { next = \"ERR_get_error()\", message = \"ERR_reason_error_string(code)\" }";
const WALK: &str = "walk = \"H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, each, data)\"";
const EACH: &str = "each = \"herr_t each(unsigned n, const H5E_error2_t *error, void *data)\"";

/// The targets of `[exceptions]` and similar tables, in hints.
const EXCEPTION: &str = "{ EDOM = \"ValueError\" }";

/// Reads the table of the module, a class or a function.
pub(super) fn read(table: &DeTable<'_>, values: &mut Values<'_>) -> Status {
    let mut status = Status::default();
    for (key, value) in values.entries(table) {
        match key.value.as_str() {
            "success" => status.success = test("success", value, values),
            "warnings" => status.warnings = test("warnings", value, values),
            "message" => {
                let code = values.string("message", value, "message = \"strerror(status)\"");
                status.message = code.and_then(|code| message(code, values));
            }
            "messages" => {
                status.messages =
                    Some(pairs("messages", value, "{ 1 = \"out of range\" }", values));
            }
            "exceptions" => status.exceptions = Some(pairs("exceptions", value, EXCEPTION, values)),
            "errno" => status.errno = errno(value, values),
            "clear" => {
                let code = values.string("clear", value, "clear = \"ERR_clear_error()\"");
                status.clear = code.and_then(|code| one_piece("clear", code, values));
            }
            "stack" => status.stack = stack(value, values),
            _ => values.unknown("`[status]`", &key, KEYS),
        }
    }
    status
}

/// `status = { ... }` of a function or a class.
pub(super) fn of(value: &Value<'_>, values: &mut Values<'_>) -> Status {
    let DeValue::Table(table) = value.get_ref() else {
        let message = format!("`status` is a table, not {}", kind(value.get_ref()));
        values.wrong(value, message, "write `status = { success = [0, 1] }`");
        return Status::default();
    };
    read(table, values)
}

/// `[exceptions]`: C++ classes and the exceptions of the target language, in source order.
pub(super) fn exceptions(
    value: &Value<'_>,
    values: &mut Values<'_>,
) -> Vec<(Spanned<String>, Spanned<String>)> {
    pairs("exceptions", value, "{ \"lib::parse_error\" = \"ValueError\" }", values)
}

/// `[0, "GSL_SUCCESS"]`, `0`, or `"status >= 0"`
fn test(key: &str, value: &Value<'_>, values: &mut Values<'_>) -> Option<StatusTest> {
    match value.get_ref() {
        DeValue::String(_) => {
            let code = values.string(key, value, &format!("{key} = \"status >= 0\""))?;
            about_status(key, code, values).map(StatusTest::Expression)
        }
        DeValue::Array(array) if array.is_empty() => {
            values.wrong(
                value,
                format!("`{key}` is an empty list"),
                format!("write the values, as in `{key} = [0, 1]`"),
            );
            None
        }
        DeValue::Array(array) => {
            let constants = array.iter().filter_map(|entry| constant(key, entry, values));
            Some(StatusTest::Values(constants.collect()))
        }
        DeValue::Integer(_) | DeValue::Boolean(_) => {
            constant(key, value, values).map(|one| StatusTest::Values(vec![one]))
        }
        other => {
            let message =
                format!("`{key}` is a list of values or an expression, not {}", kind(other));
            let hint = format!("write `{key} = [0, 1]`, or `{key} = \"status >= 0\"`");
            values.wrong(value, message, hint);
            None
        }
    }
}

/// An integer, the name of one, or a boolean.
fn constant(key: &str, value: &Value<'_>, values: &mut Values<'_>) -> Option<Spanned<String>> {
    match value.get_ref() {
        DeValue::Integer(number) => {
            // In C's notation: TOML's octal and binary notations are not C's.
            let parsed = i128::from_str_radix(number.as_str(), number.radix()).ok()?;
            Some(Spanned::new(parsed.to_string(), values.span(value)))
        }
        DeValue::Boolean(code) => Some(Spanned::new(code.to_string(), values.span(value))),
        DeValue::String(_) => {
            let code = values.string(key, value, &format!("{key} = [\"EOF\"]"))?;
            one_piece(key, code, values)
        }
        other => {
            let message = format!("a status is an integer or the name of one, not {}", kind(other));
            values.wrong(value, message, format!("write `{key} = [0, \"EOF\"]`"));
            None
        }
    }
}

/// `true`, or a C expression such as `"status"`
fn errno(value: &Value<'_>, values: &mut Values<'_>) -> Option<Spanned<String>> {
    match value.get_ref() {
        DeValue::Boolean(is_set) => {
            let code = if *is_set { "errno" } else { "" };
            Some(Spanned::new(code.to_owned(), values.span(value)))
        }
        DeValue::String(_) => {
            let code = values.string("errno", value, "errno = \"status\"")?;
            one_piece("errno", code, values)
        }
        other => {
            let message = format!("`errno` is true, false or an expression, not {}", kind(other));
            values.wrong(value, message, "write `errno = true`, or `errno = \"status\"`");
            None
        }
    }
}

/// `{ next = "...", message = "..." }`, or `{ walk = "...", each = "...", message = "..." }`
fn stack(value: &Value<'_>, values: &mut Values<'_>) -> Option<ErrorStack> {
    let DeValue::Table(table) = value.get_ref() else {
        let message = format!("`stack` is a table, not {}", kind(value.get_ref()));
        values.wrong(value, message, format!("write `{NEXT}`"));
        return None;
    };
    let (mut next, mut walk, mut each, mut text) = (None, None, None, None);
    let mut is_valid = true;
    for (key, value) in values.entries(table) {
        let (found, example) = match key.value.as_str() {
            "next" => (&mut next, "next = \"ERR_get_error()\""),
            "walk" => (&mut walk, WALK),
            "each" => (&mut each, EACH),
            "message" => {
                let code = values.string("message", value, "message = \"error->desc\"");
                text = code.and_then(|code| message(code, values));
                is_valid &= text.is_some();
                continue;
            }
            _ => {
                values.unknown("`stack`", &key, &["next", "walk", "each", "message"]);
                continue;
            }
        };
        let code = values.string(&key.value, value, example);
        *found = code.and_then(|code| one_piece(&key.value, code, values));
        is_valid &= found.is_some();
    }
    if !is_valid {
        return None;
    }
    let needs = |code: &Option<Spanned<String>>, names: &[&str]| {
        code.as_ref().is_some_and(|code| names.iter().all(|name| uses(&code.value, name)))
    };
    let (is_next, is_walk) = (next.is_some(), walk.is_some() || each.is_some());
    let (problem, hint) = match () {
        () if text.is_none() => ("`stack` has no `message` for an error", NEXT),
        () if is_next == is_walk => ("`stack` has either `next`, or `walk` and `each`", NEXT),
        () if is_next && !text.as_ref().is_some_and(|text| text.uses("code")) => {
            ("the `message` of a stack with `next` uses `code`", NEXT)
        }
        () if is_walk && !needs(&walk, &["each", "data"]) => {
            ("`walk` calls C with the function `each` and its `data`", WALK)
        }
        () if is_walk && !needs(&each, &["each", "data"]) => {
            ("`each` is the prototype of a function `each` with an argument `void *data`", EACH)
        }
        () => {
            let source = match next {
                Some(next) => ErrorSource::Next(next),
                None => ErrorSource::Walk { call: walk?, each: each? },
            };
            return Some(ErrorStack { source, message: text? });
        }
    };
    values.wrong(value, problem.to_owned(), format!("write `{hint}`"));
    None
}

/// An expression over `status`; one that does not contain it is a mistake.
fn about_status(
    key: &str,
    code: Spanned<String>,
    values: &mut Values<'_>,
) -> Option<Spanned<String>> {
    let names_status = uses(&code.value, "status") || uses(&code.value, "errno");
    if names_status {
        return one_piece(key, code, values);
    }
    let shown = names::short(&code.value, 40);
    values.error(
        Code::WRONG_VALUE,
        code.span,
        format!("`{key}` is an expression over `status`, and `{shown}` does not use it"),
        format!("write `{key} = [\"{shown}\"]` for that value, or `{key} = \"status >= 0\"`"),
    );
    None
}

/// A table of C expressions and strings, in the order of the file.
fn pairs(
    key: &str,
    value: &Value<'_>,
    example: &str,
    values: &mut Values<'_>,
) -> Vec<(Spanned<String>, Spanned<String>)> {
    let DeValue::Table(table) = value.get_ref() else {
        let kind = kind(value.get_ref());
        let message = format!("`{key}` is a table, not {kind}");
        values.wrong(value, message, format!("write `{key} = {example}`"));
        return Vec::new();
    };
    let mut pairs = Vec::new();
    for (name, value) in values.entries(table) {
        let shown = names::short(&name.value, 40);
        let text = values.string(&shown, value, &format!("{key} = {example}"));
        let name = one_piece(key, name, values);
        if let (Some(name), Some(text)) = (name, text) {
            pairs.push((name, text));
        }
    }
    pairs
}
