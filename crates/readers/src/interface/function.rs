//! The `[function.NAME]` tables.
//!
//! Purpose: parse each function's documentation, overloads, and results.
//! Invariant: functions keep the order of the file, and so do overloads.
//! Reason: overloads are tried in order, and a generated module should list its functions in source
//! order.

use super::handle;
use super::mapping;
use super::status;
use super::values::{Value, Values, kind};
use crate::names;
use crate::prototype::{self, Types};
use fishplate_model::{CResult, Code, Expr, Function, Gil, Handle, Overload, Spanned};
use toml::de::{DeTable, DeValue};

/// The keys of `[function.NAME]`.
pub(super) const KEYS: &[&str] = &[
    "doc",
    "descriptions",
    "proto",
    "property",
    "operator",
    "kinds",
    "ellipses",
    "threads",
    "device",
    "returns",
    "status",
    "gil",
    "work",
    "query",
    "locals",
    "sparse",
    "pre-call",
    "post-call",
];

/// An example for hints.
const PROTO: &str = "proto = \"double f(double x)\"";

/// Reads all functions. One without a valid overload is omitted: it has diagnostics.
pub(super) fn read_all(
    table: &DeTable<'_>,
    types: &Types,
    handles: &[Handle],
    values: &mut Values<'_>,
) -> Vec<Function> {
    let mut functions = Vec::new();
    for (name, value) in values.entries(table) {
        if let Some(methods) = handle::methods(&name.value, value, handles) {
            let mut methods = read_all(methods, types, &[], values);
            for method in &mut methods {
                method.class = Some(name.value.clone());
            }
            functions.append(&mut methods);
        } else if KEYS.contains(&name.value.as_str()) && !value.get_ref().is_table() {
            values.wrong(
                value,
                format!("`{}` is below `[function]`, which does not name a function", name.value),
                "write `[function.NAME]` with the name that the host will use",
            );
        } else if !handle::refuse_methods(&name, value, handles, values)
            && let Some(table) = function_table(&name, value, values)
        {
            values.diagnostics().extend(names::refuse_function(&name));
            functions.extend(read(name, table, value, types, values));
        }
    }
    functions
}

fn function_table<'t, 'v>(
    name: &Spanned<String>,
    value: &'t Value<'v>,
    values: &mut Values<'_>,
) -> Option<&'t DeTable<'v>> {
    let shown = names::short(&name.value, 40);
    match value.get_ref() {
        DeValue::Table(table) => return Some(table),
        DeValue::Array(array) if array.iter().any(|entry| entry.get_ref().is_table()) => {
            values.wrong(
                value,
                format!("the function `{shown}` is a list of tables"),
                format!(
                    "write one `[function.{shown}]`, and overloads as `proto = [\"...\", \"...\"]`"
                ),
            );
        }
        other => {
            let kind = kind(other);
            values.wrong(
                value,
                format!("the function `{shown}` is a table, not {kind}"),
                format!("write `[function.{shown}]`, and `{PROTO}` below"),
            );
        }
    }
    None
}

pub(super) fn read(
    name: Spanned<String>,
    table: &DeTable<'_>,
    value: &Value<'_>,
    types: &Types,
    values: &mut Values<'_>,
) -> Option<Function> {
    let mut function = Function::named(name);
    let mut written = None;
    let mut kinds = None;
    let mut locals = None;
    let mut described = Vec::new();
    for (key, value) in values.entries(table) {
        match key.value.as_str() {
            "doc" => {
                let doc = values.string("doc", value, "doc = \"Arithmetic mean.\"");
                function.doc = doc.map(|doc| doc.value).unwrap_or_default();
            }
            "descriptions" => described = descriptions(value, values),
            "proto" => written = Some(overloads(value, types, values, &mut function.overloads)),
            "property" => {
                let is_property = values.boolean("property", true, value);
                function.property = (is_property == Some(true)).then(|| values.span(value));
            }
            "operator" => function.operator = mapping::operator(value, values),
            "kinds" => kinds = Some(mapping::kinds(value, values)),
            "ellipses" => function.ellipses = mapping::ellipses(value, values),
            "threads" => mapping::threads(&mut function, value, values),
            "device" => function.device = mapping::device(value, values),
            "work" => {
                function.work = expression("work", value, "work = \"m * n\"", types, values);
            }
            "query" => function.query = query(value, types, values),
            "locals" => locals = Some(value),
            "sparse" => function.sparse = sparse(value, types, values),
            "pre-call" => {
                function.pre_call = values.string("pre-call", value, "pre-call = \"n -= 1;\"")
            }
            "post-call" => {
                function.post_call =
                    values.string("post-call", value, "post-call = \"result += 1;\"");
            }
            "returns" => function.returns = Some(values.strings("returns", value, "[\"y\"]")),
            "status" => {
                function.status = status::of(value, values);
            }
            "gil" => function.gil = gil(value, values),
            other if value.get_ref().is_table() && !KEYS.contains(&other) => {
                let (shown, other) = (&function.name.value, names::short(other, 40));
                let message = format!("`{}` has no table `{other}`", names::short(shown, 40));
                let hint = "a function's name has no dots; its keys are below its own header";
                values.error(Code::UNKNOWN_KEY, key.span, message, hint);
            }
            _ => values.unknown("a function", &key, KEYS),
        }
    }
    if let Some(locals) = locals {
        super::locals::add(locals, types, &mut function.overloads, values);
    }
    match written {
        None => values.missing(
            table,
            "proto",
            values.span(value),
            format!("the function `{}` has no `proto`", names::short(&function.name.value, 40)),
            format!("add `{PROTO}`, its C prototype"),
        ),
        // The outputs that `returns` names may belong to a prototype that could not be read.
        Some(count) if count != function.overloads.len() => function.returns = None,
        Some(_) => report_unknown_descriptions(&described, &function, values),
    }
    function.descriptions = described.into_iter().map(|(name, text)| (name.value, text)).collect();
    if let Some(kinds) = kinds {
        for overload in &mut function.overloads {
            // A prototype for one kind was marked as such before.
            overload.kinds.get_or_insert_with(|| kinds.clone());
        }
    }
    (!function.overloads.is_empty()).then_some(function)
}

/// Reads one prototype, a list of them, or a table of kinds, and returns how many there should have
/// been.
pub(super) fn overloads(
    value: &Value<'_>,
    types: &Types,
    values: &mut Values<'_>,
    overloads: &mut Vec<Overload>,
) -> usize {
    match value.get_ref() {
        DeValue::Array(array) if array.is_empty() => {
            let message = "`proto` is an empty list";
            let hint = format!("write at least one C prototype, as in `{PROTO}`");
            values.error(Code::MISSING_KEY, values.span(value), message, hint);
            0
        }
        DeValue::Array(array) => {
            let mut count = 0;
            for entry in array {
                // The keys of a table in a list apply to its own prototypes only.
                if let DeValue::Table(_) = entry.get_ref() {
                    count += self::overloads(entry, types, values, overloads);
                } else {
                    count += self::overload(entry, types, values, overloads);
                }
            }
            count
        }
        DeValue::String(_) => self::overload(value, types, values, overloads),
        DeValue::Table(table) => {
            let mut count = 0;
            for (key, value) in values.entries(table) {
                let first = overloads.len();
                count += self::overloads(value, types, values, overloads);
                mapping::set_kind(&key, &mut overloads[first..], values);
            }
            count
        }
        other => {
            let message =
                format!("`proto` is a C prototype or a list of them, not {}", kind(other));
            values.wrong(value, message, format!("write `{PROTO}`"));
            1
        }
    }
}

/// Reads one prototype, and returns how many functions it has, or should have had.
fn overload(
    value: &Value<'_>,
    types: &Types,
    values: &mut Values<'_>,
    overloads: &mut Vec<Overload>,
) -> usize {
    let Some(text) = value.get_ref().as_str() else {
        values.string("proto", value, PROTO);
        return 1;
    };
    // Half a string would only cause errors about half a prototype.
    if values.is_broken(value) {
        return 1;
    }
    let map = values.map(value.span(), text);
    let read = prototype::read_all(text, &map, types, values.diagnostics());
    let count = read.len().max(1);
    overloads.extend(read);
    count
}

/// The descriptions of arguments, by name.
fn descriptions(value: &Value<'_>, values: &mut Values<'_>) -> Vec<(Spanned<String>, String)> {
    let DeValue::Table(table) = value.get_ref() else {
        let message = format!("`descriptions` is a table, not {}", kind(value.get_ref()));
        values.wrong(value, message, "write `descriptions = { x = \"The samples.\" }`");
        return Vec::new();
    };
    let mut described = Vec::new();
    for (name, value) in values.entries(table) {
        let text = values.string(&name.value, value, "x = \"The samples.\"");
        described.extend(text.map(|text| (name, text.value)));
    }
    described
}

/// Reports descriptions of names that no overload has.
fn report_unknown_descriptions(
    described: &[(Spanned<String>, String)],
    function: &Function,
    values: &mut Values<'_>,
) {
    let arguments = function.overloads.iter().flat_map(|overload| &overload.arguments);
    let mut known: Vec<&str> = arguments.map(|argument| argument.name.value.as_str()).collect();
    if function.overloads.iter().any(|overload| overload.result != CResult::Void) {
        known.push("result");
    }
    for (name, _) in described.iter().filter(|(name, _)| !known.contains(&name.value.as_str())) {
        let (shown, of) = (names::short(&name.value, 40), names::short(&function.name.value, 40));
        let message = format!("`descriptions` names `{shown}`, which is not an argument of `{of}`");
        let hint = match names::closest(&name.value, known.iter().copied()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => "name an argument of the prototype, or `result`".to_owned(),
        };
        values.error(Code::UNKNOWN_KEY, name.span, message, hint);
    }
}

fn query(value: &Value<'_>, types: &Types, values: &mut Values<'_>) -> Option<Expr> {
    expression("query", value, "query = \"names(NULL, 0, &n)\"", types, values)
}

/// The sparse matrices, by the name of the argument.
pub(super) fn sparse(
    value: &Value<'_>,
    types: &Types,
    values: &mut Values<'_>,
) -> Vec<(Spanned<String>, Expr)> {
    const EXAMPLE: &str = "sparse = { a = \"csr(indptr, indices, data, m, n)\" }";
    let DeValue::Table(table) = value.get_ref() else {
        let message = format!("`sparse` is a table, not {}", kind(value.get_ref()));
        values.wrong(value, message, format!("write `{EXAMPLE}`"));
        return Vec::new();
    };
    let mut all = Vec::new();
    for (name, value) in values.entries(table) {
        let read = expression(&name.value, value, EXAMPLE, types, values);
        all.extend(read.map(|read| (name, read)));
    }
    all
}

fn expression(
    key: &str,
    value: &Value<'_>,
    example: &str,
    types: &Types,
    values: &mut Values<'_>,
) -> Option<Expr> {
    let text = values.string(key, value, example)?;
    if values.is_broken(value) {
        return None;
    }
    let map = values.map(value.span(), &text.value);
    prototype::read_query(&text.value, &map, types, values.diagnostics())
}

fn gil(value: &Value<'_>, values: &mut Values<'_>) -> Gil {
    let choices = [("auto", Gil::Auto), ("hold", Gil::Hold), ("release", Gil::Release)];
    values.choice("gil", value, &choices).unwrap_or_default()
}
