//! The `[struct.NAME]` tables.
//!
//! Purpose: parse structs and their visible fields, in C's syntax.
//! Invariant: a field is a number, an enum, a struct of an earlier table, an array of these of constant
//! size, or a string in such an array.
//! Reason: only the compiler knows the offsets of fields, and it confirms their types.

use super::class::ctype;
use super::unpacked::{self, Deferred};
use super::values::{Value, Values};
use crate::names;
use crate::prototype::Types;
use crate::prototype::lexer::{self, Kind, Token};
use fishplate_model::{Code, Field, Span, Spanned, Struct, Type};
use toml::de::DeTable;

/// The keys of `[struct.NAME]`.
pub(super) const KEYS: &[&str] = &["doc", "ctype", "fields"];

/// Examples for hints.
pub(super) const CTYPE: &str = "ctype = \"struct point\"";
const FIELDS: &str = "fields = \"double x; double y; int tags[4]\"";

/// The most dimensions of a field.
const MOST_DIMENSIONS: usize = 8;

/// Reads the tables of plain structs, and declares their types; returns those of unpacked structs, too. A faulty table
/// is omitted.
pub(super) fn read_all<'t, 'v>(
    table: &'t DeTable<'v>,
    types: &mut Types,
    values: &mut Values<'_>,
) -> (Vec<Struct>, Vec<Deferred<'t, 'v>>) {
    let (mut found, mut deferred) = (Vec::new(), Vec::new());
    for (name, value) in values.entries(table) {
        let Some(table) = values.named_table("struct", &name, value, CTYPE) else { continue };
        if let (Some(fields), Some(_)) = (table.get("fields"), table.get("ctype"))
            && unpacked::is_unpacked(fields, &deferred, values)
        {
            deferred.push(Deferred::new(name, table));
            continue;
        }
        values.diagnostics().extend(names::refuse_member(&name, "a class"));
        found.extend(read(name, value, table, types, values));
    }
    (found, deferred)
}

fn read(
    name: Spanned<String>,
    value: &Value<'_>,
    table: &DeTable<'_>,
    types: &mut Types,
    values: &mut Values<'_>,
) -> Option<Struct> {
    let (mut doc, mut fields, mut its_type) = (String::new(), Vec::new(), None);
    for (key, value) in values.entries(table) {
        match key.value.as_str() {
            // Fields are read before the type is declared: no struct contains itself.
            "ctype" => its_type = Some(value),
            "fields" => fields = self::fields(value, types, values),
            "doc" => {
                let text = values.string("doc", value, "doc = \"A point in the plane.\"");
                doc = text.map(|doc| doc.value).unwrap_or_default();
            }
            _ => values.unknown("a struct", &key, KEYS),
        }
    }
    values.report_missing("struct", &name, value, &[("ctype", CTYPE), ("fields", FIELDS)]);
    let ctype = ctype(Type::Struct(name.value.clone()), its_type?, CTYPE, types, values)?;
    Some(Struct { name, doc, ctype, fields })
}

/// `double x, y; int tags[4]`
fn fields(value: &Value<'_>, types: &Types, values: &mut Values<'_>) -> Vec<Field> {
    let Some(text) = values.string("fields", value, FIELDS) else { return Vec::new() };
    let map = values.map(value.span(), &text.value);
    let tokens = lexer::lex(&text.value, &map, values.diagnostics());
    let mut fields = Vec::new();
    for declaration in tokens.split(|token| token.is(";")).filter(|one| !one.is_empty()) {
        declare(declaration, types, &mut fields, values);
    }
    if fields.is_empty() && values.diagnostics().is_empty() {
        wrong(text.span, "a struct has fields".to_owned(), values);
    }
    fields
}

/// One declaration: the words of a type, and declarators.
fn declare(tokens: &[Token<'_>], types: &Types, fields: &mut Vec<Field>, values: &mut Values<'_>) {
    let span = tokens[0].span.to(tokens[tokens.len() - 1].span);
    let is_text =
        tokens[0].is_word("text") && tokens.get(2).is_some_and(|one| one.kind == Kind::Word);
    let tokens = &tokens[usize::from(is_text)..];
    let words = tokens.iter().take_while(|token| token.kind == Kind::Word).count();
    if words < 2 {
        wrong(span, "a field has a type and a name".to_owned(), values);
        return;
    }
    let ctype = match types.resolve(&tokens[..words - 1]) {
        Ok(ctype) => ctype,
        Err(found) => {
            values.diagnostics().push(*found);
            return;
        }
    };
    for declarator in tokens[words - 1..].split(|token| token.is(",")) {
        let Some((name, rest)) = declarator.split_first().filter(|(one, _)| one.kind == Kind::Word)
        else {
            wrong(span, "a name is missing between two commas".to_owned(), values);
            continue;
        };
        let Some(shape) = shape(rest) else {
            let message = format!("expected an array size after `{}`", names::short(name.text, 40));
            wrong(span, message, values);
            continue;
        };
        let name = Spanned::new(name.text.to_owned(), name.span);
        if is_text && (shape.len() != 1 || !ctype.is_char()) {
            let message =
                format!("`{}` is not an array of characters", names::short(&name.value, 40));
            let hint = format!("a string is `text char {}[16]`", names::short(&name.value, 40));
            values.error(Code::INTENT_MISFIT, span, message, hint);
        }
        let refused = names::refuse_member(&name, "a field");
        if refused.is_none() {
            let member = name.value.clone();
            fields.push(Field { name, member, ctype: ctype.clone(), shape, is_text });
        }
        values.diagnostics().extend(refused);
    }
}

/// `[3][4]`: numbers of at least 1.
fn shape(tokens: &[Token<'_>]) -> Option<Vec<u64>> {
    let sizes = tokens.chunks(3).map(|tokens| match tokens {
        [open, size, close] if open.is("[") && close.is("]") => {
            size.text.parse().ok().filter(|size| (1..=u64::from(u32::MAX)).contains(size))
        }
        _ => None,
    });
    sizes.collect::<Option<Vec<u64>>>().filter(|shape| shape.len() <= MOST_DIMENSIONS)
}

fn wrong(span: Span, message: String, values: &mut Values<'_>) {
    values.error(Code::WRONG_VALUE, span, message, format!("write fields as C does: `{FIELDS}`"));
}
