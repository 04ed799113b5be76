//! Values that headers define: a small C function for each, and their table.

use crate::{CFile, Namer, Section, c_string, c_type, source_name};
use fishplate_model::Language;
use fishplate_plan::Plan;
use std::fmt::Write as _;

/// Adds the functions, each at its own line of the interface, and returns the table's source; it is
/// called `{host}_constants`. `class` returns the runtime's class of a handle.
pub fn constants(
    host: &str,
    class: impl Fn(&str) -> String,
    plan: &Plan,
    file: &mut CFile,
    namer: &mut Namer,
) -> String {
    if plan.constants.is_empty() {
        return String::new();
    }
    handles(host, class, plan, file, namer);
    let source = source_name(plan);
    let lines = plan.source.lines();
    let mut rows = String::new();
    for constant in &plan.constants {
        let name = namer.unique(format!("{host}_{}_value", constant.flat_name()));
        let text = format!("FP_CONSTANT({name}, {})", constant.value.value);
        let line = lines.line(constant.value.span.start);
        file.add_at_line(Section::Declarations, &source, line, &text);
        let class = constant.class.as_ref();
        let class = class.map_or("NULL".to_owned(), |class| c_string(&class.value));
        let _ = writeln!(rows, "    {{{class}, {}, {name}}},", c_string(&constant.name.value));
    }
    format!(
        "static const fp_constant {host}_constants[] = {{\n{rows}    {{NULL, NULL, NULL}},\n}};\n"
    )
}

/// Recognises the pointer of a handle: overloads in C++, cases of `_Generic` in C.
fn handles(
    host: &str,
    class: impl Fn(&str) -> String,
    plan: &Plan,
    file: &mut CFile,
    namer: &mut Namer,
) {
    let mut text = String::new();
    let mut choice = String::new();
    for handle in &plan.handles {
        let ctype = c_type(&handle.ctype);
        // For a typedef, `const` would apply to the pointer itself.
        let types = match ctype.strip_suffix('*') {
            Some(_) if !ctype.starts_with("const ") => {
                vec![ctype.to_owned(), format!("const {ctype}")]
            }
            _ => vec![ctype.to_owned()],
        };
        let made = format!("fp_value_pointer(FP_VALUE_HANDLE, x, &{})", class(&handle.name));
        if plan.module.language == Language::Cxx {
            for ctype in types {
                // A template's arguments would be several of a macro's.
                let _ = writeln!(
                    text,
                    "static FP_UNUSED fp_c_value fp_value_of({ctype}x) {{ return {made}; }}"
                );
            }
        } else {
            let name = namer.unique(format!("{host}_{}_of", handle.name));
            let _ = writeln!(
                text,
                "static FP_UNUSED fp_c_value {name}(const void *x) {{ return {made}; }}"
            );
            let cases: String = types.iter().map(|ctype| format!("{ctype}: {name}, ")).collect();
            let _ = write!(choice, " \\\n    _Generic(x, {cases}default:");
        }
    }
    if plan.module.language == Language::C {
        let close = ")".repeat(plan.handles.len());
        let _ = write!(text, "#define FP_VALUE_OTHERS(x){choice} fp_value_of_others{close}");
    }
    file.add(Section::Declarations, text);
}
