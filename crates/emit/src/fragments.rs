//! Calls with C code of the author's before or after them.
//!
//! That code is in a separate function whose parameters have the names of the prototype, so that no
//! generated variable is in scope, and a `return` in it ends this call alone.

use crate::agreement::{Variant, parameter_declaration, parameter_type, result_type};
use crate::names::callee;
use crate::{CFile, Namer, Names, Section, source_name};
use fishplate_model::{Span, Spanned, declared};
use fishplate_plan::{FunctionPlan, Plan};

/// Adds the function `names.target`, if the author has C code around the call.
pub fn surround(names: &Names, function: &FunctionPlan, plan: &Plan, file: &mut CFile) {
    if function.pre_call.is_none() && function.post_call.is_none() {
        return;
    }
    let call = names.call;
    let (result, is_void) = (result_type(&call.result), call.result.is_void());
    let parameters: Vec<String> = call
        .variables
        .iter()
        .map(|variable| parameter_declaration(variable, &variable.name))
        .collect();
    let arguments: Vec<String> = call
        .variables
        .iter()
        .map(|variable| {
            // A header may declare the pointer with another type: arrays of arrays, void.
            if parameter_type(variable, Variant::Exact).ends_with('*') {
                format!("FP_POINTER({})", variable.name)
            } else {
                variable.name.clone()
            }
        })
        .collect();
    let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
    let argument_names = || call.variables.iter().map(|variable| variable.name.as_str());
    let local = Namer::avoiding(argument_names()).unique("result".to_owned());
    let mut head = format!("static {result}\n{}({parameters})\n{{", names.target);
    let mut callee = callee(call);
    if argument_names().any(|name| name == callee) {
        // Inside, that name is the argument's.
        let other = format!("{}_calls", names.target);
        head = format!("static __typeof__({callee}) *const {other} = {callee};\n\n{head}");
        callee = other;
    }
    let (declare, set, give) = if is_void {
        (String::new(), String::new(), String::new())
    } else {
        (
            format!("\n    {};", declared(&result, &local)),
            format!("{local} = "),
            format!("    return {local};\n"),
        )
    };
    let fragment = |fragment: &Option<Spanned<String>>, file: &mut CFile| {
        if let Some(code) = fragment {
            let line = plan.source.lines().line(code.span.start);
            file.add_at_line(Section::Functions, &source_name(plan), line, code.value.trim_end());
        }
    };
    let span: Span = call.span;
    file.add_for(Section::Functions, span, head + &declare);
    fragment(&function.pre_call, file);
    let called = format!("    {set}{callee}({});", arguments.join(", "));
    file.add_for(Section::Functions, span, called);
    fragment(&function.post_call, file);
    file.add_for(Section::Functions, span, format!("{give}}}\n"));
}
