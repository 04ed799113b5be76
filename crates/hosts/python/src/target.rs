//! C functions as graphs call them, by address.
//!
//! Invariant: no C++ exception leaves a target, and it checks the return code: on failure, it
//! returns 0, with a Python exception set.
//! Reason: a linked graph does not include the function's headers, and so cannot interpret its
//! failures.

use fishplate_emit::{Body, Namer, Names, c_string, c_type, failed_status, parameter_declaration};
use fishplate_model::{Callee, PerArgument, ScalarClass};
use fishplate_plan::{Output, Returns};
use std::fmt::Write as _;

/// The C expression for the address that graphs call; wrappers of the function are added to `text`.
pub(crate) fn emit(names: &Names, namer: &mut Namer, text: &mut String) -> String {
    let call = names.call;
    if !call.is_guarded() && call.callee == Callee::Either {
        return format!("(fp_target)FP_ADDRESS_{}", call.id);
    }
    if !call.is_guarded() && !call.unpacked.is_empty() {
        return format!("(fp_target){}", names.target);
    }
    if !call.is_guarded() {
        return format!("FP_TARGET({}, {})", call.id, call.c_name);
    }
    if !names.out_pointers.is_empty() {
        return "(fp_target)NULL".to_owned(); // no graph takes ownership of memory
    }
    let name = namer.unique(format!("{}_target", names.entry));
    let ctype = match &call.result {
        Returns::Void | Returns::Pointer(_) => None,
        Returns::Value(_, ctype) | Returns::Status(_, ctype) => Some(ctype),
    };
    // Graphs pass the address of an argument that C sets.
    let code = names.return_code().map(|code| match call.return_code {
        Some(Output::Argument(_)) => format!("(*{code})"),
        _ => code.to_owned(),
    });
    let is_given = call.outputs.contains(&Output::Result);
    let mut parameters = Vec::new();
    if let (Some(ctype), true) = (ctype, is_given) {
        parameters.push(format!("{} *fp_result", c_type(ctype)));
    }
    let variables = call.variables.iter_enumerated();
    parameters.extend(
        variables
            .clone()
            .map(|(index, variable)| parameter_declaration(variable, names.local(index))),
    );
    let arguments: PerArgument<String> = variables
        .map(|(index, variable)| {
            // A macro may use it in ways that only a typed pointer allows.
            match variable.is_by_value() || call.callee != Callee::Function {
                true => names.local(index).to_owned(),
                false => format!("FP_POINTER({})", names.local(index)),
            }
        })
        .collect();
    let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
    let mut body = Body::at_depth(1);
    if let Some(ctype) = ctype {
        body.line(format!("{} fp_c_result;", c_type(ctype)));
    }
    if call.throws || call.status.is_some() || code.is_some() {
        body.line("fp_failure fp_why;");
    }
    names.clear_errors().iter().for_each(|line| body.line(line));
    let set = if ctype.is_some() { "fp_c_result = " } else { "" };
    let statement = format!("{set}{}({});", names.target, arguments.join(", "));
    if call.throws {
        body.block("try", |body| body.line(statement));
        body.line("FP_LET_THREADS_END");
        body.block("catch (...)", |body| {
            body.line(format!("{}(&fp_why);", names.catch));
            body.line("return fp_report_from_graph(FP_FAILS, &fp_why);");
        });
    } else {
        body.line(statement);
    }
    if let (Some(code), true) = (code.as_deref(), call.status.is_some()) {
        let succeeded = names.succeeded(Some(code));
        body.block(format!("if (FP_UNLIKELY(!{succeeded}))"), |body| {
            let failing = names.failing(Some(code), "&fp_why", |index| arguments[index].clone());
            let outcome = format!("FP_FAILS + {failing}");
            body.when(format!("!fp_report_from_graph({outcome}, &fp_why)"), "return 0;");
        });
    } else if let (Some(code), Some(of)) = (&code, call.return_code_type()) {
        let is_unsigned = u8::from(of.scalar().class() == ScalarClass::Unsigned);
        body.block(format!("if ({})", failed_status(call, code)), |body| {
            let function = c_string(names.function);
            body.line(format!("fp_begin_failure(&fp_why, {function}, FP_RUNTIME_ERROR);"));
            body.line(format!(
                "fp_describe_status(&fp_why, {}, {is_unsigned}, (long long){code});",
                c_string(&call.c_name)
            ));
            body.line("return fp_report_from_graph(FP_FAILS, &fp_why);");
        });
    }
    if is_given {
        body.line("*fp_result = fp_c_result;");
    } else if matches!(call.result, Returns::Value(..)) {
        body.line("(void)fp_c_result;");
    }
    body.line("return FP_TARGET_DONE;");
    let _ = write!(
        text,
        "\n/* As graphs call it. */\nstatic int\n{name}({parameters})\n{{\n{}}}\n",
        body.into_text()
    );
    format!("(fp_target){name}")
}
