//! Steps as C: each one statement or two. What fails does not come back, so there are no labels; the
//! undos say which memory need not wait for Lua's collector.

mod callbacks;
mod classes;
mod handles;
mod pins;

pub(crate) use self::classes::push_value;
use self::pins::may_collect;
use crate::callbacks::Called;
use crate::handles::makes_handle;
use crate::params::{dtype, stack_index};
use fishplate_emit::{
    Body, Names, c_string, c_type, dimension, failed_status, parameter_declaration, value, zero,
};
use fishplate_model::{
    CType, CallbackId, Callee, Expr, ParameterId, Safety, ScalarClass, TiSlice, VariableId,
};
use fishplate_plan::{
    Absent, Access, By, Call, Crossing, Memory, Output, ParameterKind, Returns, Step, Undo, Value,
};

/// Prints a call's steps, from reading its values to pushing its results.
pub(crate) struct Printer<'a, 'b> {
    pub(crate) names: &'b Names<'a>,
    /// What C calls for each of its callbacks.
    called: &'b TiSlice<CallbackId, Called>,
    pub(crate) body: Body,
    /// What may hold memory that need not wait for the collector.
    undos: Vec<Undo>,
    /// It is one of several overloads, whose choice has seen the values.
    chosen: bool,
    /// The array that is made last and is the only result.
    last: Option<VariableId>,
    /// Lua may have collected since the call's handles were seen to be open, and have run finalizers.
    has_collected: bool,
    /// C has returned.
    has_called: bool,
    /// The handles of which the next call of C ends what was borrowed from them.
    ended: Vec<VariableId>,
}

impl<'a, 'b> Printer<'a, 'b> {
    pub(crate) fn new(
        names: &'b Names<'a>,
        called: &'b TiSlice<CallbackId, Called>,
        chosen: bool,
    ) -> Self {
        let last = made_last(names.call);
        let body = Body::at_depth(1);
        let (has_collected, has_called) = (false, false);
        let (undos, ended) = (Vec::new(), Vec::new());
        Printer { names, called, body, undos, chosen, last, has_collected, has_called, ended }
    }

    /// The statements of the whole call.
    pub(crate) fn print(mut self) -> String {
        for step in &self.names.call.steps {
            self.check_handles_of(step);
            self.step(step);
            self.undos.extend(step.undo());
            self.has_collected |= may_collect(step, self.names.call);
            self.has_called |= matches!(step, Step::Call { .. });
        }
        // What strings are made of is given back after that.
        let is_string = |output: &Output| match output {
            Output::Argument(index) => matches!(
                self.names.call.variables[*index].crossing,
                Crossing::Bytes(_) | Crossing::String | Crossing::StringBuffer(_)
            ),
            Output::Result => false,
        };
        let makes_strings = self.names.call.outputs.iter().any(is_string);
        if !makes_strings {
            self.release();
        }
        for output in &self.names.call.outputs {
            let push = self.output(*output);
            self.push(*output, &push);
        }
        if makes_strings {
            self.release();
        }
        self.body.line(format!("return {};", self.names.call.outputs.len()));
        if self.names.call.throws {
            self.body.label("thrown");
            if self.names.call.calls_back {
                // What a callback has raised comes first.
                self.end_calls();
                self.raise_called(false);
            } else if self.pins() {
                self.unpin_handles();
            }
            self.release();
            self.body.line("fp_raise_failure(fp_L, &fp_why);");
        }
        self.body.into_text()
    }

    fn step(&mut self, step: &Step) {
        let names = self.names;
        match step {
            Step::Acquire { variable, parameter, absent, .. } => {
                self.acquire(*variable, *parameter, absent);
            }
            Step::SetScalar { variable, value } => self.set(*variable, value.as_ref()),
            Step::FindDimension { variable, places } => {
                for (index, place) in places.iter().enumerate() {
                    let array = names.local(place.array);
                    let found = &names.call.variables[*variable];
                    let find = format!(
                        "fp_find_dim(fp_L, &{}, {}, {array}.shape[{}], {}, {}, &{});",
                        names.local(*variable),
                        dtype(found.ctype.scalar()),
                        place.axis,
                        place.axis,
                        c_string(&found.name),
                        names.param(place.array),
                    );
                    if !names.call.variables[place.array].nullable {
                        self.body.line(find);
                        return;
                    }
                    let head = if index == 0 { "if" } else { "else if" };
                    self.body
                        .block(format!("{head} ({array}.data != NULL)"), |body| body.line(find));
                }
                self.nested("else", |printer| printer.set(*variable, None));
            }
            Step::MakeArray { variable, buffer, memory } => {
                self.shape(*variable);
                let (local, param) = (names.local(*variable), names.param(*variable));
                self.body.line(match memory {
                    Memory::Result if names.call.variable(*variable).array().is_none() => {
                        format!("fp_array_scratch(fp_L, &{local}, &{param});")
                    }
                    Memory::Scratch => format!("fp_array_scratch(fp_L, &{local}, &{param});"),
                    Memory::Result => {
                        let slot = buffer.map_or(0, stack_index);
                        let make = if self.last == Some(*variable) { "result" } else { "out" };
                        format!("fp_array_{make}(fp_L, &{local}, {slot}, &{param});")
                    }
                });
                if let Some(buffer) = buffer {
                    self.keep_apart(*variable, stack_index(*buffer));
                }
            }
            Step::FillArray { variable, value } => self.fill(*variable, value),
            Step::CheckDimension { variable, axis, expected } => self.body.line(format!(
                "fp_check_dim(fp_L, &{}, {axis}, {}, {}, &{});",
                names.local(*variable),
                dimension(expected, names),
                expected
                    .as_literal()
                    .map_or_else(|| c_string(&expected.shown().to_string()), |_| "NULL".to_owned()),
                names.param(*variable),
            )),
            // Lua has no lock that could be let go.
            Step::Call { release: _ } => self.call(),
            Step::CheckStatus => self.check_status(true),
            Step::WriteBack { variable } => self.write_back(*variable),
            Step::Expect { handed } if makes_handle(names.call, *handed) => {
                self.expect_handle(*handed);
            }
            Step::Receive { handed } if makes_handle(names.call, *handed) => {
                self.check_handle(*handed);
            }
            Step::KeepCallback { variable } => self.keep_callback(*variable),
            Step::DropCallbacks { function } => self.drop_callbacks(function),
            // Where it is the module's it is taken around the call; an object is known to one thread.
            Step::Lock { .. } => {}
            // It is closed right before C is called, where nothing raises any more.
            Step::Invalidate { variable } => self.ended.push(*variable),
            Step::Query { query } => self.query(query),
            Step::Expect { handed } => self.expect(*handed),
            Step::Receive { handed } => self.receive(*handed),
            Step::Cut { variable, length } => self.body.line(format!(
                "fp_cut(fp_L, &{}, {}, {}, &{});",
                names.local(*variable),
                dimension(length, names),
                c_string(&length.shown().to_string()),
                names.param(*variable)
            )),
            Step::Broadcast
            | Step::FitLists
            | Step::CopyItems { .. }
            | Step::Items { .. }
            | Step::ReadItem { .. }
            | Step::Reset { .. } => unreachable!("a call in Lua is one item"),
        }
    }

    /// Acquires an argument.
    fn acquire(&mut self, variable: VariableId, parameter: ParameterId, absent: &Absent) {
        match &self.names.call.variables[variable].crossing {
            Crossing::Callback(_) => self.take_callback(variable, parameter, absent),
            Crossing::Object(_) => self.take_handle(variable, parameter, absent),
            Crossing::String => self.take_text(variable, parameter, absent),
            Crossing::Value(..) => self.read(variable, parameter, absent),
            _ => self.take(variable, parameter, absent),
        }
    }

    fn take_text(&mut self, variable: VariableId, parameter: ParameterId, absent: &Absent) {
        let (local, param) = (self.names.local(variable), self.names.param(variable));
        let slot = stack_index(parameter);
        let read = format!("fp_read_text(fp_L, {slot}, &{local}, &{param});");
        self.given(parameter, &[read], absent, |printer, default| {
            printer.set(variable, default);
        });
    }

    /// What C has changed goes back to what the caller passed.
    fn write_back(&mut self, variable: VariableId) {
        let names = self.names;
        let (local, param) = (names.local(variable), names.param(variable));
        let word = match &names.call.variables[variable].crossing {
            Crossing::Value(Value::Struct(_), _) => "record",
            Crossing::Value(..) => "scalar",
            _ => {
                self.body.line(format!("fp_write_back(&{local}, &{param});"));
                return;
            }
        };
        let Some(parameter) = names.call.parameter_of(variable) else { return };
        let slot = stack_index(parameter);
        let write = format!("fp_write_{word}(fp_L, {slot}, &{local}, sizeof({local}));");
        if names.call.parameters[parameter].kind == ParameterKind::Required {
            self.body.line(write);
        } else {
            self.body.when(self.is_given(parameter), &write);
        }
    }

    fn read(&mut self, variable: VariableId, parameter: ParameterId, absent: &Absent) {
        let names = self.names;
        let mutable = names.call.variables[variable].intent.writes_caller();
        if names.call.variables[variable].ctype.class().is_some() {
            self.read_value(variable, parameter, absent);
            return;
        }
        let scalar = names.call.variables[variable].ctype.scalar();
        let kind = match scalar.class() {
            ScalarClass::Signed | ScalarClass::Unsigned => "integer",
            _ => scalar.dtype_name(),
        };
        let (local, param) = (names.local(variable), names.param(variable));
        let slot = stack_index(parameter);
        let mut statements = vec![if self.chosen && kind == "float64" {
            let seen = format!("fp_seen[{parameter}].type");
            format!("fp_read_seen_{kind}(fp_L, {slot}, {seen}, &{local}, &{param});")
        } else {
            format!("fp_read_{kind}(fp_L, {slot}, &{local}, &{param});")
        }];
        if mutable {
            statements.insert(0, format!("fp_check_mutable_scalar(fp_L, {slot}, &{param});"));
        }
        self.given(parameter, &statements, absent, |printer, default| {
            printer.set(variable, default);
        });
    }

    /// Whether the caller gave a value.
    fn is_given(&self, parameter: ParameterId) -> String {
        if self.chosen {
            format!("fp_is_seen(&fp_seen[{parameter}])")
        } else {
            format!("fp_is_given(fp_L, {})", stack_index(parameter))
        }
    }

    /// `statements` where the caller gave a value; `otherwise`, with the default if there is one, where
    /// they did not and need not.
    fn given(
        &mut self,
        parameter: ParameterId,
        statements: &[String],
        absent: &Absent,
        otherwise: impl FnOnce(&mut Self, Option<&Expr>),
    ) {
        let default = match absent {
            Absent::Never => {
                statements.iter().for_each(|statement| self.body.line(statement));
                return;
            }
            Absent::Null => None,
            Absent::Value(default) => Some(default),
        };
        self.body.block(format!("if ({})", self.is_given(parameter)), |body| {
            statements.iter().for_each(|statement| body.line(statement));
        });
        self.nested("else", |printer| otherwise(printer, default));
    }

    /// `head { ... }`, where what is inside may set variables too.
    pub(crate) fn nested(&mut self, head: &str, inside: impl FnOnce(&mut Self)) {
        self.body.open(head);
        inside(self);
        self.body.close();
    }

    fn set(&mut self, variable: VariableId, to: Option<&Expr>) {
        let local = self.names.local(variable);
        if let Crossing::String = self.names.call.variables[variable].crossing {
            let value = to.map_or("NULL".to_owned(), |expr| value(expr, self.names));
            self.body.line(format!("{local} = {value};"));
            return;
        }
        if self.names.call.variables[variable].ctype.class().is_some() {
            self.set_value(variable, to);
            return;
        }
        match to {
            None => {
                let ctype = &self.names.call.variables[variable].ctype;
                self.body.line(format!("{local} = {};", zero(ctype)));
            }
            Some(expr) => self.assign(variable, local, expr),
        }
    }

    /// Sets `target`, which has the type of the variable, to an expression's value; an integer must
    /// fit.
    fn assign(&mut self, variable: VariableId, target: &str, expr: &Expr) {
        let assignment = self.names.assignment(variable, target, expr, "fp_L, ");
        if let Some(check) = assignment.check {
            self.body.line(format!("{check};"));
        }
        if let Some(statement) = assignment.statement {
            self.body.line(statement);
        }
    }

    /// Sets all elements of an array that we made to a value.
    fn fill(&mut self, variable: VariableId, to: &Expr) {
        let names = self.names;
        let (local, param) = (names.local(variable), names.param(variable));
        let element = format!("{local}element");
        let ctype = c_type(&names.call.variables[variable].ctype);
        self.nested("", |printer| {
            printer.body.line(format!("{ctype} {element};"));
            printer.assign(variable, &element, to);
            printer.body.line(format!("fp_fill(&{local}, &{element}, &{param});"));
        });
    }

    fn take(&mut self, variable: VariableId, parameter: ParameterId, absent: &Absent) {
        let names = self.names;
        let access = Access::of(names.call.variables[variable].intent);
        let (local, param) = (names.local(variable), names.param(variable));
        let slot = stack_index(parameter);
        let tensor = if self.chosen {
            format!("fp_seen[{parameter}].tensor")
        } else {
            format!("fp_to_tensor(fp_L, {slot})")
        };
        let is_bytes = matches!(names.call.variables[variable].crossing, Crossing::Bytes(_));
        let take = match access {
            Access::Read if is_bytes => format!("fp_bytes_in(fp_L, &{local}, {slot}, &{param});"),
            Access::InPlace | Access::Exclusive if is_bytes => {
                format!("fp_bytes_lent(fp_L, &{local}, {slot}, &{param});")
            }
            Access::Copy if is_bytes => format!("fp_bytes_copy(fp_L, &{local}, {slot}, &{param});"),
            Access::Read => format!("fp_array_in(fp_L, &{local}, {tensor}, {slot}, &{param});"),
            Access::InPlace => {
                format!("fp_array_inplace(fp_L, &{local}, {tensor}, {slot}, &{param});")
            }
            Access::Exclusive => {
                format!("fp_array_inout(fp_L, &{local}, {tensor}, {slot}, &{param});")
            }
            Access::Copy => format!("fp_array_copy(fp_L, &{local}, {slot}, &{param});"),
        };
        self.given(parameter, &[take], absent, |printer, default| match default {
            Some(fill) => {
                printer.shape(variable);
                printer.body.line(if is_bytes {
                    format!("fp_array_scratch(fp_L, &{local}, &{param});")
                } else {
                    format!("fp_array_out(fp_L, &{local}, 0, &{param});")
                });
                printer.fill(variable, fill);
            }
            None => printer.body.line(format!("fp_array_null(&{local}, &{param});")),
        });
        self.lend(variable);
    }

    /// Sets the shape of an array that is to be made.
    fn shape(&mut self, variable: VariableId) {
        for statement in self.names.set_shape(variable) {
            self.body.line(statement);
        }
    }

    fn call(&mut self) {
        let names = self.names;
        let call = names.call;
        let arguments: Vec<String> =
            call.variables.keys().map(|index| self.c_argument(index)).collect();
        let result = match &call.result {
            Returns::Void => "",
            Returns::Value(_) if !call.keeps_result() => "(void)",
            Returns::Value(_) | Returns::Status(_) | Returns::Pointer(_) => "fp_c_result = ",
        };
        self.invoke(&format!("{result}{}({});", names.target, arguments.join(", ")), true);
        self.receive_handles();
        self.hand_over();
        self.raise_called(true);
    }

    /// Asks C; a status is judged as that of the call.
    fn query(&mut self, query: &Expr) {
        let asked = self.names.query(query, &|index| self.c_argument(index));
        let returns_status = matches!(self.names.call.result, Returns::Status(_));
        let target = if returns_status { "fp_c_result = " } else { "(void)" };
        self.invoke(&format!("{target}{asked};"), returns_status);
        self.raise_called(false);
        if returns_status {
            self.check_status(false);
        }
    }

    /// A statement that calls C, and, where that is `judged`, what its result means.
    fn invoke(&mut self, statement: &str, judged: bool) {
        let names = self.names;
        let call = names.call;
        if call.status.as_ref().is_some_and(|status| status.errno().is_some()) {
            self.body.line("errno = 0;");
        }
        if call.calls_back {
            self.begin_calls();
        } else if self.pins() {
            self.pin_handles();
        } else {
            self.check_handles();
        }
        let locks = call.safety == Safety::ModuleLock;
        if locks {
            self.body.line("fp_enter_module();");
        }
        if call.throws {
            self.guarded(statement, locks);
        } else {
            self.body.line(statement);
        }
        if judged && call.status.is_some() {
            // Before anything else happens in the library.
            self.body.line(format!(
                "fp_judged = FP_LIKELY({}) ? 0 : FP_FAILS + {};",
                self.names.succeeded(),
                self.names.failing("&fp_why", |index| self.told(index))
            ));
        }
        if locks {
            self.body.line("fp_leave_module();");
        }
        if call.calls_back {
            self.end_calls();
        } else if self.pins() {
            self.unpin_handles();
        }
    }

    /// A call that may throw. Raising is a longjmp, which must leave no handler behind: it happens at the end of
    /// the function.
    fn guarded(&mut self, statement: &str, locks: bool) {
        self.body.block("try", |body| body.line(statement));
        self.body.line("FP_LET_THREADS_END");
        let catch = &self.names.catch;
        self.body.block("catch (...)", |body| {
            if locks {
                body.line("fp_leave_module();");
            }
            body.line(format!("{catch}(&fp_why);"));
            body.line("goto thrown;");
        });
    }

    /// An argument as a message names it: of a pointer that C sets, what C has set.
    fn told(&self, index: VariableId) -> String {
        match self.names.call.variables[index].crossing {
            Crossing::OutPointer(_) => self.names.local(index).to_owned(),
            _ => self.c_argument(index),
        }
    }

    fn c_argument(&self, index: VariableId) -> String {
        let variable = &self.names.call.variables[index];
        let local = self.names.local(index);
        match &variable.crossing {
            Crossing::String if !variable.is_const => {
                format!("({} *){local}", c_type(&variable.ctype))
            }
            Crossing::Callback(_) | Crossing::UserData => self.callback_argument(index),
            Crossing::Value(_, By::Value) | Crossing::Object(_) | Crossing::String => {
                local.to_owned()
            }
            Crossing::OutPointer(_) => format!("&{local}"),
            Crossing::Array(_) | Crossing::Bytes(_) | Crossing::StringBuffer(_) => {
                match self.names.call.callee {
                    // C++ makes no typed pointer of any other by itself.
                    Callee::Function if self.names.call.throws => format!("FP_DATA({local})"),
                    Callee::Function => format!("{local}.data"),
                    // A macro may do with it what only a typed pointer allows.
                    _ => format!("(({}){local}.data)", parameter_declaration(variable, "")),
                }
            }
            Crossing::Value(_, By::Pointer) => match self.names.call.parameter_of(index) {
                Some(parameter) if variable.nullable => {
                    format!("{} ? &{local} : NULL", self.is_given(parameter))
                }
                _ => format!("&{local}"),
            },
            Crossing::List(never) => match *never {},
        }
    }

    /// `made` says that what the call makes is there by now.
    fn check_status(&mut self, made: bool) {
        let names = self.names;
        if names.call.status.is_some() {
            self.nested("if (FP_UNLIKELY(fp_judged == FP_FAILS))", |printer| {
                if made {
                    printer.release_handles();
                }
                printer.release();
                printer.body.line("fp_raise_failure(fp_L, &fp_why);");
            });
            self.body.when("FP_UNLIKELY(fp_judged == FP_WARNS)", "fp_warn_failure(fp_L, &fp_why);");
            return;
        }
        let is_unsigned = names.call.result.ctype().is_some_and(CType::is_unsigned);
        self.nested(failed_status(names.call), |printer| {
            if made {
                printer.release_handles();
            }
            printer.release();
            printer.body.line(format!(
                "fp_bad_status(fp_L, {}, {}, {}, (long long)fp_c_result);",
                c_string(names.function),
                c_string(&names.call.c_name),
                u8::from(is_unsigned),
            ));
        });
    }

    /// The caller's buffer must not share memory with the arrays that have been taken.
    fn keep_apart(&mut self, variable: VariableId, slot: usize) {
        let names = self.names;
        let others: Vec<String> = self
            .undos
            .iter()
            .filter_map(|undo| match undo {
                Undo::Release(other) if names.call.variables[*other].is_array() => {
                    Some(format!("&{}", names.local(*other)))
                }
                _ => None,
            })
            .collect();
        if others.is_empty() {
            return;
        }
        let (local, param) = (names.local(variable), names.param(variable));
        let (list, count) = (others.join(", "), others.len());
        self.body.block(format!("if (fp_is_given(fp_L, {slot}))"), |body| {
            body.line(format!("const fp_array *const fp_others[] = {{{list}}};"));
            body.line(format!("fp_keep_apart(fp_L, &{local}, &{param}, fp_others, {count});"));
        });
    }

    /// Gives back what the call acquired, the last first.
    fn release(&mut self) {
        for undo in self.undos.clone().iter().rev() {
            match undo {
                Undo::Release(variable) => match self.names.call.variables[*variable].crossing {
                    Crossing::Object(_) => self.release_pinned(*variable),
                    // It waits for the collector.
                    Crossing::Callback(_) => {}
                    _ => {
                        let local = self.names.local(*variable);
                        self.body.line(format!("fp_release(fp_L, &{local});"));
                    }
                },
                Undo::ReleaseHanded(handed) => self.release_handed(*handed),
                // There is none for an object, and the module's is let go behind the call.
                Undo::Unlock => {}
                Undo::CloseLists => unreachable!("a call in Lua is one item"),
            }
        }
    }

    /// Pushes an output; nil where it is a scalar that the caller did not give.
    fn push(&mut self, output: Output, push: &str) {
        let call = self.names.call;
        if let Output::Argument(index) = output
            && let Some(parameter) = call.parameter_of(index)
            && call.variables[index].rank() == 0
            && call.variables[index].nullable
            && !matches!(call.variables[index].crossing, Crossing::OutPointer(_))
        {
            self.body.when(self.is_given(parameter), push);
            self.body.block("else", |body| body.line("lua_pushnil(fp_L);"));
            return;
        }
        self.body.line(push);
    }

    /// The statement that pushes an output.
    fn output(&self, output: Output) -> String {
        let names = self.names;
        if makes_handle(names.call, output) {
            return self.give_handle(output);
        }
        if let Some(handed) = names.handed(output) {
            return format!("fp_give_handed(fp_L, &{});", handed.object);
        }
        match output {
            Output::Argument(index) => {
                let variable = &names.call.variables[index];
                let (local, param) = (names.local(index), names.param(index));
                let is_cut =
                    |step: &Step| matches!(step, Step::Cut { variable, .. } if *variable == index);
                match variable.crossing {
                    Crossing::Bytes(_) => return format!("fp_give_bytes(fp_L, &{local});"),
                    Crossing::StringBuffer(_) => return format!("fp_give_text(fp_L, &{local});"),
                    _ => {}
                }
                if names.call.steps.iter().any(is_cut) {
                    format!("fp_give_rows(fp_L, &{local});")
                } else if variable.rank() == 0 {
                    push_value(&variable.ctype, local)
                } else if variable.intent.writes_caller() {
                    format!("fp_give_copy(fp_L, &{local}, &{param});")
                } else {
                    let give = if self.last == Some(index) { "fp_give_result" } else { "fp_give" };
                    format!("{give}(fp_L, &{local});")
                }
            }
            Output::Result => match &names.call.result {
                Returns::Value(ctype) | Returns::Status(ctype) => push_value(ctype, "fp_c_result"),
                Returns::Pointer(_) | Returns::Void => {
                    unreachable!("check lets only C results be outputs")
                }
            },
        }
    }
}

/// The array that is a call's only result, where nothing is pushed after it: a new one need not be
/// pushed again.
pub(crate) fn made_last(call: &Call) -> Option<VariableId> {
    let last = call.steps.iter().rev().find_map(|step| match step {
        Step::Acquire { variable, .. } => call.variables[*variable].is_array().then_some(None),
        Step::Cut { .. } | Step::Receive { .. } => Some(None),
        Step::MakeArray { variable, memory: Memory::Result, .. } => {
            Some(Some(*variable).filter(|made| call.variables[*made].array().is_some()))
        }
        Step::MakeArray { .. } => Some(None),
        _ => None,
    });
    let only = |variable: &VariableId| call.outputs == [Output::Argument(*variable)];
    last.flatten().filter(|variable| only(variable) && !call.calls_back)
}
