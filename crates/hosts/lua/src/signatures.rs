//! Calls in messages and annotations.

use crate::handles::made;
use crate::steps::made_last;
use fishplate_emit::{Names, c_string};
use fishplate_model::Kind;
use fishplate_plan::{Call, ParameterKind, Step, Variable};

/// `matvec(a, x, y?)`, as error messages show it.
pub(crate) fn call_text(function: &str, call: &Call) -> String {
    format!("{function}({})", parameter_list(call, |name, _| name))
}

/// `cos(x: float64[n], y?: float64[n]) -> float64[n]`, as in the list of overloads, with the
/// layouts that it accepts if these are restricted.
pub(crate) fn overload_text(function: &str, call: &Call) -> String {
    let list = parameter_list(call, |name, variable| format!("{name}: {}", variable.type_text()));
    let results: Vec<String> =
        call.outputs.iter().map(|output| call.describe_output(*output).1).collect();
    let results = if results.is_empty() { "nothing".to_owned() } else { results.join(", ") };
    let text = format!("{function}({list}) -> {results}");
    match call.kinds.as_slice() {
        [Kind::C] => format!("{text} for C-contiguous tensors"),
        [Kind::Fortran] => format!("{text} for F-contiguous tensors"),
        _ => text,
    }
}

/// The `fp_signature` of a call, with the list of its parameters.
pub(crate) fn define_signature(names: &Names, list_name: &str) -> String {
    let call = names.call;
    let mut text = String::new();
    let list = if call.parameters.is_empty() {
        "NULL".to_owned()
    } else {
        let list: Vec<String> =
            call.parameters.iter().map(|p| format!("&{}", names.any_table(p.variable))).collect();
        text.push_str(&format!(
            "static const fp_param *const {list_name}[] = {{{}}};\n",
            list.join(", ")
        ));
        list_name.to_owned()
    };
    text.push_str(&format!(
        "static const fp_signature {} = {{{}, {}, {list}, {}, {}, {}}};\n",
        names.signature,
        c_string(names.function),
        c_string(&call_text(names.function, call)),
        call.count(ParameterKind::Required),
        call.parameters.len(),
        room(call),
    ));
    text
}

/// The stack slots that a call needs in addition to its values: a tensor for each array, results,
/// and those of one slow path of the runtime. None if the only result is all that is pushed.
fn room(call: &Call) -> usize {
    const SLOW_PATH: usize = 12;
    let is_array =
        |variable: &&Variable| variable.rank() > 0 || variable.crossing.nested().is_some();
    let arrays = call.variables.iter().filter(is_array).count();
    let scalars = || call.variables.iter().filter(|variable| variable.rank() == 0);
    let read_late =
        || scalars().any(|variable| variable.nullable || variable.intent.writes_caller());
    // C-allocated memory has one slot, and its value another.
    let received = call.steps.iter().filter(|step| matches!(step, Step::Receive { .. })).count();
    let others = received - made(call).count();
    // The Lua function of each callback, an error value, and the values that a callback pushes
    // before it runs.
    let calls = if call.calls_back { 2 * call.callbacks.len() + 6 } else { 0 };
    if calls == 0 && arrays == 0 && received == 0 && call.outputs.len() <= 1
        || calls == 0 && arrays == 1 && made_last(call).is_some() && !read_late()
    {
        return 0;
    }
    2 * arrays + calls + received + others + call.outputs.len() + SLOW_PATH
}

fn parameter_list(call: &Call, show: impl Fn(String, &Variable) -> String) -> String {
    let parameters = call.parameters.iter().map(|parameter| {
        let mark = if parameter.kind == ParameterKind::Required { "" } else { "?" };
        show(format!("{}{mark}", parameter.name), call.variable(parameter.variable))
    });
    parameters.collect::<Vec<_>>().join(", ")
}
