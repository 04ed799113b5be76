//! Enums: checks by the compiler, and the table of values of each.

use crate::{CFile, Section, c_string, c_type, source_name};
use fishplate_model::{Constant, Enum};
use fishplate_plan::Plan;
use std::fmt::Write as _;

/// The name of an enum's `fp_enum`. Nothing else in a file has this prefix.
pub fn enum_class(name: &str) -> String {
    format!("fpe_{}", name.replace('.', "_"))
}

/// Adds each enum, and the list of them, which is called `{host}_enums`. `doc` returns C for the
/// documentation, `mutable` is true if the host stores data in them.
pub fn enums(
    host: &str,
    mutable: bool,
    doc: impl Fn(&Enum) -> String,
    plan: &Plan,
    file: &mut CFile,
) {
    if plan.enums.is_empty() {
        return;
    }
    let source = source_name(plan);
    let lines = plan.source.lines();
    let constant = if mutable { "" } else { "const " };
    let mut list = String::new();
    for one in &plan.enums {
        let ctype = c_type(&one.ctype);
        let confirm = format!("FP_CONFIRM_ENUM({ctype});");
        file.add_at_line(Section::Checks, &source, lines.line(one.ctype.span.start), &confirm);
        let class = enum_class(&one.name.value);
        let values = format!("{host}_{}_values", one.flat_name());
        file.add(Section::Declarations, format!("static const fp_enumerator {values}[] = {{"));
        let line_of = |value: &Constant| lines.line(value.value.span.start);
        for on_line in one.values.chunk_by(|a, b| line_of(a) == line_of(b)) {
            let line = line_of(&on_line[0]);
            let mut text = String::new();
            for value in on_line {
                let name = c_string(&value.name.value);
                let _ = write!(text, "FP_ENUMERATOR({name}, {}), ", value.value.value);
            }
            file.add_at_line(Section::Declarations, &source, line, text.trim_end());
        }
        let full = c_string(&format!("{}.{}", plan.name, one.name.value));
        file.add(Section::Declarations, "    {NULL, 0},\n};");
        let definition = format!(
            "static {constant}fp_enum {class} = {{{full}, {}, {}, {values}, {}, {}, sizeof({ctype}), \
             FP_IS_SIGNED({ctype}), NULL}};",
            one.class().map_or("NULL".to_owned(), c_string),
            doc(one),
            one.values.len(),
            u8::from(one.flags),
        );
        let line = lines.line(one.ctype.span.start);
        file.add_at_line(Section::Declarations, &source, line, &definition);
        let _ = write!(list, "&{class}, ");
    }
    file.add(
        Section::Declarations,
        format!("static {constant}fp_enum *const {host}_enums[] = {{{list}NULL}};\n"),
    );
}
