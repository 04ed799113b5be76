//! The entry of a function with several overloads: a switch for values that fit one exactly, then
//! tables for the runtime's choice, and another switch.

use crate::kinds::kind;
use crate::params::dtype;
use crate::signatures::overload_text;
use fishplate_emit::{Namer, Names, c_string};
use fishplate_model::{Kind, OverloadId, ScalarClass, TiVec};
use fishplate_plan::{Call, ParameterKind, Variable};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The limits on values and dimensions in the runtime's `fp_key`.
const KEY_VALUES: usize = 7;
const KEY_NDIM: usize = 7;

/// The tables and the entry, for the calls of one function.
pub(crate) fn emit(entry: &str, calls: &TiVec<OverloadId, Names>, namer: &mut Namer) -> String {
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
        "}};\n\nstatic int\n{entry}(lua_State *fp_L)\n{{\n    fp_class fp_classes[{0}];\n    \
         fp_value fp_seen[{0}];\n    int fp_chosen;\n\n{1}    switch (fp_chosen) {{\n",
        most.max(1),
        choice(&overloads, calls, most),
    );
    for (index, names) in calls.iter_enumerated() {
        let label = if Some(index) != calls.last_key() {
            format!("case {index}")
        } else {
            "default".into()
        };
        let _ = writeln!(text, "    {label}: return {}(fp_L, fp_seen);", names.entry);
    }
    text.push_str("    }\n}\n");
    text
}

/// The statements that set `fp_chosen`: a switch over keys of values, and the code for other
/// values.
fn choice(overloads: &str, calls: &TiVec<OverloadId, Names>, most: usize) -> String {
    let select = format!(
        "fp_chosen = fp_select(fp_L, {}, {overloads}, {}, fp_classes, fp_seen, {most});",
        c_string(calls.raw[0].function),
        calls.len()
    );
    let cases = exact_fits(calls);
    if cases.is_empty() {
        return format!("    {select}\n");
    }
    let mut scalars = calls.iter().flat_map(|names| {
        let call = names.call;
        call.parameters.iter().map(|parameter| call.variable(parameter.variable))
    });
    let plain = scalars.all(|variable| {
        variable.rank() > 0 || code(variable).is_some() || kind(variable).flag().is_some()
    });
    format!(
        "    switch (fp_key(fp_L, fp_seen, {most}, {})) {{\n{cases}    default:\n        {select}\n    }}\n",
        u8::from(plain)
    )
}

/// The cases of the keys of values that fit a call exactly.
fn exact_fits(calls: &TiVec<OverloadId, Names>) -> String {
    let mut seen = BTreeSet::new();
    let mut cases = String::new();
    for (index, names) in calls.iter_enumerated() {
        let fresh: Vec<String> =
            keys(names.call).into_iter().filter(|key| seen.insert(key.clone())).collect();
        if !fresh.is_empty() {
            for key in &fresh {
                let _ = writeln!(cases, "    case {key}:");
            }
            let _ = writeln!(cases, "        fp_chosen = {index};\n        break;");
        }
    }
    cases
}

/// The keys of values that fit a call exactly, one for each number of values that it accepts.
fn keys(call: &Call) -> Vec<String> {
    // A key does not represent other layouts, so nothing can suit it better.
    if !call.kinds.contains(&Kind::C) {
        return Vec::new();
    }
    let mut keys = Vec::new();
    let mut key = Vec::new();
    if call.count(ParameterKind::Required) == 0 {
        keys.push("0".to_owned());
    }
    for (position, parameter) in call.parameters.iter().enumerate() {
        let Some(code) = code(call.variable(parameter.variable)) else { break };
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

/// The representation in a key of a value that fits exactly.
fn code(variable: &Variable) -> Option<String> {
    let scalar = variable.number()?;
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
