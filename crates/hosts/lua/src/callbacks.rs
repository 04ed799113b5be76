//! Callbacks: the C functions that C calls, and the Lua function that each runs in a protected
//! call.

use crate::kinds::{Passed, ReturnedValue, nested, passed, pointee};
use crate::params::{define_named, define_value_param};
use fishplate_emit::{
    Body, CFile, Namer, Names, OuterHead, OuterNames, Section, c_comment, c_string, callback_data,
    callback_head, clear_value, declaration, failed_element, kept_until, parameter_declaration,
    print_error_code, result_declaration, success_code,
};
use fishplate_model::{Intent, Use, VariableId};
use fishplate_plan::{CallbackPlan, Data, FromC, Output, Plan, Value, Variable};
use std::fmt::Write as _;

/// The names of a callback's functions in the file.
pub(crate) struct Called {
    /// The C function that C calls.
    pub entry: String,
    /// The function that Lua runs for it.
    pub run: String,
    /// The key of a thread's callback if it has no user data.
    pub slot: String,
    /// The names of the function's arguments.
    list: String,
}

/// Declares the callbacks that the module retains.
pub(crate) fn declare_kept(plan: &Plan, file: &mut CFile) {
    for function in plan.keepers() {
        let tag = kept_until(function);
        file.add(Section::Declarations, format!("static const char {tag} = 0;"));
    }
}

/// Adds the C functions of a callback of the call whose names are `outer`.
pub(crate) fn emit(
    callback: &CallbackPlan,
    outer: &Names,
    namer: &mut Namer,
    text: &mut String,
) -> Called {
    let (function, param) = (outer.function, outer.param(callback.variable));
    let called = format!("{function}.{}_call", callback.call.c_name);
    let names = Names::new("fpl", &callback.call, &called, None, false, namer);
    let called = Called {
        entry: names.entry.clone(),
        run: namer.unique(format!("{}_run", names.entry)),
        slot: namer.unique(format!("{}_slot", names.entry)),
        list: namer.unique(format!("{}_names", names.entry)),
    };
    let frame = namer.unique(format!("{}_frame", names.entry));
    let printer =
        Printer { callback, outer, names: &names, function, param, called: &called, frame: &frame };
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
    frame: &'a str,
}

impl Printer<'_> {
    fn variables(&self) -> impl Iterator<Item = (VariableId, &Variable<FromC>)> {
        self.names.call.variables.iter_enumerated()
    }

    fn print(&self) -> String {
        let given: Vec<VariableId> = self.callback.inputs().map(|(index, _)| index).collect();
        let seen = OuterNames::new(self.callback, self.outer, &self.data());
        self.tables(&given)
            + &seen.define()
            + &self.define_frame(&seen)
            + &self.run(&given, &seen)
            + &self.entry(&seen)
    }

    /// C for the `fp_callback` that C calls.
    fn data(&self) -> String {
        callback_data(
            self.callback,
            self.names,
            "const fp_callback *",
            (&self.called.slot, self.param),
        )
    }

    /// The tables for the runtime: the names of the function's arguments, its arrays, and its
    /// results.
    fn tables(&self, given: &[VariableId]) -> String {
        let names = self.names;
        let list = names.input_names(given);
        let table = &self.called.list;
        let mut text = format!(
            "static const char *const {table}[] = {{{list}}};\n\
             static const fp_callback_param {} = {{{{FP_ARGUMENT({}, {}), FP_TYPE_FUNCTION, FP_ONE_VALUE}}, {table}}};\n",
            self.param,
            c_string(self.function),
            c_string(&names.call.c_name),
        );
        for (index, read, what) in names.table_values() {
            let called = (self.function, what.as_str());
            text += &match read.crossing.nested() {
                _ if let Some(value @ (Value::Enum(_) | Value::Struct(_))) = read.value() => {
                    define_value_param(names.table(index), value, called)
                }
                Some(nested) => nested::define_param(names.table(index), nested, called),
                None => define_named(names, index, &read, None, called),
            };
            text.push('\n');
        }
        if let Some((value, _, what)) = names.checked_result() {
            text.push_str(&define_value_param(
                &names.result_param(),
                value,
                (self.function, &what),
            ));
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

    /// The struct through which the Lua function receives arguments and returns results.
    fn define_frame(&self, seen: &OuterNames) -> String {
        let names = self.names;
        let mut text = "typedef struct {\n".to_owned();
        for (index, variable) in self.seen() {
            let member = parameter_declaration(variable, &names.parameter(index));
            let _ = writeln!(text, "    {member};");
        }
        if !names.call.result.is_void() {
            let declared = result_declaration(&names.call.result, "fp_c_result");
            let _ = writeln!(text, "    {declared};");
        }
        if let Some(head) = self.outer_of_sizes(seen) {
            let _ = writeln!(text, "    {};", head.declared);
        }
        if self.retains() {
            text.push_str("    fp_handle *fp_owner;\n");
        }
        if self.callback.checked.returns_used_object() {
            text.push_str("    fp_callback *fp_called;\n");
        }
        if self.borrowed_arrays() > 0 {
            let _ = writeln!(text, "    fp_storage *fp_borrowed[{}];", self.borrowed_arrays());
        }
        if self.is_empty() {
            text.push_str("    char fp_nothing;\n");
        }
        let _ = writeln!(text, "}} {};\n", self.frame);
        text
    }

    /// The variable through which the sizes of arrays reach values of the call, if they do.
    fn outer_of_sizes<'s>(&self, seen: &'s OuterNames) -> Option<&'s OuterHead> {
        seen.head.as_ref().filter(|_| seen.are_in_sizes(self.names))
    }

    /// The object with the callback retains objects that this returns.
    fn retains(&self) -> bool {
        let retained = |variable: &Variable<FromC>| {
            let nested = variable.crossing.nested();
            variable.intent.is_output() && nested.is_some_and(|one| one.has_use(Use::Retained))
        };
        self.variables().any(|(_, variable)| retained(variable))
    }

    /// The number of C arrays among the arguments.
    fn borrowed_arrays(&self) -> usize {
        self.callback.inputs().filter(|(_, variable)| is_borrowed_array(variable)).count()
    }

    /// True if the callback has neither arguments nor results.
    fn is_empty(&self) -> bool {
        self.seen().next().is_none() && self.names.call.result.is_void()
    }

    /// All parameters but the user data.
    fn seen(&self) -> impl Iterator<Item = (VariableId, &Variable<FromC>)> {
        self.variables().filter(|(_, variable)| passed(variable).is_seen())
    }

    /// The function that Lua runs: it calls the user's function, and reads its results.
    fn run(&self, given: &[VariableId], seen: &OuterNames) -> String {
        let names = self.names;
        let mut body = Body::at_depth(1);
        let uses_frame = !self.is_empty();
        let mut late: Vec<String> = Vec::new();
        if uses_frame {
            let frame = self.frame;
            body.line(format!("{frame} *fp_frame = ({frame} *)lua_touserdata(fp_L, 1);"));
        }
        for (index, variable) in self.seen() {
            if !variable.is_behind_pointer() {
                continue;
            }
            let local = names.local(index);
            let declared = declaration(&variable.ctype, local);
            match variable.value() {
                _ if variable.intent != Intent::Out => {
                    body.line(format!("{declared} = *fp_frame->{};", names.parameter(index)));
                }
                Some(value @ (Value::Enum(_) | Value::Struct(_))) => {
                    body.line(format!("{declared};"));
                    late.push(clear_value(value, &variable.ctype, local));
                }
                _ => body.line(format!("{declared} = 0;")),
            }
        }
        for (index, variable) in self.seen() {
            if variable.is_behind_pointer() {
                continue;
            }
            let local = names.local(index);
            body.line(format!("{} = fp_frame->{local};", parameter_declaration(variable, local)));
        }
        if let Some(head) = self.outer_of_sizes(seen) {
            body.line(format!("{} = fp_frame->{};", head.declared, head.name));
        }
        for (index, variable) in self.variables() {
            if let Some(shape) = variable.shape() {
                let dims: Vec<String> =
                    shape.iter().map(|expr| seen.dimension(expr, names)).collect();
                let local = names.local(index);
                body.line(format!("ptrdiff_t {local}shape[] = {{{}}};", dims.join(", ")));
            }
        }
        if let Some((pointer, _)) = names.pointer_result()
            && let Some(declared) = pointee(pointer).declare_taken(pointer)
        {
            body.line(declared);
        }
        body.line("");
        late.into_iter().for_each(|line| body.line(line));
        for (index, variable) in self.seen() {
            if !variable.is_behind_pointer() {
                body.line(format!("(void){};", names.local(index)));
            }
        }
        let outputs = &names.call.outputs;
        let success = success_code(&names.call.result);
        let wants_nothing = success.is_some() && outputs.is_empty();
        if given.len() > 8 {
            body.line(format!("luaL_checkstack(fp_L, {}, \"too many values\");", given.len() + 12));
        }
        for (k, index) in given.iter().enumerate() {
            body.line(self.pass(k, *index));
        }
        let lends = given.iter().any(|index| {
            let variable = &names.call.variables[*index];
            passed(variable).has_objects()
        });
        let count = outputs.len() + usize::from(wants_nothing);
        let returns_object =
            names.pointer_result().is_some_and(|(pointer, _)| pointer.class().is_some());
        let objects = if lends && returns_object { 2 } else { u8::from(lends) };
        let call = format!("fp_call_host(fp_L, {}, {count}, {objects})", given.len());
        if outputs.len() > 1 {
            let list = c_string(&names.output_list());
            let needed = self.needed(outputs);
            body.line(format!(
                "fp_check_values(fp_L, {call}, {needed}, {count}, {list}, &{});",
                self.param
            ));
        } else {
            body.line(format!("{call};"));
        }
        for (k, output) in outputs.iter().enumerate() {
            let slot = given.len() + 2 + k;
            match (output, names.pointer_result()) {
                (Output::Result, Some((pointer, _))) => {
                    let lines = pointee(pointer).take(&ReturnedValue {
                        pointer,
                        slot,
                        result: "fp_frame->fp_c_result",
                        is_kept: self.callback.checked.is_kept(),
                        param: &names.result_param(),
                    });
                    lines.into_iter().for_each(|line| body.line(line));
                }
                _ => body.line(self.take(slot, *output)),
            }
        }
        if wants_nothing {
            let (slot, param) = (given.len() + 2, self.names.result_param());
            body.line(format!("fp_take_nil(fp_L, {slot}, &{param});"));
        }
        if let Some(code) = success {
            body.line(format!("fp_frame->fp_c_result = {code};"));
        }
        for (index, variable) in self.seen() {
            if variable.is_behind_pointer() && variable.intent.is_output() {
                let (pointer, local) = (names.parameter(index), names.local(index));
                body.line(format!("*fp_frame->{pointer} = {local};"));
            }
        }
        body.line("return 0;");
        format!("static int\n{}(lua_State *fp_L)\n{{\n{}}}\n\n", self.called.run, body.into_text())
    }

    /// The statement that pushes an argument.
    fn pass(&self, k: usize, index: VariableId) -> String {
        let names = self.names;
        let variable = &names.call.variables[index];
        let before = |(other, variable): &(VariableId, &Variable<FromC>)| {
            *other < index && is_borrowed_array(variable)
        };
        passed(variable).pass(&Passed {
            ctype: &variable.ctype,
            local: names.local(index),
            own_param: names.param(index),
            param: self.param,
            k,
            arrays: self.callback.inputs().filter(before).count(),
        })
    }

    /// The number of values that the function must return: trailing arrays that C does not require
    /// may be absent.
    fn needed(&self, outputs: &[Output]) -> String {
        let count = outputs.len().to_string();
        let Some((Output::Argument(last), rest)) = outputs.split_last() else { return count };
        if self.names.call.variables[*last].rank() == 0 {
            return count;
        }
        format!("({} != NULL ? {count} : {})", self.names.local(*last), self.needed(rest))
    }

    /// The statement that reads one value returned by the function.
    fn take(&self, slot: usize, output: Output) -> String {
        let names = self.names;
        match output {
            Output::Argument(index) => {
                let variable = &names.call.variables[index];
                let (local, param) = (names.local(index), names.param(index));
                if let Some(nested) = variable.crossing.nested() {
                    let by = match nested.has_use(Use::Retained) {
                        true => "fp_frame->fp_owner",
                        false => "NULL",
                    };
                    return format!(
                        "fp_take_nested(fp_L, {slot}, {local}, fp_set_nested, {by}, &{param});"
                    );
                }
                if variable.rank() > 0 {
                    return format!(
                        "fp_take_array(fp_L, {slot}, {local}, {local}shape, &{param});"
                    );
                }
                variable.value().map_or_else(String::new, |value| read(value, slot, local, param))
            }
            Output::Result => {
                let value = names.call.result.value().expect("only C results are such outputs");
                read(value, slot, "fp_frame->fp_c_result", &self.names.result_param())
            }
        }
    }

    /// The function that C calls.
    fn entry(&self, seen: &OuterNames) -> String {
        let names = self.names;
        let mut body = Body::at_depth(1);
        body.line(format!("{} fp_frame;", self.frame));
        if self.borrowed_arrays() > 0 {
            body.line("int fp_done;");
        }
        body.line("");
        for (index, _) in self.seen() {
            let name = names.parameter(index);
            body.line(format!("fp_frame.{name} = {name};"));
        }
        if let Some(head) = self.outer_of_sizes(seen) {
            body.line(format!("fp_frame.{} = {};", head.name, head.value));
        }
        let data = self.data();
        if self.retains() {
            body.line(format!("fp_frame.fp_owner = fp_owner_of({data});"));
        }
        if self.callback.checked.returns_used_object() {
            body.line(format!("fp_frame.fp_called = (fp_callback *)(uintptr_t)({data});"));
        }
        let written = names.written();
        let mut run = format!("fp_run_callback({data}, &fp_frame)");
        let borrowed = self.borrowed_arrays();
        if borrowed > 0 {
            body.line("memset(fp_frame.fp_borrowed, 0, sizeof(fp_frame.fp_borrowed));");
            body.line(format!("fp_done = {run};"));
            body.line(format!("fp_take_back(fp_frame.fp_borrowed, {borrowed});"));
            run = "fp_done".to_owned();
        }
        let mut failed = Body::at_depth(body.depth() + 1);
        self.read_pointers(&written, &mut failed);
        let is_used = seen.are_in_failures(self.callback, names, &written);
        if let Some(head) = self.outer_of_sizes(seen).filter(|_| is_used) {
            failed.line(format!("{} = fp_frame.{};", head.declared, head.name));
        }
        print_error_code(self.callback, names, seen, "fp_frame.fp_c_result", &mut failed);
        for index in written {
            self.spoil(index, seen, &mut failed);
        }
        if failed.is_empty() {
            body.line(format!("(void){run};"));
        } else {
            body.open(&format!("if (!{run})"));
            body.append(failed);
            body.close();
        }
        if !names.call.result.is_void() {
            body.line("return fp_frame.fp_c_result;");
        }
        callback_head(names) + "{\n" + &body.into_text() + "}\n\n"
    }

    /// Reads the integers passed by pointer on which the sizes of unset outputs depend.
    fn read_pointers(&self, written: &[VariableId], body: &mut Body) {
        let names = self.names;
        let shapes =
            written.iter().filter_map(|index| names.call.variables[*index].shape()).flatten();
        let used: Vec<String> = shapes
            .flat_map(|expr| {
                expr.names().iter().map(|(name, _)| (*name).to_owned()).collect::<Vec<_>>()
            })
            .collect();
        for (index, variable) in self.seen() {
            if names.is_pointed(index) && used.contains(&variable.name) {
                let local = names.local(index);
                let pointer = names.parameter(index);
                body.line(format!("{} = *{pointer};", declaration(&variable.ctype, local)));
            }
        }
    }

    /// Fills an output that the callback has not set: C must not read uninitialised memory.
    fn spoil(&self, index: VariableId, seen: &OuterNames, body: &mut Body) {
        let names = self.names;
        let variable = &names.call.variables[index];
        if variable.crossing.nested().is_some() {
            return; // it is empty, or as it was
        }
        let none = failed_element(&variable.ctype);
        if variable.rank() == 0 {
            let place = format!("(*{})", names.parameter(index));
            match variable.value() {
                _ if variable.intent != Intent::Out => {}
                Some(value @ (Value::Enum(_) | Value::Struct(_))) => {
                    body.line(clear_value(value, &variable.ctype, &place));
                }
                _ => body.line(format!("{} = {none};", &place[1..place.len() - 1])),
            }
            return;
        }
        let local = names.local(index);
        let test = if variable.nullable { format!("if ({local} != NULL)") } else { String::new() };
        body.block(test, |body| {
            let shape = variable.shape().unwrap_or_default();
            let dims: Vec<String> = shape.iter().map(|expr| seen.dimension(expr, names)).collect();
            body.line(format!("ptrdiff_t fp_shape[] = {{{}}}, fp_i;", dims.join(", ")));
            let size: Vec<String> =
                (0..variable.rank()).map(|axis| format!("fp_shape[{axis}]")).collect();
            body.block(format!("for (fp_i = 0; fp_i < {}; fp_i++)", size.join(" * ")), |body| {
                body.line(format!("{local}[fp_i] = {none};"));
            });
        });
    }
}

/// True for a tensor on C memory.
fn is_borrowed_array(variable: &Variable<FromC>) -> bool {
    variable.array().is_some()
}

/// `fp_read_float64(fp_L, 3, &x_, &param);`
fn read(value: &Value, slot: usize, local: &str, param: &str) -> String {
    let kind = match value {
        Value::Enum(_) => "enum",
        Value::Struct(_) => "struct",
        Value::Number(scalar) if scalar.is_integer() => "integer",
        Value::Number(scalar) => scalar.dtype_name(),
        Value::Opaque => return String::new(),
    };
    format!("fp_read_{kind}(fp_L, {slot}, &{local}, &{param});")
}
