//! Base classes: the conversions of pointers.

use crate::c_type;
use fishplate_model::Language;
use fishplate_plan::{HandlePlan, Plan};
use std::fmt::Write as _;

/// Defines the table of the bases of a class, and returns its name, or `NULL`. `class` names the `fp_handle_class` of a
/// class.
pub fn define_bases(
    handle: &HandlePlan,
    prefix: &str,
    class: fn(&str) -> String,
    plan: &Plan,
    text: &mut String,
) -> String {
    let mut rows = String::new();
    let table = |name: &str| format!("{prefix}_{name}_bases");
    for base in &handle.bases {
        let of = &plan.handles[base.id];
        let cast = format!("{prefix}_{}_as_{}", handle.name, base.name);
        let converted = match plan.module.language {
            // A struct begins with its base.
            Language::C => "fp_pointer".to_owned(),
            Language::Cxx => format!(
                "static_cast<{}>(static_cast<{}>(fp_pointer))",
                c_type(&of.ctype),
                c_type(&handle.ctype)
            ),
        };
        let _ = write!(
            text,
            "static void *\n{cast}(void *fp_pointer)\n{{\n    return {converted};\n}}\n\n"
        );
        let own = if of.bases.is_empty() { "NULL".to_owned() } else { table(&of.name) };
        let _ = writeln!(rows, "    {{&{}, {own}, {cast}}},", class(&base.name));
    }
    if rows.is_empty() {
        return "NULL".to_owned();
    }
    let name = table(&handle.name);
    let _ = writeln!(
        text,
        "static const fp_base {name}[] = {{\n{rows}    {{NULL, NULL, NULL}},\n}};\n"
    );
    name
}
