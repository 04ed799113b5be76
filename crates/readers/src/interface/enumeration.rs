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
    let (mut doc, mut flags, mut ctype) = (String::new(), false, None);
    for (key, value) in values.entries(table) {
        match key.value.as_str() {
            "values" | "prefix" => {}
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
