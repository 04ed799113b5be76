//! Structs: checks of their fields by the compiler, and the table of fields of each.

use crate::agreement::confirm_pair;
use crate::ctype::renamed_complex;
use crate::{CFile, Section, c_string, c_type, class_word, enum_class, source_name};
use fishplate_model::{Field, Spanned, Struct};
use fishplate_plan::Plan;
use std::fmt::Write as _;

/// The name of a struct's `fp_struct`. Nothing else in a file has this prefix.
pub fn struct_class(name: &str) -> String {
    format!("fps_{name}")
}

/// Adds each struct. `param` returns C for the `fp_param` of a field, and `rest` the members after
/// the table of fields in the host's `fp_struct`.
pub fn structs(
    host: &str,
    param: impl Fn(&Struct, &Field) -> String,
    rest: impl Fn(&Struct) -> String,
    plan: &Plan,
    file: &mut CFile,
) {
    let source = source_name(plan);
    let lines = plan.source.lines();
    for one in &plan.structs {
        let ctype = c_type(&one.ctype);
        let line = lines.line(one.ctype.span.start);
        let confirm = format!("FP_CONFIRM_STRUCT({ctype});");
        file.add_at_line(Section::Checks, &source, line, &confirm);
        let table = format!("{host}_{}_fields", one.name.value);
        file.add(Section::Declarations, format!("static const fp_field {table}[] = {{"));
        let line_of = |field: &Field| lines.line(field.name.span.start);
        for on_line in one.fields.chunk_by(|a, b| line_of(a) == line_of(b)) {
            let line = line_of(&on_line[0]);
            let (mut checks, mut rows) = (String::new(), String::new());
            for field in on_line {
                checks.push_str(&confirmation(&one.name, ctype, field));
                let _ = write!(rows, "{}, ", row(ctype, field, &param(one, field)));
            }
            file.add_at_line(Section::Checks, &source, line, checks.trim_end());
            file.add_at_line(Section::Declarations, &source, line, rows.trim_end());
        }
        file.add(Section::Declarations, "};");
        let full = c_string(&format!("{}.{}", plan.name, one.name.value));
        let definition = format!(
            "static fp_struct {} = {{{full}, sizeof({ctype}), {table}, {}, {}}};",
            struct_class(&one.name.value),
            one.fields.len(),
            rest(one),
        );
        file.add_at_line(Section::Declarations, &source, line, &definition);
    }
}

/// The compiler's checks of one field.
fn confirmation(of_struct: &Spanned<String>, ctype: &str, field: &Field) -> String {
    let name = &field.member;
    let element = format!("{name}{}", "[0]".repeat(field.shape.len()));
    let of = c_type(&field.ctype);
    let count: Vec<String> = field.shape.iter().map(u64::to_string).collect();
    let count = if count.is_empty() { "1".to_owned() } else { count.join(" * ") };
    let mut text = format!("FP_CONFIRM_FIELD({ctype}, {name}, {element}, {of}, {count}); ");
    let found = format!("FP_FIELD_TYPE({ctype}, {element})");
    match field.ctype.number() {
        Some(_) if renamed_complex(&field.ctype).is_some() => {
            let id = format!("{}_{name}", of_struct.value);
            text.push_str(&confirm_pair(&field.ctype, &found, &id));
            text.push(' ');
        }
        Some(scalar) => {
            let (word, dtype) = (class_word(scalar.class()), scalar.dtype_name());
            let _ = write!(text, "FP_CONFIRM_{word}({found}, {}, \"{dtype}\"); ", scalar.size());
        }
        None => {
            let reason = c_string(&format!("{ctype}.{name} is no {of}"));
            let _ = write!(text, "FP_ASSERT(FP_SAME_TYPE({found}, {of}), {reason}); ");
        }
    }
    text
}

/// A row of the table of fields.
fn row(ctype: &str, field: &Field, param: &str) -> String {
    let name = &field.member;
    let of =
        field.ctype.structure().map_or("NULL".to_owned(), |of| format!("&{}", struct_class(of)));
    let members =
        field.ctype.enumeration().map_or("NULL".to_owned(), |of| format!("&{}", enum_class(of)));
    let shape: Vec<String> = field.shape.iter().map(u64::to_string).collect();
    let shape = if shape.is_empty() { "0".to_owned() } else { shape.join(", ") };
    format!(
        "{{{param}, {of}, {members}, offsetof({ctype}, {name}), sizeof(FP_FIELD({ctype}, {name})), {{{shape}}}}}"
    )
}
