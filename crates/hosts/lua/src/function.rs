//! One function: its tables, its call, its entry.

use crate::callbacks::{self, Called};
use crate::handles::makes_handle;
use crate::kinds::{self, kind};
use crate::overloads;
use crate::retained;
use crate::signatures::define_signature;
use crate::steps::Printer;
use fishplate_emit::{
    Body, CFile, Namer, Names, Section, c_comment, declaration, define_outcome, surround,
};
use fishplate_model::{CallbackId, Kind, OverloadId, TiSlice, TiVec, VariableId};
use fishplate_plan::{FunctionPlan, Output, Plan, Returns};

/// Adds a function to the file. Returns the name of the C function that Lua calls.
pub(crate) fn emit(
    function: &FunctionPlan,
    plan: &Plan,
    file: &mut CFile,
    namer: &mut Namer,
) -> String {
    // If some layouts are refused, the choice among overloads refuses them.
    let single =
        matches!(function.calls.raw.as_slice(), [call] if call.kinds.contains(&Kind::Strided));
    let around = function.pre_call.is_some() || function.post_call.is_some();
    let full_name = function.full_name();
    let mut calls: TiVec<OverloadId, Names> = TiVec::new();
    for (index, call) in function.calls.iter_enumerated() {
        let overload = (!single).then_some(index);
        let names = Names::new("fpl", call, &full_name, overload, around, namer);
        let mut text = format!("/* {} */\n", c_comment(&call.prototype));
        let called: TiVec<CallbackId, Called> = call
            .callbacks
            .iter()
            .map(|callback| callbacks::emit(callback, &names, namer, &mut text))
            .collect();
        // The tables of a callback precede the C function that C calls.
        let is_callback = |variable: &VariableId| call.callback_of(*variable).is_some();
        for variable in names.used_params().into_iter().filter(|one| !is_callback(one)) {
            text.push_str(&kind(call.variable(variable)).define_param(&names, variable));
            text.push('\n');
        }
        for one in &names.out_pointers {
            text.push_str(&kinds::define(&names, one));
        }
        let list = namer.unique(format!("{}_params", names.entry));
        text.push_str(&define_signature(&names, &list));
        text.push('\n');
        surround(&names, function, plan, file);
        define_outcome(&names, plan, file);
        text.push_str(&definition(&names, &called, single));
        file.add_for(Section::Functions, call.span, text + "\n");
        calls.push(names);
    }
    if single {
        return calls.raw.remove(0).entry;
    }
    let entry = namer.unique(format!("fpl_{}", full_name.replace('.', "_")));
    file.add(Section::Functions, overloads::emit(&entry, &calls, namer) + "\n");
    entry
}

/// The C function that makes the call: the entry itself, or one overload that was chosen.
fn definition(names: &Names, called: &TiSlice<CallbackId, Called>, single: bool) -> String {
    let mut body = Body::at_depth(1);
    declarations(names, &mut body);
    if single {
        body.line(format!("fp_bind(fp_L, &{});", names.signature));
    } else {
        body.line(format!("fp_enter(fp_L, &{});", names.signature));
    }
    let steps = Printer::new(names, called, !single).print();
    let known = if single { "" } else { ", const fp_value *fp_seen" };
    if !single && !steps.contains("fp_seen[") {
        body.line("(void)fp_seen;");
    }
    format!(
        "static int\n{}(lua_State *fp_L{known})\n{{\n{}{steps}}}\n",
        names.entry,
        body.into_text()
    )
}

/// Declares all variables of the call.
fn declarations(names: &Names, body: &mut Body) {
    let call = names.call;
    for (index, variable) in call.variables.iter_enumerated() {
        kind(variable).declare(names, index, body);
    }
    if makes_handle(call, Output::Result) {
        body.declare("int fp_result_at");
    }
    for one in &names.out_pointers {
        body.line(format!("{}{};", one.pointer_type(), one.pointer));
        body.declare(format!("fp_received {}", one.object));
    }
    let result = match &call.result {
        Returns::Value(_, ctype) if call.keeps_result() => Some(ctype),
        Returns::Status(_, ctype) => Some(ctype),
        Returns::Pointer(returned) => makes_handle(call, Output::Result).then_some(&returned.ctype),
        Returns::Value(..) | Returns::Void => None,
    };
    if let Some(ctype) = result {
        body.declare(declaration(ctype, "fp_c_result"));
    }
    let may_fail = call.throws || call.status.is_some();
    if may_fail {
        body.line("fp_failure fp_why;");
    }
    if call.callbacks.iter().any(|callback| !callback.checked.is_kept()) {
        body.line(format!("fp_callback fp_callbacks[{}];", call.callbacks.len()));
    }
    if call.calls_back {
        body.line("fp_running fp_calls;");
    }
    retained::declare(names, body);
    if call.status.is_some() {
        body.declare("int fp_outcome");
    }
    if !call.variables.is_empty()
        || result.is_some()
        || may_fail
        || !names.out_pointers.is_empty()
        || call.calls_back
    {
        body.line("");
    }
}
