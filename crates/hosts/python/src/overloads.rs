//! The entry of a function with several overloads: tables for the runtime's choice, and a switch.

use crate::docs;
use fishplate_emit::c_string;
use fishplate_plan::FunctionPlan;
use std::fmt::Write as _;

/// The tables and the entry.
pub(crate) fn emit(function: &FunctionPlan) -> String {
    let name = &function.name;
    let mut text = String::new();
    for (index, call) in function.calls.iter().enumerate() {
        if call.parameters.is_empty() {
            continue;
        }
        let params: Vec<String> = call
            .parameters
            .iter()
            .map(|parameter| {
                format!("&fpy_{name}_{index}_{}", call.variables[parameter.variable].name)
            })
            .collect();
        let _ = writeln!(
            text,
            "static const fp_param *const fpy_{name}_{index}_params[] = {{{}}};",
            params.join(", ")
        );
    }
    let _ = writeln!(text, "static const fp_overload fpy_{name}_overloads[] = {{");
    for (index, call) in function.calls.iter().enumerate() {
        let params = if call.parameters.is_empty() {
            "NULL".to_owned()
        } else {
            format!("fpy_{name}_{index}_params")
        };
        let _ = writeln!(
            text,
            "    {{&fpy_{name}_{index}_signature, {params}, {}}},",
            c_string(&docs::typed_signature(name, call))
        );
    }
    let most = function.calls.iter().map(|call| call.parameters.len()).max().unwrap_or(0).max(1);
    let _ = write!(
        text,
        "}};\n\nstatic PyObject *\nfpy_{name}(FP_ENTRY)\n{{\n    PyObject *slots[{most}];\n\n    \
         (void)module;\n    switch (fp_select({}, fpy_{name}_overloads, {}, args, given, keywords, \
         slots)) {{\n",
        c_string(name),
        function.calls.len()
    );
    for index in 0..function.calls.len() {
        let _ = writeln!(text, "    case {index}:\n        return fpy_{name}_{index}(slots);");
    }
    text.push_str("    default:\n        return NULL;\n    }\n}\n");
    text
}
