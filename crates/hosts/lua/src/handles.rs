//! Handles: the tables of classes for the runtime, and their methods.

use crate::kinds::under_lock;
use crate::operators::{self, Tables};
use fishplate_emit::{
    CFile, Namer, Section, c_string, c_type, define_allocator, define_bases, define_setter,
    destroyed,
};
use fishplate_model::Language;
use fishplate_plan::{Call, HandlePlan, Output, Plan};
use std::fmt::Write as _;

/// The name of a handle's `fp_handle_class`. Nothing else in the file has this prefix.
pub(crate) fn class(handle: &str) -> String {
    format!("fpc_{handle}")
}

/// Adds the classes themselves, which functions name.
pub(crate) fn declare(plan: &Plan, file: &mut CFile, namer: &mut Namer) {
    for handle in &plan.handles {
        let class = class(&handle.name);
        let name = format!("fpl_{}", handle.name);
        let mut text = String::new();
        let destroy = match destroyed(handle, plan) {
            None => "NULL".to_owned(),
            Some(called) => {
                let destroy = namer.unique(format!("{name}_free"));
                let body = match plan.module.language {
                    Language::C => called,
                    // A failing destructor cannot be reported.
                    Language::Cxx => format!(
                        "try {{\n        {called}\n    }}\n    FP_LET_THREADS_END\n    \
                         catch (...) {{\n    }}"
                    ),
                };
                let body = under_lock(handle.locks_module, &body, "    ");
                let _ = write!(text, "static void\n{destroy}(void *fp_pointer)\n{{\n{body}}}\n\n");
                destroy
            }
        };
        text.push_str(&define_setter(handle, plan.module.language));
        let bases = define_bases(handle, "fpl", self::class, plan, &mut text);
        let tracked = u8::from(handle.is_tracked);
        let context = u8::from(handle.context.is_some());
        let abandon = match handle.is_derivable() && handle.is_counted() {
            false => "NULL".to_owned(),
            true => {
                let ctype = c_type(&handle.ctype);
                let _ = write!(
                    text,
                    "static void\n{name}_abandon(void *fp_pointer)\n{{\n    \
                     fp_cpp::abandon(static_cast<{ctype}>(fp_pointer));\n}}\n\n"
                );
                format!("{name}_abandon")
            }
        };
        let full = c_string(&format!("{}.{}", plan.name, handle.name));
        let _ = writeln!(
            text,
            "static const fp_handle_class {class} = {{{full}, {destroy}, {bases}, {tracked}, {abandon}, {context}}};"
        );
        file.add_for(Section::Declarations, handle.ctype.span, text);
        define_allocator(handle, "fpl_catch", plan, file);
    }
}

/// The table of classes. `entries` are the C functions of the plan's functions.
pub(crate) fn table(plan: &Plan, entries: &[String], namer: &mut Namer) -> String {
    let mut text = String::new();
    let mut rows = String::new();
    for handle in &plan.handles {
        let HandlePlan { name, methods, .. } = handle;
        let class = class(name);
        let list_name = namer.unique(format!("fpl_{name}_methods"));
        let _ = writeln!(text, "static const luaL_Reg {list_name}[] = {{");
        for index in methods {
            let name = c_string(&plan.functions[*index].name);
            let _ = writeln!(text, "    {{{name}, {}}},", entries[usize::from(*index)]);
        }
        let _ = writeln!(text, "    {{NULL, NULL}},\n}};\n");
        let Tables { operators, properties, get, set } =
            operators::tables(handle, plan, entries, namer, &mut text);
        let _ = writeln!(
            rows,
            "    {{&{class}, {list_name}, {operators}, {properties}, {get}, {set}}},"
        );
    }
    format!(
        "{text}static const fp_class_description fpl_classes[] = {{\n{rows}    {{NULL, NULL, NULL, NULL, NULL, NULL}},\n}};\n\n"
    )
}

/// The output is an object that the call creates.
pub(crate) fn makes_handle(call: &Call, output: Output) -> bool {
    call.out_pointer(output).is_some_and(|(_, pointer)| pointer.class().is_some())
}

/// The objects that a call creates.
pub(crate) fn made(call: &Call) -> impl Iterator<Item = Output> {
    let arguments = call.variables.keys().map(Output::Argument);
    arguments.chain([Output::Result]).filter(|output| makes_handle(call, *output))
}
