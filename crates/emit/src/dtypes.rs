//! The tables of dtypes: the codes of C, in both directions.

use crate::{CFile, Names, Section, source_name, value};
use fishplate_model::{Dtypes, Scalar};
use fishplate_plan::{AnyArray, Plan};
use std::fmt::Write as _;

/// The name of a table's list of dtypes. Nothing else in a file has this prefix.
fn dtypes_table(name: &str) -> String {
    format!("fpd_{name}")
}

/// C for the code of a dtype, which `number` is the host's number of.
pub fn dtype_code(table: &str, number: &str) -> String {
    format!("fpd_{table}_code({number})")
}

/// C for the host's number of the dtype that has this code; -1 if the table has no such code.
fn dtype_of_code(table: &str, code: &str) -> String {
    format!("fpd_{table}_type({code})")
}

/// C for the list of the dtypes that an array may have.
pub fn dtypes_of(any: &AnyArray) -> String {
    any.dtypes.as_ref().map_or("NULL".to_owned(), |(table, _)| dtypes_table(&table.name))
}

/// C for the dtype of an array that the call allocates: that of its code, or the one that it always has, of which
/// `number` is the host's number.
pub fn dtype_to_allocate(
    any: &AnyArray,
    names: &Names,
    number: impl FnOnce(Scalar) -> String,
) -> String {
    match &any.dtypes {
        Some((of, Some(code))) => dtype_of_code(&of.name, &value(code, names)),
        _ => any.element.map_or("-1".to_owned(), number),
    }
}

/// Adds the list of each table, and its functions. `number` is the host's number of a dtype, and `entry` its entry in
/// the list; the last entry is `{-1}`, with zeros.
pub fn dtypes(
    number: impl Fn(Scalar) -> String,
    entry: impl Fn(Scalar) -> String,
    plan: &Plan,
    file: &mut CFile,
) {
    for one in &plan.dtypes {
        let name = dtypes_table(&one.name.value);
        let mut list = String::new();
        for (scalar, _) in &one.values {
            let _ = write!(list, "{}, ", entry(*scalar));
        }
        let list = format!("static const fp_dtype_entry {name}[] = {{{list}FP_LAST_DTYPE}};\n");
        file.add(Section::Declarations, list);
        define_code(one, &name, &number, plan, file);
        define_type(one, &name, &number, plan, file);
    }
}

/// From a dtype to its code.
fn define_code(
    one: &Dtypes,
    name: &str,
    number: &impl Fn(Scalar) -> String,
    plan: &Plan,
    file: &mut CFile,
) {
    let (source, lines) = (source_name(plan), plan.source.lines());
    let head = format!("static FP_UNUSED {}\n{name}_code(int type)\n{{", one.ctype.value);
    file.add_at_line(Section::Declarations, &source, lines.line(one.ctype.span.start), &head);
    file.add(Section::Declarations, "    switch (type) {");
    for (at, (scalar, code)) in one.values.iter().enumerate() {
        let label = match at + 1 == one.values.len() {
            true => "default".to_owned(),
            false => format!("case {}", number(*scalar)),
        };
        let text = format!("    {label}: return {};", code.value);
        file.add_at_line(Section::Declarations, &source, lines.line(code.span.start), &text);
    }
    file.add(Section::Declarations, "    }\n}\n");
}

/// From a code to its dtype.
fn define_type(
    one: &Dtypes,
    name: &str,
    number: &impl Fn(Scalar) -> String,
    plan: &Plan,
    file: &mut CFile,
) {
    let (source, lines) = (source_name(plan), plan.source.lines());
    let ctype = &one.ctype.value;
    let head = format!("static FP_UNUSED int\n{name}_type({ctype} left)\n{{");
    file.add(Section::Declarations, head);
    let (equal, place) = match &one.equal {
        Some(equal) => (equal.value.as_str(), Some(equal.span)),
        None => ("left == right", None),
    };
    for (scalar, code) in &one.values {
        let at = place.unwrap_or(code.span);
        let text = format!(
            "    {{ const {ctype} right = {}; if ({equal}) return {}; }}",
            code.value,
            number(*scalar)
        );
        file.add_at_line(Section::Declarations, &source, lines.line(at.start), &text);
    }
    file.add(Section::Declarations, "    return -1;\n}\n");
}
