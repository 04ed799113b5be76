//! The `[enum.NAME]` tables.
//!
//! Purpose: parse enums: the types, and their values.
//! Invariant: the types are declared before any prototype is read, since all prototypes may use
//! them.
//! Reason: only the compiler can determine the values, and the width of the type.

use super::class;
use super::constant;
use super::values::{Value, Values};
use crate::names;
use crate::prototype::Types;
use fishplate_model::{Enum, Spanned, Type};
use toml::de::DeTable;

/// The keys of `[enum.NAME]`.
pub(super) const KEYS: &[&str] = &["doc", "ctype", "values", "prefix", "flags"];

/// Examples for hints.
const CTYPE: &str = "ctype = \"enum color\"";
const VALUES: &str = "values = [\"RED\", \"GREEN\"]";

/// Reads all tables, and declares their types. A faulty table is omitted.
pub(super) fn read_all(
    table: &DeTable<'_>,
    types: &mut Types,
    values: &mut Values<'_>,
) -> Vec<Enum> {
    let mut found = Vec::new();
    for (name, value) in values.entries(table) {
        let Some(table) = values.named_table("enum", &name, value, CTYPE) else { continue };
        values.diagnostics().extend(names::refuse_member(&name, "a class"));
        let mut members = values.entries(table);
        members.retain(|(key, value)| is_member(&key.value, value));
        if members.len() < table.len() || table.is_empty() {
            found.extend(read(name.clone(), value, table, types, values));
        }
        for (member, value) in members {
            values.diagnostics().extend(names::refuse_member(&member, "a class"));
            let full = Spanned::new(format!("{}.{}", name.value, member.value), member.span);
            let Some(table) = values.named_table("enum", &full, value, CTYPE) else { continue };
            found.extend(read(full, value, table, types, values));
        }
    }
    found
}

/// `[enum.CLASS.NAME]`: an enum that is an attribute of a class.
fn is_member(key: &str, value: &Value<'_>) -> bool {
    value.get_ref().as_table().is_some() && !KEYS.contains(&key)
}

fn read(
    name: Spanned<String>,
    value: &Value<'_>,
    table: &DeTable<'_>,
    types: &mut Types,
    values: &mut Values<'_>,
) -> Option<Enum> {
    let (mut doc, mut flags, mut ctype) = (String::new(), false, None);
    for (key, value) in values.entries(table) {
        match key.value.as_str() {
            "values" | "prefix" => {}
            inner if is_member(inner, value) && !name.value.contains('.') => {}
            "ctype" => {
                ctype = class::ctype(Type::Enum(name.value.clone()), value, CTYPE, types, values)
            }
            "doc" => {
                let text = values.string("doc", value, "doc = \"Colors that there are.\"");
                doc = text.map(|doc| doc.value).unwrap_or_default();
            }
            "flags" => flags = values.boolean("flags", true, value) == Some(true),
            _ => values.unknown("an enum", &key, KEYS),
        }
    }
    values.report_missing("enum", &name, value, &[("ctype", CTYPE), ("values", VALUES)]);
    let ctype = ctype?;
    let values = constant::named(table, "a value", values);
    Some(Enum { name, doc, ctype, flags, values })
}
