//! One function: its tables, its call, its entry.

use crate::callbacks::{self, Called};
use crate::docs;
use crate::handles::{declare_locks, makes_handle};
use crate::items;
use crate::kinds::kind;
use crate::out_pointer;
use crate::overloads;
use crate::retained;
use crate::sparse;
use crate::steps::{Printer, explain};
use crate::target;
use fishplate_emit::{
    Body, CFile, Namer, Names, Section, c_comment, c_string, declaration, define_outcome, surround,
};
use fishplate_model::{CallbackId, Kind, OverloadId, TiSlice, TiVec, VariableId};
use fishplate_plan::{
    Call, FunctionPlan, Operands, Output, ParameterKind, Plan, Release, Returns, Step,
};
use std::collections::BTreeSet;

/// The C functions that the tables of a module name for a function.
pub(crate) enum Entry {
    /// The function that Python calls with any arguments.
    Any(String),
    /// For a method or property whose calls are known by the number of their values: a function of these values for
    /// each. A method has one, with the object; a property also one with the object and the new value if it can be
    /// set.
    Bodies(Vec<String>),
}

/// Adds a function to the file, and the names of its parameters to `keywords`. Returns the C functions
/// that Python calls, and C for the targets of graphs, one for each overload, if graphs may call it.
pub(crate) fn emit(
    function: &FunctionPlan,
    plan: &Plan,
    file: &mut CFile,
    namer: &mut Namer,
    keywords: &mut BTreeSet<String>,
) -> (Entry, Vec<String>) {
    // If some layouts are refused, the choice among overloads refuses them.
    let single = matches!(function.calls.raw.as_slice(), [call] if serves_all_layouts(call));
    let counted = is_counted(function);
    let takes_slots = counted || !single;
    let full_name = function.full_name();
    let mut calls: TiVec<OverloadId, Names> = TiVec::new();
    let mut targets = Vec::new();
    for (index, call) in function.calls.iter_enumerated() {
        let around = function.pre_call.is_some() || function.post_call.is_some();
        let overload = (!single).then_some(index);
        let names = Names::new("fpy", call, &full_name, overload, around, namer);
        for parameter in &call.parameters {
            keywords.insert(parameter.name.clone());
        }
        let mut text = format!("/* {} */\n", c_comment(&call.prototype));
        let called: TiVec<CallbackId, Called> = call
            .callbacks
            .iter()
            .map(|callback| callbacks::emit(callback, &names, namer, &mut text))
            .collect();
        text.push_str(&tables(&names, namer));
        surround(&names, function, plan, file);
        define_outcome(&names, plan, file);
        let mut map = None;
        if let Some(mapped) = &call.mapped {
            let (functions, choice) = items::emit(&names, mapped, namer);
            text.push_str(&functions);
            map = Some(choice);
        }
        text.push_str(&definition(&names, &called, takes_slots, map));
        if function.interface.is_some() {
            targets.push(target::emit(&names, namer, &mut text));
        }
        file.add_for(Section::Functions, call.span, text + "\n");
        calls.push(names);
    }
    if counted {
        calls.raw.sort_by_key(|names| names.call.parameters.len());
        return (Entry::Bodies(calls.into_iter().map(|names| names.entry).collect()), targets);
    }
    let entry = match single {
        true => calls.raw.remove(0).entry,
        false => {
            let entry = namer.unique(format!("fpy_{}", full_name.replace('.', "_")));
            file.add(Section::Functions, overloads::emit(&entry, &calls, namer) + "\n");
            entry
        }
    };
    match sparse::emit(function, &entry, namer) {
        None => (Entry::Any(entry), targets),
        Some((text, outer)) => {
            keywords.extend(function.calls.iter().flat_map(sparse::names));
            file.add(Section::Functions, text + "\n");
            (Entry::Any(outer), targets)
        }
    }
}

/// The number of values determines the call: no values besides the object, or a property with one call for each number.
fn is_counted(function: &FunctionPlan) -> bool {
    let plain = |call: &Call| serves_all_layouts(call) && call.sparse.is_empty();
    let count = |call: &Call| (call.parameters.len(), call.count(ParameterKind::Required));
    let is_called = function.operators.iter().any(|(_, operands)| *operands == Operands::Any);
    let mut counts: Vec<(usize, usize)> = function.calls.iter().map(count).collect();
    counts.sort_unstable();
    function.class.is_some()
        && function.calls.iter().all(plain)
        && match counts.as_slice() {
            [(1, 1)] => !is_called,
            [(1, 1), (2, 2)] => function.is_property,
            _ => false,
        }
}

/// True if the layout of arrays never excludes a call.
fn serves_all_layouts(call: &Call) -> bool {
    call.kinds.contains(&Kind::Strided)
}

/// The parameters and the signature as static data.
fn tables(names: &Names, namer: &mut Namer) -> String {
    let call = names.call;
    let mut text = String::new();
    // The tables of a callback precede the C function that C calls.
    let is_callback = |variable: &VariableId| call.callback_of(*variable).is_some();
    for variable in names.used_params().into_iter().filter(|variable| !is_callback(variable)) {
        text.push_str(&kind(call.variable(variable)).define_param(names, variable));
        text.push('\n');
    }
    for one in &names.out_pointers {
        text.push_str(&out_pointer::define(names, one));
    }
    let keywords = namer.unique(format!("{}_names", names.entry));
    let list = if call.parameters.is_empty() {
        "NULL".to_owned()
    } else {
        let list: Vec<String> =
            call.parameters.iter().map(|parameter| format!("&fpn_{}", parameter.name)).collect();
        text.push_str(&format!(
            "static fp_name *const {}[] = {{{}}};\n",
            keywords,
            list.join(", ")
        ));
        keywords
    };
    let rows = namer.unique(format!("{}_rows", names.entry));
    let defined = explain::define_rows(names, &rows);
    let count = explain::rows(names).count();
    text.push_str(&defined);
    let rows = if count == 0 { "NULL" } else { &rows };
    text.push_str(&format!(
        "static const fp_signature {} = {{{}, {}, {}, {}, {}, {}, {list}, {rows}, {count}}};\n\n",
        names.signature,
        c_string(names.function),
        c_string(&docs::call_text(names.function, call)),
        c_string(&call.prototype),
        call.count(ParameterKind::Required),
        call.positional(),
        call.parameters.len(),
    ));
    text
}

/// The C function that makes the call: the entry itself, or one that receives the value of each parameter.
fn definition(
    names: &Names,
    called: &TiSlice<CallbackId, Called>,
    takes_slots: bool,
    map: Option<Body>,
) -> String {
    let call = names.call;
    let mut body = Body::at_depth(1);
    declarations(names, takes_slots, &mut body);
    body.line("");
    if !takes_slots {
        let slots = if call.parameters.is_empty() { "NULL" } else { "fp_slots" };
        body.line(format!(
            "fp_args = fp_bind(&{}, fp_args, fp_count, fp_keywords, {slots});",
            names.signature
        ));
        if call.parameters.is_empty() {
            body.when("fp_args == NULL && PyErr_Occurred()", "return NULL;");
        } else {
            body.when("fp_args == NULL", "return NULL;");
        }
    } else if call.parameters.is_empty() {
        body.line("(void)fp_args;");
    }
    if let Some(map) = map {
        body.append(map);
    }
    let head = if takes_slots {
        format!("static PyObject *\n{}(PyObject *const *fp_args)\n{{\n", names.entry)
    } else {
        format!("static PyObject *\n{}(FP_ENTRY)\n{{\n", names.entry)
    };
    format!("{head}{}{}}}\n", body.into_text(), Printer::new(names, called).print())
}

/// Declares all variables of the call, before any goto, which must not skip an initialisation
/// (C++).
fn declarations(names: &Names, takes_slots: bool, body: &mut Body) {
    let call = names.call;
    let mut objects = vec!["*fp_result".to_owned()];
    if !takes_slots && !call.parameters.is_empty() {
        objects.push(format!("*fp_slots[{}]", call.parameters.len()));
    }
    if call.outputs.len() > 1 {
        objects.push(format!("*fp_items[{}]", call.outputs.len()));
    }
    // A failure after an acquisition jumps to the return.
    let acquires = call.steps.iter().any(|step| step.undo().is_some());
    if acquires {
        objects[0].push_str(" = NULL");
    }
    body.line(format!("PyObject {};", objects.join(", ")));
    for (index, variable) in call.variables.iter_enumerated() {
        kind(variable).declare(names, index, body);
    }
    for one in &names.out_pointers {
        body.line(format!("{}{};", one.pointer_type(), one.pointer));
        body.declare(format!("fp_received {}", one.object));
    }
    declare_locks(call, body);
    retained::declare(names, body);
    match &call.result {
        Returns::Pointer(returned) if makes_handle(call, Output::Result) => {
            body.line("fp_handle *fp_made;");
            body.declare(declaration(&returned.ctype, "fp_c_result"));
        }
        Returns::Value(_, ctype) if call.keeps_result() => {
            body.declare(declaration(ctype, "fp_c_result"));
        }
        Returns::Status(_, ctype) => body.line(format!("{};", declaration(ctype, "fp_c_result"))),
        Returns::Value(..) | Returns::Pointer(_) | Returns::Void => {}
    }
    if call.throws || call.status.is_some() {
        body.line("fp_failure fp_why;");
    }
    if call.status.is_some() {
        body.declare("int fp_outcome");
    }
    if call.callbacks.iter().any(|callback| !callback.checked.is_kept()) {
        body.line(format!("fp_callback fp_callbacks[{}];", call.callbacks.len()));
    }
    if call.calls_back {
        body.line("fp_running fp_calls;");
    } else if call
        .steps
        .iter()
        .any(|step| matches!(step, Step::Call { release } if *release != Release::Never))
    {
        body.line("PyThreadState *fp_thread;");
    }
}
