//! The entry of a function with several overloads: tables for the runtime's choice, and a switch.

use crate::signatures::overload_text;
use fishplate_emit::{Namer, Names, c_string};
use fishplate_model::Kind;
use std::fmt::Write as _;

/// The tables and the entry, for the calls of one function.
pub(crate) fn emit(entry: &str, calls: &[Names], namer: &mut Namer) -> String {
    let mut text = String::new();
    let overloads = namer.unique(format!("{entry}_overloads"));
    let _ = writeln!(text, "static const fp_overload {overloads}[] = {{");
    for names in calls {
        let _ = writeln!(
            text,
            "    {{&{}, {}, {}}},",
            names.signature,
            c_string(&overload_text(names.function, names.call)),
            kinds(&names.call.kinds),
        );
    }
    let most = calls.iter().map(|names| names.call.parameters.len()).max().unwrap_or(0);
    let _ = write!(
        text,
        "}};\n\nstatic int\n{entry}(lua_State *fp_L)\n{{\n    fp_class fp_classes[{}];\n\n    \
         switch (fp_select(fp_L, {}, {overloads}, {}, fp_classes, {most})) {{\n",
        most.max(1),
        c_string(calls[0].function),
        calls.len()
    );
    for (index, names) in calls.iter().enumerate() {
        if index + 1 < calls.len() {
            let _ = writeln!(text, "    case {index}: return {}(fp_L);", names.entry);
        } else {
            let _ = writeln!(text, "    default: return {}(fp_L);", names.entry);
        }
    }
    text.push_str("    }\n}\n");
    text
}

/// `FP_KIND_C | FP_KIND_STRIDED`
fn kinds(kinds: &[Kind]) -> String {
    let flags: Vec<String> =
        kinds.iter().map(|kind| format!("FP_KIND_{}", kind.name().to_uppercase())).collect();
    flags.join(" | ")
}
