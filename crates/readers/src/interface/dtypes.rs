//! The `[dtypes.NAME]` tables.
//!
//! Purpose: parse the codes by which a library identifies the dtypes of arrays.
//! Invariant: each dtype has one code, which is one expression of C.
//! Reason: only the compiler knows a code, and some are known only at run time.

use super::constant;
use super::values::{Value, Values};
use crate::names;
use fishplate_model::{Code, Dtypes, Scalar, Spanned};
use toml::de::DeTable;

/// The keys of `[dtypes.NAME]`.
pub(super) const KEYS: &[&str] = &["ctype", "values", "equal"];

/// Examples for hints.
const CTYPE: &str = "ctype = \"hid_t\"";
const VALUES: &str = "values = { float64 = \"H5T_NATIVE_DOUBLE\" }";
const EQUAL: &str = "equal = \"H5Tequal(left, right) > 0\"";

/// Reads all tables. A faulty one is omitted.
pub(super) fn read_all(table: &DeTable<'_>, values: &mut Values<'_>) -> Vec<Dtypes> {
    let mut found = Vec::new();
    for (name, value) in values.entries(table) {
        let Some(table) = values.named_table("dtypes", &name, value, CTYPE) else { continue };
        if !names::is_identifier(&name.value) {
            values.error(
                Code::BAD_NAME,
                name.span,
                format!("`{}` is not a name", names::short(&name.value, 40)),
                "write letters, digits and `_`: prototypes name the table, as in `dtype(native)`",
            );
            continue;
        }
        found.extend(read(name, value, table, values));
    }
    found
}

fn read(
    name: Spanned<String>,
    value: &Value<'_>,
    table: &DeTable<'_>,
    values: &mut Values<'_>,
) -> Option<Dtypes> {
    let (mut ctype, mut equal, mut codes) = (None, None, None);
    for (key, value) in values.entries(table) {
        match key.value.as_str() {
            "ctype" => ctype = spelling(value, values),
            "equal" => {
                let text = values.string("equal", value, EQUAL);
                equal = text.and_then(|text| constant::expression(key, text, values));
            }
            "values" => codes = read_codes(value, values),
            _ => values.unknown("a table of dtypes", &key, KEYS),
        }
    }
    values.report_missing("dtypes", &name, value, &[("ctype", CTYPE), ("values", VALUES)]);
    Some(Dtypes { name, ctype: ctype?, equal: equal.map(|one| one.value), values: codes? })
}

/// The type of a code, which may be a pointer.
fn spelling(value: &Value<'_>, values: &mut Values<'_>) -> Option<Spanned<String>> {
    let text = values.string("ctype", value, CTYPE)?;
    let is_type = text.value.starts_with(|c: char| c == '_' || c.is_ascii_alphabetic())
        && text.value.chars().all(|c| c.is_ascii_alphanumeric() || "_ *:".contains(c));
    if !is_type {
        values.error(
            Code::WRONG_VALUE,
            text.span,
            format!("`{}` is not a type of C", names::short(&text.value, 40)),
            format!("write the type of the codes as the headers do, as in `{CTYPE}`"),
        );
    }
    is_type.then_some(text)
}

/// `{ float64 = "H5T_NATIVE_DOUBLE", int32 = "H5T_NATIVE_INT" }`
fn read_codes(
    value: &Value<'_>,
    values: &mut Values<'_>,
) -> Option<Vec<(Scalar, Spanned<String>)>> {
    let Some(table) = value.get_ref().as_table() else {
        values.wrong(value, "`values` is a table of dtypes and codes", format!("write `{VALUES}`"));
        return None;
    };
    let mut codes = Vec::new();
    let mut is_good = true;
    for (key, value) in values.entries(table) {
        let scalar = Scalar::from_name(&key.value).filter(|one| one.dtype_name() == key.value);
        if scalar.is_none() {
            let shown = names::short(&key.value, 40);
            values.error(
                Code::UNKNOWN_TYPE,
                key.span,
                format!("`{shown}` is not the name of a dtype"),
                "write NumPy's name of it, as in `float64`, `int32`, `uint8`, `bool` or `complex128`",
            );
        }
        let example = format!("{} = \"H5T_NATIVE_DOUBLE\"", names::short(&key.value, 40));
        let code = values.string(&names::short(&key.value, 40), value, &example);
        let code = code.and_then(|code| constant::expression(key, code, values));
        match (scalar, code) {
            (Some(scalar), Some(code)) => codes.push((scalar, code.value)),
            _ => is_good = false,
        }
    }
    if codes.is_empty() && is_good {
        values.wrong(value, "a table of dtypes needs at least one", format!("write `{VALUES}`"));
        is_good = false;
    }
    is_good.then_some(codes)
}
