//! One function: its tables, its call, its entry.

use crate::docs;
use crate::overloads;
use crate::steps::Printer;
use crate::variables::{Names, used_params};
use fishplate_emit::{Body, CFile, Section, c_comment, c_string, is_integer_arithmetic};
use fishplate_model::{CResult, ScalarClass};
use fishplate_plan::{Absent, FunctionPlan, ParameterKind, Release, Step};
use std::collections::BTreeSet;

/// Adds a function to the file, and the names of its parameters to `keywords`.
pub(crate) fn emit(function: &FunctionPlan, file: &mut CFile, keywords: &mut BTreeSet<String>) {
    let single = function.calls.len() == 1;
    for (index, call) in function.calls.iter().enumerate() {
        let prefix = if single {
            format!("fpy_{}", function.name)
        } else {
            format!("fpy_{}_{index}", function.name)
        };
        let names = Names::new(call, prefix, &function.name);
        for parameter in &call.parameters {
            keywords.insert(parameter.name.clone());
        }
        let mut text = format!("/* {} */\n", c_comment(&call.prototype));
        text.push_str(&tables(&names));
        text.push_str(&definition(&names, single));
        file.add_for(Section::Functions, call.span, text + "\n");
    }
    if !single {
        file.add(Section::Functions, overloads::emit(function) + "\n");
    }
}

/// The parameters and the signature as static data.
fn tables(names: &Names) -> String {
    let call = names.call;
    let prefix = &names.prefix;
    let mut text = String::new();
    for variable in used_params(names) {
        text.push_str(&names.define_param(variable));
        text.push('\n');
    }
    let list = if call.parameters.is_empty() {
        "NULL".to_owned()
    } else {
        let list: Vec<String> =
            call.parameters.iter().map(|parameter| format!("&fpn_{}", parameter.name)).collect();
        text.push_str(&format!(
            "static fp_name *const {prefix}_names[] = {{{}}};\n",
            list.join(", ")
        ));
        format!("{prefix}_names")
    };
    text.push_str(&format!(
        "static const fp_signature {prefix}_signature = {{{}, {}, {}, {}, {}, {list}}};\n\n",
        c_string(names.function),
        c_string(&docs::call_text(names.function, call)),
        call.count(ParameterKind::Required),
        call.positional(),
        call.parameters.len(),
    ));
    text
}

/// The C function that makes the call: the entry itself, or one overload that gets its slots.
fn definition(names: &Names, single: bool) -> String {
    let call = names.call;
    let mut body = Body::at_depth(1);
    declarations(names, single, &mut body);
    body.line("");
    if single {
        body.line("(void)module;");
        let slots = if call.parameters.is_empty() { "NULL" } else { "slots" };
        body.line(format!(
            "args = fp_bind(&{}_signature, args, given, keywords, {slots});",
            names.prefix
        ));
        if call.parameters.is_empty() {
            body.when("args == NULL && PyErr_Occurred()", "return NULL;");
        } else {
            body.when("args == NULL", "return NULL;");
        }
    } else if call.parameters.is_empty() {
        body.line("(void)args;");
    }
    let head = if single {
        format!("static PyObject *\n{}(FP_ENTRY)\n{{\n", names.prefix)
    } else {
        format!("static PyObject *\n{}(PyObject *const *args)\n{{\n", names.prefix)
    };
    format!("{head}{}{}}}\n", body.into_text(), Printer::new(names).print())
}

/// All variables of the call. None is initialised here, so that no goto jumps over one (C++).
fn declarations(names: &Names, single: bool, body: &mut Body) {
    let call = names.call;
    let mut objects = vec!["*result".to_owned()];
    if single && !call.parameters.is_empty() {
        objects.push(format!("*slots[{}]", call.parameters.len()));
    }
    if call.outputs.len() > 1 {
        objects.push(format!("*items[{}]", call.outputs.len()));
    }
    // A failure after an acquisition jumps to `return result`.
    let acquires = call.steps.iter().any(|step| step.undo().is_some());
    if acquires {
        objects[0].push_str(" = NULL");
    }
    body.line(format!("PyObject {};", objects.join(", ")));
    for (index, variable) in call.variables.iter().enumerate() {
        let local = names.local(index);
        if variable.rank() > 0 {
            body.line(format!("fp_array {local};"));
        } else {
            body.line(format!("{} {local};", variable.ctype.spelling));
        }
    }
    match &call.result {
        CResult::Void => {}
        CResult::Value(ctype) | CResult::Status(ctype) => {
            body.line(format!("{} c_result;", ctype.spelling));
        }
    }
    if call
        .steps
        .iter()
        .any(|step| matches!(step, Step::Call { release } if *release != Release::Never))
    {
        body.line("PyThreadState *thread;");
    }
    temporaries(names, body);
}

/// The variables that the runtime's macros expect.
fn temporaries(names: &Names, body: &mut Body) {
    let call = names.call;
    let reads = |class: ScalarClass| {
        call.steps.iter().any(|step| match step {
            Step::ReadScalar { variable, .. } | Step::ReadMutableScalar { variable, .. } => {
                call.variables[*variable].ctype.scalar.class() == class
            }
            _ => false,
        })
    };
    if reads(ScalarClass::Signed) {
        body.line("long long fp_signed;");
    }
    if reads(ScalarClass::Unsigned) {
        body.line("unsigned long long fp_unsigned;");
    }
    if reads(ScalarClass::Bool) {
        body.line("int fp_truth;");
    }
    let computes = call.steps.iter().any(|step| match step {
        Step::SetScalar { variable, value: Some(value) }
        | Step::ReadScalar { variable, absent: Absent::Value(value), .. }
        | Step::ReadMutableScalar { variable, absent: Absent::Value(value), .. } => {
            call.variables[*variable].ctype.scalar.is_integer()
                && is_integer_arithmetic(value, names)
        }
        _ => false,
    });
    if computes {
        body.line("npy_intp fp_computed;");
    }
}
