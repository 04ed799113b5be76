//! Handles: what the runtime knows of each class, and its methods.

use fishplate_emit::{CFile, Namer, Section, c_string, c_type};
use fishplate_model::Language;
use fishplate_plan::{HandlePlan, Plan};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The `fp_handle_class` of each handle, by the handle's name.
pub(crate) type Classes = BTreeMap<String, String>;

/// Adds the classes themselves, which functions name.
pub(crate) fn declare(plan: &Plan, file: &mut CFile, namer: &mut Namer) -> Classes {
    let mut classes = Classes::new();
    for handle in &plan.handles {
        let name = namer.unique(format!("fpl_{}", handle.name));
        let mut text = String::new();
        let destroy = match &handle.destructor {
            None => "NULL".to_owned(),
            Some(destructor) => {
                let destroy = namer.unique(format!("{name}_free"));
                let ctype = c_type(&handle.ctype);
                let called = format!("(void){destructor}(({ctype})fp_pointer);");
                let body = match plan.module.language {
                    Language::C => format!("    {called}\n"),
                    // Who gives an object back cannot be told that it did not go well.
                    Language::Cxx => format!(
                        "    try {{\n        {called}\n    }}\n    FP_LET_THREADS_END\n    \
                         catch (...) {{\n    }}\n"
                    ),
                };
                let _ = write!(text, "static void\n{destroy}(void *fp_pointer)\n{{\n{body}}}\n\n");
                destroy
            }
        };
        let full = c_string(&format!("{}.{}", plan.name, handle.name));
        let _ = writeln!(text, "static const fp_handle_class {name} = {{{full}, {destroy}}};");
        file.add_for(Section::Declarations, handle.ctype.span, text);
        classes.insert(handle.name.clone(), name);
    }
    classes
}

/// The table of classes. `entries` are the C functions of the plan's functions.
pub(crate) fn table(plan: &Plan, classes: &Classes, entries: &[String]) -> String {
    let mut text = String::new();
    let mut rows = String::new();
    for HandlePlan { name, methods, .. } in &plan.handles {
        let class = &classes[name];
        let _ = writeln!(text, "static const luaL_Reg {class}_methods[] = {{");
        for index in methods {
            let name = c_string(&plan.functions[*index].name);
            let _ = writeln!(text, "    {{{name}, {}}},", entries[*index]);
        }
        let _ = writeln!(text, "    {{NULL, NULL}},\n}};\n");
        let _ = writeln!(rows, "    {{&{class}, {class}_methods}},");
    }
    format!(
        "{text}static const fp_class_description fpl_classes[] = {{\n{rows}    {{NULL, NULL}},\n}};\n\n"
    )
}
