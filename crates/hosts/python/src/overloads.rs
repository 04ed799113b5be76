//! The entry of a function with several overloads: tables for the runtime's choice, and a switch.

use crate::docs;
use fishplate_emit::{Namer, Names, c_string};
use fishplate_model::{Kind, OverloadId, TiVec};
use std::fmt::Write as _;

/// `FP_KIND_C | FP_KIND_STRIDED`
fn kinds(kinds: &[Kind]) -> String {
    let flags: Vec<String> =
        kinds.iter().map(|kind| format!("FP_KIND_{}", kind.name().to_uppercase())).collect();
    flags.join(" | ")
}

/// The tables and the entry, for the calls of one function.
pub(crate) fn emit(entry: &str, calls: &TiVec<OverloadId, Names>, namer: &mut Namer) -> String {
    let mut text = String::new();
    let mut rows = String::new();
    for names in calls {
        let params: Vec<String> = names
            .call
            .parameters
            .iter()
            .map(|parameter| format!("&{}", names.any_table(parameter.variable)))
            .collect();
        let list = if params.is_empty() {
            "NULL".to_owned()
        } else {
            let list = namer.unique(format!("{}_params", names.entry));
            let _ = writeln!(
                text,
                "static const fp_param *const {list}[] = {{{}}};",
                params.join(", ")
            );
            list
        };
        let _ = writeln!(
            rows,
            "    {{&{}, {list}, {}, {}}},",
            names.signature,
            c_string(&docs::overload_text(names.function, names.call)),
            kinds(&names.call.kinds),
        );
    }
    let overloads = namer.unique(format!("{entry}_overloads"));
    let most = calls.iter().map(|names| names.call.parameters.len()).max().unwrap_or(0).max(1);
    let _ = write!(
        text,
        "static const fp_overload {overloads}[] = {{\n{rows}}};\n\nstatic PyObject *\n{entry}(FP_ENTRY)\n\
         {{\n    PyObject *fp_slots[{most}];\n\n    \
         switch (fp_select({}, {overloads}, {}, fp_args, fp_count, fp_keywords, fp_slots)) {{\n",
        c_string(calls.raw[0].function),
        calls.len()
    );
    for (index, names) in calls.iter_enumerated() {
        let _ = writeln!(text, "    case {index}:\n        return {}(fp_slots);", names.entry);
    }
    text.push_str("    default:\n        return NULL;\n    }\n}\n");
    text
}
