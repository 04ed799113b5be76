//! Handles whose objects the module stores: `storage`, `init`.
//!
//! Purpose: parse how a new object begins, and the constructor of a class that needs no other.
//! Invariant: C is unchanged; the C compiler checks it at its place.
//! Reason: many libraries leave it to their callers where an object is: in a variable, or in a larger object.

use super::code::{self, one_piece, uses};
use super::values::{Value, Values, kind};
use crate::names;
use fishplate_model::{
    Argument, CResult, CType, Callee, Code, Function, Initializer, Intent, NewObject, Overload,
    Owner, Passing, Pointee, ReturnedPointer, Spanned, StoredValue,
};
use toml::de::{DeTable, DeValue};

const INIT: &str = "init = \"mpfr_init\"";
const CHECKED: &str = "init = { call = \"igraph_vector_init(object, 0)\", success = 0 }";

/// The keys of `init`.
const KEYS: &[&str] = &["call", "success", "message"];

/// The name of the C function that a constructor without `new` calls.
pub(super) fn beginning(class: &str) -> String {
    format!("fpo_{class}")
}

/// `storage = "value"`. Another value is reported with the other keys.
pub(super) fn is_value(table: &DeTable<'_>) -> bool {
    table.get("storage").is_some_and(|value| value.get_ref().as_str() == Some("value"))
}

/// How objects begin, if the module stores them.
pub(super) fn read(
    table: &DeTable<'_>,
    array: Option<Spanned<String>>,
    values: &mut Values<'_>,
) -> Option<StoredValue> {
    let mut is_stored = false;
    if let Some(value) = table.get("storage") {
        is_stored = values.choice("storage", value, &[("value", true), ("pointer", false)])?;
    }
    let init = table.get("init").and_then(|value| {
        if !is_stored {
            values.error(
                Code::WRONG_VALUE,
                values.span(value),
                "`init` is for objects that the module stores",
                "add `storage = \"value\"`; where C allocates the objects, `new` has the function that does",
            );
        }
        initializer(value, values)
    });
    is_stored.then_some(StoredValue { init, array })
}

/// The name of a C function, an expression over `object`, or a table.
fn initializer(value: &Value<'_>, values: &mut Values<'_>) -> Option<Initializer> {
    let (mut call, mut success, mut message) = (None, None, None);
    match value.get_ref() {
        DeValue::String(_) => call = Some(value),
        DeValue::Table(table) => {
            for (key, value) in values.entries(table) {
                match key.value.as_str() {
                    "call" => call = Some(value),
                    "success" => success = self::success(value, values),
                    "message" => {
                        let example = "message = \"igraph_strerror(status)\"";
                        let code = values.string("message", value, example);
                        message = code.and_then(|code| code::message(code, values));
                    }
                    _ => values.unknown("`init`", &key, KEYS),
                }
            }
            if call.is_none() {
                let message = "`init` has no `call`".to_owned();
                values.missing(
                    table,
                    "call",
                    values.span(value),
                    message,
                    format!("write `{CHECKED}`"),
                );
            }
            let zero = || Spanned::new("status == 0".to_owned(), values.span(value));
            success = success.or_else(|| Some(zero()));
        }
        other => {
            let message = format!("`init` is C or a table, not {}", kind(other));
            values.wrong(value, message, format!("write `{INIT}`, or `{CHECKED}`"));
        }
    }
    let code = one_piece("init", values.string("init", call?, INIT)?, values)?;
    let is_name = names::is_qualified(&code.value) && !names::is_c_keyword(&code.value);
    if !is_name && !uses(&code.value, "object") {
        values.error(
            Code::BAD_NAME,
            code.span,
            format!("`{}` does not use `object`, the new object", names::short(&code.value, 40)),
            format!(
                "write the name of a function that is called with a pointer to it, as in `{INIT}`, or an expression, as \
                 in `init = \"object->version = PNG_IMAGE_VERSION\"`"
            ),
        );
        return None;
    }
    Some(Initializer { code, success, message })
}

/// `0`, or `"status >= 0"`.
fn success(value: &Value<'_>, values: &mut Values<'_>) -> Option<Spanned<String>> {
    if let DeValue::Integer(number) = value.get_ref() {
        let parsed = i128::from_str_radix(number.as_str(), number.radix()).ok()?;
        return Some(Spanned::new(format!("status == {parsed}"), values.span(value)));
    }
    let code = values.string("success", value, "success = \"status >= 0\"")?;
    if !uses(&code.value, "status") {
        values.error(
            Code::BAD_NAME,
            code.span,
            format!(
                "`{}` does not use `status`, the value of `call`",
                names::short(&code.value, 40)
            ),
            "write an expression that is true for success, as in `success = \"status >= 0\"`",
        );
        return None;
    }
    one_piece("success", code, values)
}

/// The constructor of a class without `new`: an object as it begins.
pub(super) fn constructor(name: &Spanned<String>, ctype: &CType) -> Function {
    let span = ctype.span;
    let out_pointer = ReturnedPointer {
        holds: Pointee::One,
        owner: Owner::Caller(None),
        keeps: Vec::new(),
        stored: Some(NewObject::ByClass),
    };
    let object = Argument {
        intent: Some(Spanned::new(Intent::Out, span)),
        ..Argument::new(
            Spanned::new("object".to_owned(), span),
            span,
            ctype.clone(),
            Passing::OutPointer(out_pointer),
        )
    };
    let mut constructor = Function::named(name.clone());
    constructor.overloads.push(Overload {
        text: format!("void init(out {} object)", ctype.written()),
        span,
        c_name: Spanned::new(beginning(&name.value), span),
        result: CResult::Void,
        arguments: [object].into_iter().collect(),
        unpacked: Vec::new(),
        adapter: None,
        kinds: None,
        callee: Callee::Function,
    });
    constructor
}
