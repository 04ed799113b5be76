//! The interface file.
//!
//! Purpose: parse the `.toml` that describes a module to an [`Interface`].
//! Invariant: the interface contains only parts without errors; every error has a diagnostic, so an
//! interface without diagnostics is complete.
//! Reason: later phases can report mistakes in the valid parts, and all errors appear at once.

mod callback;
mod class;
mod code;
mod condition;
mod constant;
mod dtypes;
mod enumeration;
mod field;
mod function;
mod handle;
mod items;
mod locals;
mod mapping;
mod module;
mod overridable;
mod released;
mod schema;
mod status;
mod stored;
mod structure;
mod syntax;
mod types;
mod unpacked;
mod values;
mod write;

pub use module::EDITION;
pub use schema::json_schema;
pub use write::{write, write_function};

use crate::names;
use fishplate_model::{Diagnostic, Interface, Source, Span};
use toml::de::DeTable;
use values::Values;

/// The content of a file, and its errors.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The valid parts.
    pub interface: Interface,
    /// The errors, in the order of the file.
    pub diagnostics: Vec<Diagnostic>,
}

/// The tables of an interface.
const TABLES: &[&str] = &[
    "module",
    "types",
    "status",
    "exceptions",
    "constants",
    "dtypes",
    "enum",
    "struct",
    "handle",
    "callback",
    "function",
];

/// Reads an interface file.
pub fn read(source: Source) -> Reading {
    let (root, errors) = DeTable::parse_recoverable(&source.text);
    let mut values = Values::new(&source.text);
    syntax::report(&errors, &mut values);
    let interface = document(root.get_ref(), &mut values);
    let mut diagnostics = values.into_diagnostics();
    diagnostics.sort_by_key(|found| found.primary.span);
    Reading { interface: Interface { source, ..interface }, diagnostics }
}

/// Everything in the file but its source.
fn document(root: &DeTable<'_>, values: &mut Values<'_>) -> Interface {
    let mut interface = Interface::default();
    let mut module = None;
    let mut types = crate::prototype::Types::default();
    let (mut declared, mut unpacked) = (Vec::new(), Vec::new());
    let mut place = Span::new(0, 0);
    // Declarations that functions use come first, wherever they are in the file.
    for (key, value) in values.entries(root) {
        let name = key.value.as_str();
        if !matches!(name, "types" | "status" | "exceptions") {
            continue;
        }
        let Some(table) = values.table(name, value) else { continue };
        match name {
            "types" => (types, interface.types) = types::read(table, values),
            "status" => interface.status = status::read(table, values),
            _ => interface.exceptions = status::exceptions(value, values),
        }
    }
    // A struct may contain others, and all other tables may be pointees of handles.
    for name in ["enum", "struct", "handle"] {
        let Some(value) = root.get(name) else { continue };
        let Some(table) = values.table(name, value) else { continue };
        match name {
            "enum" => interface.enums = enumeration::read_all(table, &mut types, values),
            "struct" => {
                (interface.structs, unpacked) = structure::read_all(table, &mut types, values)
            }
            _ => declared = handle::declare(table, &mut types, values),
        }
    }
    for (key, value) in values.entries(root) {
        if key.value == "callback"
            && let Some(table) = values.table("callback", value)
        {
            interface.callbacks = callback::read_all(table, &mut types, values);
        }
    }
    interface.unpacked = unpacked::read_all(unpacked, &mut types, values);
    overridable::declare(root, &declared, &mut types, values);
    (interface.handles, interface.functions) = handle::read_all(declared, &types, values);
    for (key, value) in values.entries(root) {
        match key.value.as_str() {
            "types" | "status" | "exceptions" | "enum" | "struct" | "handle" | "callback" => {}
            "dtypes" => {
                if let Some(table) = values.table("dtypes", value) {
                    interface.dtypes = dtypes::read_all(table, values);
                }
            }
            "constants" => {
                if let Some(table) = values.table("constants", value) {
                    interface.constants = constant::read(table, values);
                }
            }
            "module" => {
                place = values.span(value);
                let table = values.table("module", value);
                module = Some(table.map(|table| module::read(table, place, values)));
            }
            "function" => {
                if let Some(table) = values.table("function", value) {
                    interface.functions.extend(function::read_all(
                        table,
                        &types,
                        &interface.handles,
                        values,
                    ));
                }
            }
            _ if values.may_be_misplaced(&key) => {}
            name => {
                let (meant, hint) = unknown_table(name);
                let message = format!("unknown key `{}`", names::short(name, 40));
                values.unknown_but(&key, meant, message, hint);
            }
        }
    }
    if module.is_none() {
        values.missing(
            root,
            "module",
            Span::new(0, 0),
            "missing table `[module]`",
            "add `[module]` with `name = \"...\"`, the name to import",
        );
    }
    // A module may consist of classes and constants only.
    let has_others =
        ["constants", "enum", "struct", "handle"].iter().any(|name| root.get(*name).is_some());
    let any = has_others
        || root.get("function").is_some_and(|value| {
            value.get_ref().as_table().is_none_or(|functions| !functions.is_empty())
        });
    if !any {
        values.missing(
            root,
            "function",
            place,
            "this interface has no functions",
            "add `[function.NAME]` with `proto = \"...\"`, a C prototype",
        );
    }
    released::free_by_delete(&mut interface);
    interface.module = module.flatten().unwrap_or_default();
    interface
}

/// The table that was probably meant, and a hint.
fn unknown_table(name: &str) -> (Option<&'static str>, String) {
    let of_tables = [
        (module::KEYS, "[module]"),
        (status::KEYS, "[status]"),
        (constant::KEYS, "[constants]"),
        (function::KEYS, "[function.NAME]"),
    ];
    if let Some((_, table)) = of_tables.iter().find(|(keys, _)| keys.contains(&name)) {
        return (None, format!("write `{name}` below `{table}`"));
    }
    let meant = names::closest(name, TABLES.iter().copied());
    let hint = match meant {
        Some("function") => "did you mean `function`, as in `[function.NAME]`?".to_owned(),
        Some(table) => format!("did you mean `[{table}]`?"),
        None => "its tables are `[module]`, `[types]`, `[status]`, `[exceptions]`, `[constants]`, \
             `[dtypes.NAME]`, `[enum.NAME]`, `[struct.NAME]`, `[handle.NAME]`, `[callback.NAME]` and `[function.NAME]`"
            .to_owned(),
    };
    (meant, hint)
}

#[cfg(test)]
mod tests;
