//! Handles: what the runtime knows of each class, and its type's methods.

use crate::docs;
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
        let name = namer.unique(format!("fpy_{}", handle.name));
        let doc = namer.unique(format!("{name}_doc"));
        let mut text = format!(
            "PyDoc_STRVAR({doc},\n{});\n\n",
            docs::c_docstring(&docs::class_docstring(handle))
        );
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
                         catch (...) {{\n        fp_failure fp_why;\n        fpy_catch(&fp_why);\n        fp_tell_nobody(&fp_why);\n    }}\n"
                    ),
                };
                let _ = write!(text, "static void\n{destroy}(void *fp_pointer)\n{{\n{body}}}\n\n");
                destroy
            }
        };
        let full = c_string(&format!("{}.{}", plan.name, handle.name));
        let _ =
            writeln!(text, "static fp_handle_class {name} = {{{full}, {doc}, {destroy}, NULL}};");
        file.add_for(Section::Declarations, handle.ctype.span, text);
        classes.insert(handle.name.clone(), name);
    }
    classes
}

/// The table of classes. `descriptions` has C for those of the plan's functions, constructors first.
pub(crate) fn table(plan: &Plan, classes: &Classes, descriptions: &[String]) -> String {
    let mut text = String::new();
    let mut rows = String::new();
    let made = plan.handles.iter().filter(|handle| handle.constructor.is_some()).count();
    let (constructors, functions) = descriptions.split_at(made);
    let mut constructors = constructors.iter();
    for HandlePlan { name, methods, constructor, .. } in &plan.handles {
        let class = &classes[name];
        let list: String =
            methods.iter().map(|index| format!("&{}, ", functions[*index])).collect();
        let _ = writeln!(
            text,
            "static const fp_description *const {class}_methods[] = {{{list}NULL}};"
        );
        let constructor = constructor
            .as_ref()
            .and_then(|_| constructors.next())
            .map_or("NULL".to_owned(), |constructor| format!("&{constructor}"));
        let _ = writeln!(rows, "    {{&{class}, {constructor}, {class}_methods}},");
    }
    format!(
        "{text}static const fp_class_description fpy_classes[] = {{\n{rows}    \
         {{NULL, NULL, NULL}},\n}};\n"
    )
}
