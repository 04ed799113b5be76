//! The `[handle.NAME]` tables.
//!
//! Purpose: parse classes of objects that C identifies by a pointer: the type, the constructor, the
//! destructor.
//! Invariant: the types are declared before any prototype is read, since all prototypes may use
//! them.
//! Reason: a constructor is a function like any other, so the same code parses it.

use super::code::{one_piece, uses};
use super::function;
use super::mapping;
use super::values::{Value, Values};
use crate::names;
use crate::prototype::Types;
use crate::prototype::lexer::{self, Kind, Token};
use fishplate_model::{CType, Code, Destructor, Diagnostic, Function, Handle, Span, Spanned};
use toml::de::{DeTable, DeValue};

/// The keys of `[handle.NAME]`.
pub(super) const KEYS: &[&str] = &["doc", "ctype", "new", "free", "threads"];

/// An example for hints.
const CTYPE: &str = "ctype = \"gsl_rng *\"";

/// A handle whose type is known, and its table.
pub(super) struct Declared<'t, 'v> {
    name: Spanned<String>,
    ctype: CType,
    table: &'t DeTable<'v>,
    value: &'t Value<'v>,
}

/// Declares the types of all handles. A faulty type is reported here, and the handle omitted.
pub(super) fn declare<'t, 'v>(
    table: &'t DeTable<'v>,
    types: &mut Types,
    values: &mut Values<'_>,
) -> Vec<Declared<'t, 'v>> {
    let mut declared = Vec::new();
    for (name, value) in values.entries(table) {
        let shown = names::short(&name.value, 40);
        let Some(table) = values.named_table("handle", &name, value, CTYPE) else { continue };
        values.diagnostics().extend(names::refuse_function(&name));
        let Some((_, text)) =
            values.entries(table).into_iter().find(|(key, _)| key.value == "ctype")
        else {
            let message = format!("the handle `{shown}` has no `ctype`");
            values.missing(values.span(value), message, format!("add `{CTYPE}`, its type in C"));
            report_unknown(table, values);
            continue;
        };
        if let Some(ctype) = self::ctype(&name, text, types, values) {
            declared.push(Declared { name, ctype, table, value });
        }
    }
    declared
}

/// `gsl_rng *`, `struct db *`, `fftw_plan`
fn ctype(
    name: &Spanned<String>,
    value: &Value<'_>,
    types: &mut Types,
    values: &mut Values<'_>,
) -> Option<CType> {
    let text = values.string("ctype", value, CTYPE)?;
    let map = values.map(value.span(), &text.value);
    let tokens = lexer::lex(&text.value, &map, values.diagnostics());
    let star = tokens.last().is_some_and(|last| last.is("*"));
    let words = &tokens[..tokens.len() - usize::from(star)];
    let spelled: Vec<&str> = words.iter().map(|word| word.text).collect();
    if star && spelled == ["void"] {
        return untyped(name, text.span, types, values);
    }
    if words.is_empty() || !words.iter().all(is_type_word) {
        values.error(
            Code::WRONG_VALUE,
            text.span,
            format!("`{}` is not the type of a pointer", names::short(&text.value, 40)),
            format!("write it as the headers do, without `const`, as in `{CTYPE}`"),
        );
        return None;
    }
    if !types.insert_handle(&spelled, star, &name.value) {
        values.error(
            Code::DUPLICATE_NAME,
            text.span,
            format!("`{}` is a type already", names::short(&spelled.join(" "), 40)),
            "a type is one handle, or a number: remove one of the two",
        );
        return None;
    }
    types.handle(words, usize::from(star), false).map(|(ctype, _)| ctype)
}

/// A `void *`, which other handles may be, too: prototypes spell it by the name of the handle.
fn untyped(
    name: &Spanned<String>,
    span: Span,
    types: &mut Types,
    values: &mut Values<'_>,
) -> Option<CType> {
    let ctype = types.insert_untyped_handle(&name.value, span);
    if ctype.is_none() {
        values.error(
            Code::DUPLICATE_NAME,
            name.span,
            format!("`{}` is a type already", names::short(&name.value, 40)),
            "prototypes spell a handle that is a `void *` by its name: choose another",
        );
    }
    ctype
}

fn is_type_word(token: &Token<'_>) -> bool {
    token.kind == Kind::Word
        && (matches!(token.text, "struct" | "union") || !names::is_c_keyword(token.text))
}

/// Reads the constructors and destructors of the handles.
pub(super) fn read_all(
    declared: Vec<Declared<'_, '_>>,
    types: &Types,
    values: &mut Values<'_>,
) -> Vec<Handle> {
    declared.into_iter().map(|handle| read(handle, types, values)).collect()
}

fn read(declared: Declared<'_, '_>, types: &Types, values: &mut Values<'_>) -> Handle {
    let Declared { name, ctype, table, value } = declared;
    let mut handle = Handle {
        name,
        doc: String::new(),
        ctype,
        safety: None,
        constructor: None,
        destructor: None,
    };
    for (key, value) in values.entries(table) {
        match key.value.as_str() {
            "ctype" => {}
            "doc" => {
                let doc = values.string("doc", value, "doc = \"A generator of random numbers.\"");
                handle.doc = doc.map(|doc| doc.value).unwrap_or_default();
            }
            "new" => {
                handle.constructor = constructor(&handle.name, value, types, values);
            }
            "threads" => handle.safety = mapping::safety(value, values),
            "free" => handle.destructor = destructor(value, values),
            _ => {}
        }
    }
    report_unknown(table, values);
    if let Some(constructor) = &mut handle.constructor {
        constructor.doc.clone_from(&handle.doc);
    }
    let makes = handle.constructor.as_ref().map(|made| made.overloads[0].c_name.span);
    if let (Some(place), None) = (makes, &handle.destructor)
        && table.get("free").is_none()
    {
        let message = format!("no function frees a `{}`", names::short(&handle.name.value, 40));
        let hint = "add `free = \"...\"`, the C function that destroys it";
        let found = Diagnostic::error(Code::MISSING_KEY, values.span(value), message, hint);
        values.diagnostics().push(found.also(place, "this creates one"));
    }
    handle
}

fn report_unknown(table: &DeTable<'_>, values: &mut Values<'_>) {
    for (key, _) in values.entries(table) {
        if !KEYS.contains(&key.value.as_str()) {
            values.unknown("a handle", &key, KEYS);
        }
    }
}

/// Prototypes, or a table with the keys of a function.
fn constructor(
    name: &Spanned<String>,
    value: &Value<'_>,
    types: &Types,
    values: &mut Values<'_>,
) -> Option<Function> {
    if let DeValue::Table(table) = value.get_ref()
        && table.get("proto").is_some()
    {
        return function::read(name.clone(), table, value, types, values);
    }
    let mut constructor = Function::named(name.clone());
    function::overloads(value, types, values, &mut constructor.overloads);
    (!constructor.overloads.is_empty()).then_some(constructor)
}

/// The name of a C function, or an expression over `object`.
fn destructor(value: &Value<'_>, values: &mut Values<'_>) -> Option<Destructor> {
    const FREE: &str = "free = \"gsl_rng_free\"";
    let code = values.string("free", value, FREE)?;
    if code.value.contains('(') && uses(&code.value, "object") {
        return one_piece("free", code, values).map(Destructor::Expression);
    }
    if names::is_qualified(&code.value) && !names::is_c_keyword(&code.value) {
        return Some(Destructor::Function(code));
    }
    let shown = names::short(&code.value, 40);
    let (message, hint) = if code.value.contains('(') {
        (
            format!("`{shown}` does not use `object`, the pointer that it frees"),
            "write it where the function takes the pointer, as in `free = \"sym_free(&object)\"`"
                .to_owned(),
        )
    } else {
        (
            format!("`{shown}` is not the name of a C function"),
            format!(
                "write the name only, as in `{FREE}`: it is called with the pointer; or an expression over \
                 `object`, as in `free = \"sym_free(&object)\"`"
            ),
        )
    };
    values.error(Code::BAD_NAME, code.span, message, hint);
    None
}

/// True for methods of an undeclared handle, which is reported.
pub(super) fn refuse_methods(
    name: &Spanned<String>,
    value: &Value<'_>,
    handles: &[Handle],
    values: &mut Values<'_>,
) -> bool {
    let DeValue::Table(table) = value.get_ref() else { return false };
    let has_proto = |method: &Value<'_>| {
        method.get_ref().as_table().is_some_and(|method| method.get("proto").is_some())
    };
    if table.is_empty() || !table.values().all(has_proto) {
        return false;
    }
    let shown = names::short(&name.value, 40);
    let known = handles.iter().map(|handle| handle.name.value.as_str());
    let hint = match names::closest(&name.value, known) {
        Some(handle) => format!("did you mean `[function.{handle}.NAME]`?"),
        None => format!(
            "a function's name has no dots; methods of a handle need its table, `[handle.{shown}]`"
        ),
    };
    let message = format!("no handle is called `{shown}`, and only handles have methods");
    values.error(Code::UNKNOWN_NAME, name.span, message, hint);
    true
}

/// The methods below their handle's name: `[function.Rng.uniform]`. `None` if `table` is a single
/// function.
pub(super) fn methods<'t, 'v>(
    name: &str,
    value: &'t Value<'v>,
    handles: &[Handle],
) -> Option<&'t DeTable<'v>> {
    let DeValue::Table(table) = value.get_ref() else { return None };
    let is_handle = handles.iter().any(|handle| handle.name.value == name);
    (is_handle && table.get("proto").is_none()).then_some(table)
}
