//! The `[constants]` table, and every other list of values from headers.
//!
//! Purpose: find names, and the C expressions for their values; write them.
//! Invariant: every name is valid in every target language; only the compiler evaluates
//! expressions.
//! Reason: most values keep their C names, and some should not.

use super::values::{Value, Values, kind};
use super::write::{inline_table, key, quoted};
use crate::names;
use fishplate_model::{Code, Constant, Diagnostic, Interface, Spanned};
use toml::de::{DeTable, DeValue};

/// The keys of `[constants]`.
pub(super) const KEYS: &[&str] = &["values", "prefix"];

/// Reads the table.
pub(super) fn read(table: &DeTable<'_>, values: &mut Values<'_>) -> Vec<Constant> {
    for (key, _) in values.entries(table) {
        if !KEYS.contains(&key.value.as_str()) {
            values.unknown("`[constants]`", &key, KEYS);
        }
    }
    collected(table, "a constant", values)
}

/// The `values` of a table with this header, without its `prefix`: `what` describes each value in
/// messages. No class has one of them.
pub(super) fn named(table: &DeTable<'_>, what: &str, values: &mut Values<'_>) -> Vec<Constant> {
    let mut found = collected(table, what, values);
    found.retain(|one| {
        if let Some(class) = &one.class {
            values.error(
                Code::WRONG_VALUE,
                class.span,
                format!(
                    "`{}` is a table, and {what} is not in one",
                    names::short(&class.value, 40)
                ),
                format!("write `{} = \"EXPRESSION\"`", names::short(&one.name.value, 40)),
            );
        }
        one.class.is_none()
    });
    found
}

fn collected(table: &DeTable<'_>, what: &str, values: &mut Values<'_>) -> Vec<Constant> {
    let prefix = table.get("prefix").and_then(|prefix| {
        let prefix = values.string("prefix", prefix, "prefix = \"GSL_\"")?;
        Some(prefix.value)
    });
    let mut found = Vec::new();
    if let Some(value) = table.get("values") {
        collect(value, prefix.as_deref().unwrap_or(""), &mut found, values);
    }
    found.retain(|one| {
        let class = one.class.as_ref().and_then(|class| names::refuse_member(class, "a class"));
        let of_name = || {
            let refused = names::refuse_member(&one.name, what)?;
            if names::is_identifier(&one.name.value) {
                return Some(refused);
            }
            let name = names::short(&names::identifier_like(&one.name.value), 40);
            let value = one.value.value.trim();
            let hint = format!("use letters, digits and `_`: `{{ {name} = \"{value}\" }}`");
            Some(Diagnostic { hint, ..refused })
        };
        let refused = class.or_else(of_name);
        let good = refused.is_none();
        values.diagnostics().extend(refused);
        good
    });
    found
}

/// Adds the entries of a list or a table.
fn collect(value: &Value<'_>, prefix: &str, found: &mut Vec<Constant>, values: &mut Values<'_>) {
    const EXAMPLE: &str = "values = [\"M_PI\", { VERSION = \"ZLIB_VERSION\" }]";
    match value.get_ref() {
        DeValue::Array(list) => {
            for entry in list.iter() {
                match entry.get_ref() {
                    DeValue::Table(_) => collect(entry, prefix, found, values),
                    _ => found.extend(by_name(entry, prefix, EXAMPLE, values)),
                }
            }
        }
        DeValue::Table(table) => {
            for (name, value) in values.entries(table) {
                if let DeValue::Table(members) = value.get_ref() {
                    let of_class = values.entries(members).into_iter();
                    for (member, value) in of_class {
                        let example = format!("{}.{} = \"EXPRESSION\"", name.value, member.value);
                        let value = values.string(&member.value, value, &example);
                        let made = value.and_then(|value| expression(member, value, values));
                        found.extend(made.map(|one| Constant { class: Some(name.clone()), ..one }));
                    }
                    continue;
                }
                let short = names::short(&name.value, 40);
                let example = match value.get_ref() {
                    DeValue::Integer(number) if number.radix() == 10 => {
                        format!("{short} = \"{}\"", number.as_str())
                    }
                    _ => format!("{short} = \"{prefix}{short}\""),
                };
                if let Some(value) = values.string(&name.value, value, &example) {
                    found.extend(expression(name, value, values));
                }
            }
        }
        other => values.wrong(
            value,
            format!("`values` is a list of names or a table, not {}", kind(other)),
            format!("write `{EXAMPLE}`"),
        ),
    }
}

/// The name in the target language: C's, without the prefix and the scope.
fn by_name(
    entry: &Value<'_>,
    prefix: &str,
    example: &str,
    values: &mut Values<'_>,
) -> Option<Constant> {
    let value = values.string("values", entry, example)?;
    if !names::is_qualified(&value.value) {
        values.error(
            Code::BAD_NAME,
            value.span,
            format!("`{}` is not a name", names::short(&value.value, 40)),
            "an expression has a name in the host: `{ NAME = \"1 + 1\" }`",
        );
        return None;
    }
    let last = value.value.rsplit("::").next().unwrap_or_default();
    let name = last.strip_prefix(prefix).unwrap_or(last).to_owned();
    Some(Constant { name: Spanned::new(name, value.span), class: None, value })
}

/// An expression is at most one line of C.
pub(super) fn expression(
    name: Spanned<String>,
    value: Spanned<String>,
    values: &mut Values<'_>,
) -> Option<Constant> {
    let is_good = !value.value.trim().is_empty()
        && !value.value.contains(['\n', '\r', ';', '{', '}', '#', '\\'])
        && is_balanced(&value.value)
        && is_closed(&value.value);
    if !is_good {
        values.error(
            Code::WRONG_VALUE,
            value.span,
            format!("`{}` is not an expression of C", names::short(&value.value, 40)),
            "write a macro, an enumerator, a variable, or arithmetic of such, without comments",
        );
    }
    is_good.then_some(Constant { name, class: None, value })
}

/// Without comments, and with all quotes closed.
fn is_closed(text: &str) -> bool {
    let mut inside = None;
    let mut before = ' ';
    for c in text.chars() {
        match inside {
            Some(quote) if c == quote => inside = None,
            Some(_) => {}
            None if c == '"' || c == '\'' => inside = Some(c),
            None if before == '/' && (c == '/' || c == '*') => return false,
            None => {}
        }
        before = c;
    }
    inside.is_none()
}

/// Every opening parenthesis is closed.
fn is_balanced(text: &str) -> bool {
    let mut depth = 0usize;
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return false,
            ')' => depth -= 1,
            _ => {}
        }
    }
    depth == 0
}

/// The constants of an interface: names in sizes have no other place here.
pub(super) fn written(interface: &Interface) -> Vec<String> {
    let is_listed =
        |name: &&String| !interface.constants.iter().any(|one| one.value.value == **name);
    let found = interface.header_constants.iter().filter(is_listed).map(|name| quoted(name));
    interface.constants.iter().map(entry).chain(found).collect()
}

/// The name of a constant, alone if the value has the same name.
pub(super) fn entry(one: &Constant) -> String {
    let (name, value) = (&one.name.value, quoted(&one.value.value));
    match &one.class {
        Some(class) => inline_table(&[(format!("{}.{}", key(&class.value), key(name)), value)]),
        None if *name == one.value.value => value,
        None => inline_table(&[(key(name), value)]),
    }
}
