//! The entry of a function with several overloads: a switch for values that fit one exactly, then tables
//! for the runtime's choice, and a switch.

use crate::params::dtype;
use crate::signatures::overload_text;
use fishplate_emit::{Namer, Names, c_string};
use fishplate_model::{Kind, ScalarClass};
use fishplate_plan::{Call, ParameterKind, Variable};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The most values and dimensions that the runtime's `fp_key` knows.
const KEY_VALUES: usize = 7;
const KEY_NDIM: usize = 7;

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
    let exact = exact_fits(calls, most);
    let _ = write!(
        text,
        "}};\n\nstatic int\n{entry}(lua_State *fp_L)\n{{\n    fp_class fp_classes[{0}];\n    \
         const fp_tensor *fp_known[{0}];\n\n{exact}    \
         switch (fp_select(fp_L, {1}, {overloads}, {2}, fp_classes, {most})) {{\n",
        most.max(1),
        c_string(calls[0].function),
        calls.len()
    );
    for (index, names) in calls.iter().enumerate() {
        if index + 1 < calls.len() {
            let _ = writeln!(text, "    case {index}: return {}(fp_L, fp_known);", names.entry);
        } else {
            let _ = writeln!(text, "    default: return {}(fp_L, fp_known);", names.entry);
        }
    }
    text.push_str("    }\n}\n");
    text
}

/// The switch over keys of values.
fn exact_fits(calls: &[Names], most: usize) -> String {
    let mut seen = BTreeSet::new();
    let mut cases = String::new();
    for names in calls {
        let fresh: Vec<String> =
            keys(names.call).into_iter().filter(|key| seen.insert(key.clone())).collect();
        if !fresh.is_empty() {
            for key in &fresh {
                let _ = writeln!(cases, "    case {key}:");
            }
            let _ = writeln!(cases, "        return {}(fp_L, fp_known);", names.entry);
        }
    }
    if cases.is_empty() {
        return format!("    fp_find_tensors(fp_L, fp_known, {most});\n");
    }
    cases.push_str("    default:\n        break;\n");
    let mut scalars = calls.iter().flat_map(|names| {
        let call = names.call;
        call.parameters.iter().map(|parameter| &call.variables[parameter.variable])
    });
    let plain = scalars.all(|variable| variable.rank() > 0 || code(variable).is_some());
    format!("    switch (fp_key(fp_L, fp_known, {most}, {})) {{\n{cases}    }}\n", u8::from(plain))
}

/// The keys of values that fit a call exactly, one for each count of values that it takes.
fn keys(call: &Call) -> Vec<String> {
    // Nothing of another layout is told by a key, so nothing can suit it better.
    if !call.kinds.contains(&Kind::C) {
        return Vec::new();
    }
    let mut keys = Vec::new();
    let mut key = Vec::new();
    if call.count(ParameterKind::Required) == 0 {
        keys.push("0".to_owned());
    }
    for (position, parameter) in call.parameters.iter().enumerate() {
        let Some(code) = code(&call.variables[parameter.variable]) else { break };
        if position == KEY_VALUES {
            break;
        }
        key.push(format!("FP_KEY({code}, {position})"));
        if position + 1 >= call.count(ParameterKind::Required) {
            keys.push(key.join(" | "));
        }
    }
    keys
}

/// What a value that fits exactly is in a key.
fn code(variable: &Variable) -> Option<String> {
    let scalar = variable.ctype.scalar;
    match (variable.rank(), scalar.class(), scalar.size()) {
        (0, ..) if variable.intent.writes_caller() => None,
        (0, ScalarClass::Float, 8) => Some("FP_KEY_NUMBER".to_owned()),
        (0, ScalarClass::Bool, _) => Some("FP_KEY_BOOL".to_owned()),
        (0, ..) => None,
        (rank, ..) if rank <= KEY_NDIM => Some(format!("FP_KEY_TENSOR({}, {rank})", dtype(scalar))),
        _ => None,
    }
}

/// `FP_KIND_C | FP_KIND_STRIDED`
fn kinds(kinds: &[Kind]) -> String {
    let flags: Vec<String> =
        kinds.iter().map(|kind| format!("FP_KIND_{}", kind.name().to_uppercase())).collect();
    flags.join(" | ")
}
