//! The `[callback.NAME]` tables.
//!
//! Purpose: parse types for callbacks: their names in the header, and the prototypes by which they
//! are called.
//! Invariant: they are declared before any prototype of a function is read, since all may use them.
//! Reason: a type is written once, however many functions take it.

use super::values::{Value, Values};
use crate::names;
use crate::prototype::lexer::{self, Kind};
use crate::prototype::{self, Form, Types};
use fishplate_model::{
    CType, Callback, CallbackForm, CallbackType, Code, Expr, Overload, Span, Spanned,
};
use toml::de::DeTable;

/// The keys of `[callback.NAME]`.
pub(super) const KEYS: &[&str] = &["ctype", "proto", "function", "data", "fails"];

const CTYPE: &str = "ctype = \"gsl_function\"";
const ASKS: &str = "data = \"sqlite3_user_data(ctx)\"";
const PROTO: &str = "proto = \"double f(double x, void *params)\"";

/// Reads all of them, and declares their types.
pub(super) fn read_all(
    table: &DeTable<'_>,
    types: &mut Types,
    values: &mut Values<'_>,
) -> Vec<CallbackType> {
    let mut read = Vec::new();
    for (name, value) in values.entries(table) {
        let Some(table) = values.named_table("callback", &name, value, CTYPE) else { continue };
        let one = Keys::read(table, types, values);
        read.extend(one.callback(name, table, values.span(value), types, values));
    }
    read
}

/// The content of a table.
#[derive(Default)]
struct Keys {
    ctype: Option<Spanned<String>>,
    overload: Option<Overload>,
    function: Option<Spanned<String>>,
    data: Option<Spanned<String>>,
    /// `data` as C, if it is not a member.
    asks: Option<Expr>,
    fails: Vec<Expr>,
    /// It has a prototype, valid or not.
    has_proto: bool,
}

impl Keys {
    fn read(table: &DeTable<'_>, types: &Types, values: &mut Values<'_>) -> Self {
        let mut keys = Keys::default();
        let is_struct = table.keys().any(|key| key.get_ref() == "function");
        for (key, value) in values.entries(table) {
            match key.value.as_str() {
                "ctype" => keys.ctype = values.string("ctype", value, CTYPE),
                "proto" => {
                    keys.has_proto = true;
                    if let Some(text) = values.string("proto", value, PROTO)
                        && !values.is_broken(value)
                    {
                        let map = values.map(value.span(), &text.value);
                        let form = Form::Callback;
                        keys.overload = prototype::read_as(
                            form,
                            &text.value,
                            &map,
                            types,
                            values.diagnostics(),
                        );
                    }
                }
                "function" => keys.function = member("function", value, values),
                "data" if is_struct => keys.data = member("data", value, values),
                "data" => keys.asks = code("data", ASKS, value, types, values),
                "fails" => {
                    if let Some(text) = values.string("fails", value, "fails = \"NAN\"") {
                        let map = values.map(value.span(), &text.value);
                        keys.fails =
                            prototype::read_values(&text.value, &map, types, values.diagnostics());
                    }
                }
                _ => values.unknown("a callback", &key, KEYS),
            }
        }
        keys
    }

    fn callback(
        self,
        name: Spanned<String>,
        table: &DeTable<'_>,
        place: Span,
        types: &mut Types,
        values: &mut Values<'_>,
    ) -> Option<CallbackType> {
        let shown = names::short(&name.value, 40);
        if self.ctype.is_none() {
            let message = format!("the callback `{shown}` has no `ctype`");
            let hint = format!("add `{CTYPE}`, as the header calls it");
            values.missing(table, "ctype", place, message, hint);
        }
        if !self.has_proto {
            let message = format!("the callback `{shown}` has no `proto`");
            let hint = format!("add `{PROTO}`, the function that C calls");
            values.missing(table, "proto", place, message, hint);
        }
        let form = self.form(table, place, values)?;
        let callback = Callback {
            overload: self.overload?,
            form,
            asks: self.asks,
            fails: self.fails,
            named: Some(name.value.clone()),
        };
        let ctype = declare(&self.ctype?, callback.clone(), types, values)?;
        Some(CallbackType { name, ctype, callback })
    }

    /// A struct, if members are named.
    fn form(
        &self,
        table: &DeTable<'_>,
        place: Span,
        values: &mut Values<'_>,
    ) -> Option<CallbackForm> {
        match (&self.function, &self.data) {
            (None, None) => Some(CallbackForm::Function),
            (Some(function), Some(data)) => Some(CallbackForm::Struct {
                function: function.value.clone(),
                data: data.value.clone(),
            }),
            (function, _) => {
                let key = if function.is_some() { "data" } else { "function" };
                let hint =
                    "a struct is written with `function = \"function\"` and `data = \"params\"`";
                let message = "a struct has two members: the function and its data";
                values.missing(table, key, place, message, hint);
                None
            }
        }
    }
}

/// A C expression over the parameters.
fn code(
    key: &str,
    example: &str,
    value: &Value<'_>,
    types: &Types,
    values: &mut Values<'_>,
) -> Option<Expr> {
    let text = values.string(key, value, example)?;
    let map = values.map(value.span(), &text.value);
    prototype::read_value(&text.value, &map, types, values.diagnostics())
}

/// The name of a member.
fn member(key: &str, value: &Value<'_>, values: &mut Values<'_>) -> Option<Spanned<String>> {
    let name = values.string(key, value, &format!("{key} = \"{key}\""))?;
    let good = names::is_identifier(&name.value) && !names::is_c_keyword(&name.value);
    if !good {
        values.error(
            Code::BAD_NAME,
            name.span,
            format!("`{}` is not the name of a member", names::short(&name.value, 40)),
            "write the name that the struct has in the header",
        );
    }
    good.then_some(name)
}

/// `gsl_function`, `struct visitor`, `sqlite3_callback`
fn declare(
    text: &Spanned<String>,
    callback: Callback,
    types: &mut Types,
    values: &mut Values<'_>,
) -> Option<CType> {
    let words: Vec<&str> = text.value.split_whitespace().collect();
    let map = values.map(text.span.start..text.span.end, &text.value);
    let tokens = lexer::lex(&text.value, &map, &mut Vec::new());
    let is_word = |token: &lexer::Token<'_>| {
        token.kind == Kind::Word && (token.text == "struct" || !names::is_c_keyword(token.text))
    };
    if tokens.is_empty() || !tokens.iter().all(is_word) {
        values.error(
            Code::WRONG_VALUE,
            text.span,
            format!("`{}` is not the type of a callback", names::short(&text.value, 40)),
            format!(
                "write the header's name of the pointer to a function, or of the struct, without `*`, as in `{CTYPE}`"
            ),
        );
        return None;
    }
    if !types.insert_callback(&words, callback) {
        values.error(
            Code::DUPLICATE_NAME,
            text.span,
            format!("`{}` is a type already", names::short(&words.join(" "), 40)),
            "a type is one callback, one handle or a number: remove one of the two",
        );
        return None;
    }
    Some(CType::function(words.join(" "), text.span))
}
