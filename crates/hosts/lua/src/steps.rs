//! Steps as C: each one statement or two. A step that fails does not return, so no
//! labels are needed; the cleanups release memory that need not wait for Lua's collector.

mod pins;

use self::pins::may_collect;
use crate::callbacks::Called;
use crate::kinds::{kind, push_value};
use crate::params::stack_index;
use fishplate_emit::{Body, Names, c_string, failed_status, typed_result};
use fishplate_model::{CType, CallbackId, Expr, ParameterId, Safety, TiSlice, VariableId};
use fishplate_plan::{Absent, Acquire, Call, FailureTest, Memory, Output, Returns, Step, Undo};

/// Prints a call's steps, from reading its values to pushing its results.
pub(crate) struct Printer<'a, 'b> {
    pub(crate) names: &'b Names<'a>,
    /// The C functions for its callbacks.
    pub(crate) called: &'b TiSlice<CallbackId, Called>,
    pub(crate) body: Body,
    /// Values that may own memory which need not wait for the collector.
    pub(crate) undos: Vec<Undo>,
    /// It is one of several overloads, whose choice has examined the values.
    pub(crate) chosen: bool,
    /// The array that is allocated last and is the only result.
    pub(crate) last: Option<VariableId>,
    /// Lua may have collected since the call's handles were checked to be open, and have run
    /// finalizers.
    pub(crate) has_collected: bool,
    /// C has returned.
    has_called: bool,
    /// The handles whose borrowed arrays and handles the next C call closes.
    pub(crate) ended: Vec<VariableId>,
    /// The handles, and arrays of them, that the next C call takes over.
    consumed: Vec<VariableId>,
    /// C destroys these.
    destroys: bool,
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
        let (undos, ended, consumed) = (Vec::new(), Vec::new(), Vec::new());
        Printer {
            names,
            called,
            body,
            undos,
            chosen,
            last,
            has_collected,
            has_called,
            ended,
            consumed,
            destroys: false,
        }
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
        // The memory from which strings are created is released after that.
        let is_string = |output: &Output| match output {
            Output::Argument(index) => kind(&self.names.call.variables[*index]).is_copied(),
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
                // The error of a callback takes precedence.
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
            Step::Acquire(step) => {
                kind(names.call.variable(step.variable)).acquire(self, step);
            }
            Step::SetScalar { variable, value } => {
                kind(names.call.variable(*variable)).set(self, *variable, value.as_ref());
            }
            Step::FindDimension { variable, places } => self.find_dimension(*variable, places),
            Step::MakeArray { variable, buffer, memory } => {
                self.make(*variable, *buffer, *memory);
            }
            Step::FillArray { variable, value } => self.fill(*variable, value),
            Step::FindLengths { variable, rows } => self.find_lengths(*variable, rows),
            Step::FindShape { variable, array } => self.find_shape(*variable, *array),
            Step::PointToRows { variable } => self.point_to_rows(*variable),
            Step::CheckDimension { variable, axis, expected } => {
                self.check_dimension(*variable, *axis, expected);
            }
            Step::CheckValues { variable, rule } => self.check_values(*variable, rule),
            // Lua has no lock to release.
            Step::Call { release: _ } => self.call(),
            Step::CheckStatus { test } => self.check_status(*test, true),
            Step::WriteBack { variable } => {
                kind(names.call.variable(*variable)).write_back(self, *variable);
            }
            Step::KeepCallback { variable } => self.keep_callback(*variable),
            Step::Retain { variable } => self.retain(*variable),
            Step::Replace { variable } => self.replace(*variable),
            Step::DropRetained { function } => self.drop_callbacks(function),
            // The module's lock is held around the call; an object belongs to one thread.
            Step::Lock { .. } => {}
            // It is closed right before C is called, when nothing raises any more.
            Step::Invalidate { variable } => self.ended.push(*variable),
            Step::Consume { variables, destroys } => {
                self.consumed.clone_from(variables);
                self.destroys = *destroys;
            }
            Step::Restore { variable, test } => self.restore(*variable, *test),
            Step::Query { query, test } => self.query(query, *test),
            Step::Expect { out_pointer } => self.expect(*out_pointer),
            Step::Receive { out_pointer } => self.receive(*out_pointer),
            Step::Truncate { variable, length } => self.truncate(*variable, length),
        }
    }

    /// Whether the caller passed a value.
    pub(crate) fn is_given(&self, parameter: ParameterId) -> String {
        if self.chosen {
            format!("fp_is_seen(&fp_seen[{parameter}])")
        } else {
            format!("fp_is_present(fp_L, {})", stack_index(parameter))
        }
    }

    /// `statements` if the caller passed a value; `otherwise`, with the default if there is one, if
    /// it was omitted.
    pub(crate) fn given(
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

    /// `head { ... }`, with a body that may set variables too.
    pub(crate) fn nested(&mut self, head: &str, inside: impl FnOnce(&mut Self)) {
        self.body.open(head);
        inside(self);
        self.body.close();
    }

    fn call(&mut self) {
        let names = self.names;
        let call = names.call;
        let arguments: Vec<String> =
            call.variables.keys().map(|index| self.c_argument(index)).collect();
        let result = match &call.result {
            Returns::Void => "",
            Returns::Value(..) if !call.keeps_result() => "(void)",
            Returns::Value(..) | Returns::Status(..) | Returns::Pointer(_) => "fp_c_result = ",
        };
        self.keep_retained();
        let called = format!("{}({})", names.target, arguments.join(", "));
        self.invoke(&format!("{result}{};", typed_result(call, &called)), true, true);
        self.receive_handles();
        self.transfer_ownership();
        self.raise_called(true);
    }

    /// Runs a size query; its return code is checked like that of the call.
    fn query(&mut self, query: &Expr, test: Option<FailureTest>) {
        let asked = self.names.query(query, &|index| self.c_argument(index));
        let call = self.names.call;
        let returns_status = matches!(call.result, Returns::Status(..));
        let target = if returns_status { "fp_c_result = " } else { "(void)" };
        self.invoke(&format!("{target}{asked};"), test.is_some(), false);
        self.raise_called(false);
        if let Some(test) = test {
            self.check_status(test, false);
        }
    }

    /// A statement that calls C, or a query, and, if `checked`, the check of its result.
    fn invoke(&mut self, statement: &str, checked: bool, is_call: bool) {
        let names = self.names;
        let call = names.call;
        names.clear_errors().iter().for_each(|line| self.body.line(line));
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
            self.guarded(statement, locks, is_call);
        } else {
            self.body.line(statement);
        }
        if checked && call.status.is_some() {
            // Before anything else is called in the library.
            self.body.line(format!(
                "fp_outcome = FP_LIKELY({}) ? 0 : FP_FAILS + {};",
                names.succeeded(names.return_code()),
                names.failing(names.return_code(), "&fp_why", |index| self.message_argument(index))
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

    /// A call that may throw. Raising is a longjmp, which must leave no handler active: it is at
    /// the end of the function.
    fn guarded(&mut self, statement: &str, locks: bool, is_call: bool) {
        self.body.block("try", |body| body.line(statement));
        self.body.line("FP_LET_THREADS_END");
        let catch = &self.names.catch;
        self.nested("catch (...)", |printer| {
            if locks {
                printer.body.line("fp_leave_module();");
            }
            printer.body.line(format!("{catch}(&fp_why);"));
            if is_call {
                // Some results may have been set before another one failed.
                printer.receive_handles();
                printer.transfer_ownership();
            }
            printer.body.line("goto thrown;");
        });
    }

    /// An argument as spelled in a message.
    fn message_argument(&self, index: VariableId) -> String {
        kind(&self.names.call.variables[index]).in_message(self, index)
    }

    pub(crate) fn c_argument(&self, index: VariableId) -> String {
        kind(&self.names.call.variables[index]).argument(self, index)
    }

    /// `made`: the objects that the call creates exist by now.
    fn check_status(&mut self, test: FailureTest, made: bool) {
        let names = self.names;
        let FailureTest::Code(code) = test else {
            self.nested("if (FP_UNLIKELY(fp_outcome == FP_FAILS))", |printer| {
                if made {
                    printer.release_handles();
                }
                printer.release();
                printer.body.line("fp_raise_failure(fp_L, &fp_why);");
            });
            self.body
                .when("FP_UNLIKELY(fp_outcome == FP_WARNS)", "fp_warn_failure(fp_L, &fp_why);");
            return;
        };
        let is_unsigned = names.call.return_code_type().is_some_and(CType::is_unsigned);
        let code = names.code(code);
        self.nested(&format!("if ({})", failed_status(names.call, code)), |printer| {
            if made {
                printer.release_handles();
            }
            printer.release();
            printer.body.line(format!(
                "fp_bad_status(fp_L, {}, {}, {}, (long long){code});",
                c_string(names.function),
                c_string(&names.call.c_name),
                u8::from(is_unsigned),
            ));
        });
    }

    /// Releases the resources of the call, the last first.
    pub(crate) fn release(&mut self) {
        for undo in self.undos.clone().iter().rev() {
            match undo {
                Undo::Release(variable) => {
                    kind(self.names.call.variable(*variable)).release(self, *variable);
                }
                Undo::ReleaseOutPointer(out_pointer) => self.release_out_pointer(*out_pointer),
                // Lua's collector owns them.
                Undo::ReleaseRows(_) | Undo::Forget(_) => {}
                // Objects have no lock, and the module's lock is released after the call.
                Undo::Unlock => {}
            }
        }
    }

    /// Pushes an output; nil for a scalar that the caller omitted.
    fn push(&mut self, output: Output, push: &str) {
        let call = self.names.call;
        if let Output::Argument(index) = output
            && let Some(parameter) = call.parameter_of(index)
            && call.variables[index].is_behind_pointer()
            && call.variables[index].nullable
        {
            self.body.when(self.is_given(parameter), push);
            self.body.block("else", |body| body.line("lua_pushnil(fp_L);"));
            return;
        }
        self.body.line(push);
    }

    /// The statement that pushes an output.
    fn output(&self, output: Output) -> String {
        let call = self.names.call;
        match (output, &call.result) {
            (Output::Argument(index), _) => kind(&call.variables[index]).output(self, index),
            (Output::Result, Returns::Pointer(_)) => self.pointer_output(output),
            (Output::Result, result) => {
                result.value().map_or(String::new(), |value| push_value(value, "fp_c_result"))
            }
        }
    }
}

/// The array that is a call's only result, if nothing is pushed after it: a new one need not be
/// pushed again.
pub(crate) fn made_last(call: &Call) -> Option<VariableId> {
    let last = call.steps.iter().rev().find_map(|step| match step {
        Step::Acquire(Acquire { variable, .. }) => {
            call.variables[*variable].is_array().then_some(None)
        }
        // The memory of the pointers, and what is retained, is pushed after the array.
        Step::Truncate { .. }
        | Step::Receive { .. }
        | Step::PointToRows { .. }
        | Step::Retain { .. } => Some(None),
        Step::MakeArray { variable, memory: Memory::Result, .. } => {
            let made = &call.variables[*variable];
            let is_tensor = made.array().is_some() && made.ctype.structure().is_none();
            Some(is_tensor.then_some(*variable))
        }
        Step::MakeArray { .. } => Some(None),
        _ => None,
    });
    let only = |variable: &VariableId| call.outputs == [Output::Argument(*variable)];
    last.flatten().filter(|variable| only(variable) && !call.calls_back)
}
