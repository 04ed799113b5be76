//! Callbacks: the C functions that C calls, each of which calls a Python function.

use crate::kinds::{ReturnedValue, nested, passed, pointee, reader};
use crate::params::{define_named, define_value_param, enum_dtype, numpy_type};
use fishplate_emit::{
    Body, CFile, Namer, Names, OuterNames, Section, c_comment, c_string, callback_data,
    callback_head, callback_variables, clear_value, failed_element, kept_until, print_error_code,
};
use fishplate_model::{Intent, Use, VariableId};
use fishplate_plan::{CallbackPlan, Data, FromC, Output, Plan, Returns, Value, Variable};
use std::fmt::Write as _;

/// The names of a callback in the file.
pub(crate) struct Called {
    /// The C function that C calls.
    pub entry: String,
    /// The key of a thread's callback if it has no user data.
    pub slot: String,
    /// The names of the function's arguments.
    list: String,
}

/// Declares the lists of callbacks that the module retains.
pub(crate) fn declare_kept(plan: &Plan, file: &mut CFile) {
    for function in plan.keepers() {
        let list = kept_until(function);
        file.add(Section::Declarations, format!("static fp_kept *{list};"));
    }
}

/// Adds the C function of a callback of the call whose names are `outer`.
pub(crate) fn emit(
    callback: &CallbackPlan,
    outer: &Names,
    namer: &mut Namer,
    text: &mut String,
) -> Called {
    let (function, param) = (outer.function, outer.param(callback.variable));
    let called = format!("{function}.{}_call", callback.call.c_name);
    let names = Names::new("fpy", &callback.call, &called, None, false, namer);
    let called = Called {
        entry: names.entry.clone(),
        slot: namer.unique(format!("{}_slot", names.entry)),
        list: namer.unique(format!("{}_names", names.entry)),
    };
    let printer = Printer { callback, outer, names: &names, function, param, called: &called };
    let _ = write!(
        text,
        "/* {}, of {function}() */\n{}",
        c_comment(&callback.call.prototype),
        printer.print()
    );
    called
}

struct Printer<'a> {
    callback: &'a CallbackPlan,
    outer: &'a Names<'a>,
    names: &'a Names<'a, FromC>,
    function: &'a str,
    param: &'a str,
    called: &'a Called,
}

impl Printer<'_> {
    fn variables(&self) -> impl Iterator<Item = (VariableId, &Variable<FromC>)> {
        self.names.call.variables.iter_enumerated()
    }

    fn print(&self) -> String {
        let given: Vec<VariableId> = self.callback.inputs().map(|(index, _)| index).collect();
        let seen = OuterNames::new(self.callback, self.outer, &self.data());
        let mut text = self.tables(&given) + &seen.define();
        let mut body = Body::at_depth(1);
        let outputs = &self.names.call.outputs;
        body.line(format!("PyObject *fp_given[{}] = {{NULL}};", given.len() + 1));
        if outputs.len() > 1 {
            body.line(format!("PyObject *fp_values[{}];", outputs.len()));
        }
        for line in callback_variables(self.names) {
            body.line(line);
        }
        if let Some((pointer, _)) = self.names.pointer_result()
            && let Some(declared) = pointee(pointer).declare_taken(pointer)
        {
            body.line(declared);
        }
        if let Some(head) = seen.head.as_ref().filter(|_| seen.are_in_sizes(self.names)) {
            body.line(format!("{} = {};", head.declared, head.value));
        }
        for (index, variable) in self.variables() {
            if let Some(shape) = variable.shape() {
                let dims: Vec<String> =
                    shape.iter().map(|expr| seen.dimension(expr, self.names)).collect();
                let local = self.names.local(index);
                body.line(format!("npy_intp {local}shape[] = {{{}}};", dims.join(", ")));
            }
        }
        body.line("fp_entered fp_in;");
        body.line("int fp_done = 0;");
        body.line("");
        body.block(format!("if (fp_enter_host(&fp_in, {}))", self.data()), |body| {
            self.call(&given, body);
        });
        self.give(&seen, &mut body);
        text.push_str(&callback_head(self.names));
        text + "{\n" + &body.into_text() + "}\n\n"
    }

    /// C for the `fp_callback` that C calls.
    fn data(&self) -> String {
        callback_data(self.callback, self.names, "fp_callback *", (&self.called.slot, self.param))
    }

    /// The tables for the runtime: the names of the function's arguments, its arrays, and its
    /// results.
    fn tables(&self, given: &[VariableId]) -> String {
        let names = self.names;
        let list = names.input_names(given);
        let (name, table) = (&names.call.c_name, &self.called.list);
        let mut text = format!(
            "static const char *const {table}[] = {{{list}}};\n\
             static const fp_callback_param {} = {{{{{}, {}, FP_TYPE_FUNCTION, sizeof(void *), FP_ONE_VALUE, FP_ONE_ITEM}}, {table}}};\n",
            self.param,
            c_string(self.function),
            c_string(name),
        );
        for (index, read, what) in names.table_values() {
            let called = (self.function, what.as_str());
            text += &match (read.crossing.nested(), read.enumeration()) {
                _ if let Some(value @ (Value::Enum(_) | Value::Struct(_))) = read.value() => {
                    define_value_param(names.table(index), (value, &read.ctype), called)
                }
                (Some(nested), _) => nested::define_param(names.table(index), nested, called),
                (None, Some(_)) => {
                    define_named(names, index, &read, &enum_dtype(&read.ctype), called)
                }
                (None, None) => {
                    define_named(names, index, &read, &numpy_type(read.ctype.scalar()), called)
                }
            };
            text.push('\n');
        }
        if let Some((value, ctype, what)) = names.checked_result() {
            let (param, result) = (names.result_param(), (value, ctype));
            text.push_str(&define_value_param(&param, result, (self.function, &what)));
            text.push('\n');
        }
        if let Some((pointer, what)) = names.pointer_result() {
            let table =
                pointee(pointer).define_result(&names.result_param(), (self.function, &what));
            text.push_str(&table);
            text.push('\n');
        }
        if self.callback.checked.data == Data::Thread {
            let _ = writeln!(text, "static __thread fp_callback *{};", self.called.slot);
        }
        text + "\n"
    }

    /// Calls the function, between attaching to Python and detaching from it.
    fn call(&self, given: &[VariableId], body: &mut Body) {
        let count = given.len();
        let mut tests: Vec<String> = given
            .iter()
            .enumerate()
            .map(|(k, index)| format!("(fp_given[{}] = {}) != NULL", k + 1, self.pass(k, *index)))
            .collect();
        tests.push(format!("fp_call_host(&fp_in, fp_given, {count})"));
        let names = self.names;
        let outputs = &names.call.outputs;
        if outputs.len() > 1 {
            let param = self.param;
            let taken = format!(
                "fp_take_values(fp_in.returned, fp_values, {}, {}, &{param})",
                outputs.len(),
                c_string(&self.names.output_list()),
            );
            tests.push(taken);
        }
        for (k, output) in outputs.iter().enumerate() {
            let value = if outputs.len() > 1 {
                format!("fp_values[{k}]")
            } else {
                "fp_in.returned".to_owned()
            };
            match (output, names.pointer_result()) {
                (Output::Result, Some((pointer, _))) => {
                    let arrays = given.iter().any(|index| names.call.variables[*index].is_array());
                    tests.extend(pointee(pointer).take(&ReturnedValue {
                        pointer,
                        value: &value,
                        callback: &self.data(),
                        param: &names.result_param(),
                        arrays: arrays.then_some(count),
                    }));
                }
                _ => tests.push(self.take(&value, *output)),
            }
        }
        if let (Returns::Status(..), true) = (&self.names.call.result, outputs.is_empty()) {
            tests.push(format!("fp_take_none(fp_in.returned, &{})", self.names.result_param()));
        }
        body.line(format!("fp_done = {}", tests[0]));
        for test in &tests[1..] {
            body.line(format!("          && {test}"));
        }
        body.end_statement();
        body.line(format!("fp_done = fp_leave_host(&fp_in, fp_given, {count}, fp_done);"));
    }

    /// C for a new object with the value of an argument.
    fn pass(&self, k: usize, index: VariableId) -> String {
        passed(&self.names.call.variables[index]).pass(self.names, index, k, self.param)
    }

    /// C that reads one value returned by the function.
    fn take(&self, value: &str, output: Output) -> String {
        let names = self.names;
        match output {
            Output::Argument(index) => {
                let variable = &names.call.variables[index];
                let (local, param) = (names.local(index), names.param(index));
                if let Some(nested) = variable.crossing.nested() {
                    let by = match nested.has_use(Use::Retained) {
                        true => format!("({})->owner", self.data()),
                        false => "NULL".to_owned(),
                    };
                    return format!(
                        "fp_take_nested({value}, {local}, fp_set_nested, {by}, &{param})"
                    );
                }
                if variable.rank() > 0 {
                    return format!("fp_take_array({value}, {local}, {local}shape, &{param})");
                }
                variable.value().map_or_else(String::new, |of| read(of, value, local, param))
            }
            Output::Result => {
                let of = names.call.result.value().expect("only C results are such outputs");
                read(of, value, "fp_c_result", &self.names.result_param())
            }
        }
    }

    /// Returns the results to C, or the error values of a failed callback.
    fn give(&self, seen: &OuterNames, body: &mut Body) {
        let names = self.names;
        let written = names.written();
        let mut failed = Body::at_depth(body.depth() + 1);
        print_error_code(self.callback, names, seen, "fp_c_result", &mut failed);
        for &index in &written {
            self.spoil(index, &mut failed);
        }
        if failed.is_empty() {
            body.line("(void)fp_done;");
        } else {
            body.open("if (!fp_done)");
            body.append(failed);
            body.close();
        }
        for index in written {
            if names.is_pointed(index) {
                body.line(format!("*{} = {};", names.parameter(index), names.local(index)));
            }
        }
        if !names.call.result.is_void() {
            body.line("return fp_c_result;");
        }
    }

    /// Fills an output that the callback has not set: C must not read uninitialised memory.
    fn spoil(&self, index: VariableId, body: &mut Body) {
        let names = self.names;
        let variable = &names.call.variables[index];
        if variable.crossing.nested().is_some() {
            return; // it is empty, or as it was
        }
        let (local, none) = (names.local(index), failed_element(&variable.ctype));
        if variable.rank() == 0 {
            match variable.value() {
                _ if variable.intent != Intent::Out => {}
                Some(value @ (Value::Enum(_) | Value::Struct(_))) => {
                    body.line(clear_value(value, &variable.ctype, local));
                }
                _ => body.line(format!("{local} = {none};")),
            }
            return;
        }
        let test = if variable.nullable { format!("if ({local} != NULL)") } else { String::new() };
        body.block(test, |body| {
            let size: Vec<String> =
                (0..variable.rank()).map(|axis| format!("{local}shape[{axis}]")).collect();
            body.line("npy_intp fp_i;");
            body.block(format!("for (fp_i = 0; fp_i < {}; fp_i++)", size.join(" * ")), |body| {
                body.line(format!("{local}[fp_i] = {none};"));
            });
        });
    }
}

/// `fp_read_float64(value, &x_, &param)`
fn read(of: &Value, value: &str, local: &str, param: &str) -> String {
    let read = match of {
        Value::Number(scalar) => format!("fp_read_{}", reader(*scalar)),
        Value::Enum(_) => "fp_read_enum".to_owned(),
        Value::Struct(_) => "FP_READ_STRUCT".to_owned(),
        Value::Opaque => return String::new(),
    };
    format!("{read}({value}, &{local}, &{param})")
}
