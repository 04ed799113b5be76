//! Steps as C: each one statement or two, each failure one goto.

use crate::variables::{Names, class_word};
use fishplate_emit::{Body, dimension, value};
use fishplate_model::{CResult, Expr, Passing, ScalarClass};
use fishplate_plan::{Absent, Access, Memory, Output, Release, Step, Undo};

/// Prints a call's steps, from reading its slots to releasing what was acquired.
pub(crate) struct Printer<'a, 'b> {
    names: &'b Names<'a>,
    body: Body,
    /// Labels of the undos of what has been acquired so far, with what they release.
    undos: Vec<(String, Undo)>,
    /// Where a failure goes when nothing has been acquired.
    bare_failure: &'static str,
}

impl<'a, 'b> Printer<'a, 'b> {
    pub(crate) fn new(names: &'b Names<'a>) -> Self {
        Printer { names, body: Body::at_depth(1), undos: Vec::new(), bare_failure: "return NULL;" }
    }

    /// The statements of the whole call; `args` are its slots, `result` is what it returns.
    pub(crate) fn print(mut self) -> String {
        for step in &self.names.call.steps {
            if let Some(undo) = step.undo() {
                // Whatever state an acquiring function leaves, its own undo fits it.
                let Undo::ReleaseArray(variable) = undo;
                let label = format!("undo_{}", self.names.local(variable).trim_end_matches('_'));
                self.undos.push((self.unique_label(label), undo));
            }
            self.step(step);
        }
        self.results();
        for (label, Undo::ReleaseArray(variable)) in std::mem::take(&mut self.undos).iter().rev() {
            self.body.label(label);
            self.body.line(format!("fp_release(&{});", self.names.local(*variable)));
        }
        self.body.line("return result;");
        self.body.into_text()
    }

    fn unique_label(&self, mut label: String) -> String {
        while self.undos.iter().any(|(other, _)| *other == label) {
            label.push('_');
        }
        label
    }

    fn failure(&self) -> String {
        match self.undos.last() {
            Some((label, _)) => format!("goto {label};"),
            None => self.bare_failure.to_owned(),
        }
    }

    fn must(&mut self, call: &str) {
        let failure = self.failure();
        self.body.when(format!("!{call}"), &failure);
    }

    fn step(&mut self, step: &Step) {
        let names = self.names;
        match step {
            Step::ReadScalar { variable, parameter, absent } => {
                self.read(*variable, *parameter, absent, false);
            }
            Step::ReadMutableScalar { variable, parameter, absent } => {
                self.read(*variable, *parameter, absent, true);
            }
            Step::SetScalar { variable, value } => self.set(*variable, value.as_ref()),
            Step::FindDimension { variable, places } => {
                for (index, place) in places.iter().enumerate() {
                    let array = names.local(place.array);
                    let find = format!(
                        "FP_FIND_DIM({}, {}, {array}.shape[{}], {}, {}, &{})",
                        names.call.variables[*variable].ctype.spelling,
                        names.local(*variable),
                        place.axis,
                        place.axis,
                        fishplate_emit::c_string(&names.call.variables[*variable].name),
                        names.param(place.array),
                    );
                    if !names.call.variables[place.array].nullable {
                        self.must(&find);
                        return;
                    }
                    let head = if index == 0 { "if" } else { "else if" };
                    let failure = self.failure();
                    self.body.block(format!("{head} ({array}.data != NULL)"), |body| {
                        body.when(format!("!{find}"), &failure);
                    });
                }
                self.otherwise(|printer| printer.set(*variable, None));
            }
            Step::TakeArray { variable, parameter, access, absent } => {
                self.take(*variable, *parameter, *access, absent);
            }
            Step::MakeArray { variable, buffer, memory, fill } => {
                self.make(*variable, *buffer, *memory, fill.as_ref());
            }
            Step::CheckDimension { variable, axis, expected } => {
                let call = format!(
                    "fp_check_dim(&{}, {axis}, {}, {}, &{})",
                    names.local(*variable),
                    dimension(expected, names),
                    fishplate_emit::c_string(&expected.to_string()),
                    names.param(*variable),
                );
                self.must(&call);
            }
            Step::Call { release } => self.call(release),
            Step::CheckStatus => {
                let failure = self.failure();
                let call = &names.call;
                self.body.block("if (c_result != 0)", |body| {
                    body.line(format!(
                        "fp_bad_status({}, {}, (long long)c_result);",
                        fishplate_emit::c_string(names.function),
                        fishplate_emit::c_string(&call.c_name),
                    ));
                    body.line(failure);
                });
            }
            Step::WriteBack { variable } => self.body.line(format!(
                "fp_write_back(&{}, &{});",
                names.local(*variable),
                names.param(*variable)
            )),
            Step::WriteBackScalar { variable, parameter } => {
                let local = names.local(*variable);
                let write =
                    format!("fp_write_scalar(args[{parameter}], &{local}, sizeof({local}));");
                if self.is_optional(*parameter) {
                    self.body.when(format!("fp_given(args[{parameter}])"), &write);
                } else {
                    self.body.line(write);
                }
            }
        }
    }

    fn is_optional(&self, parameter: usize) -> bool {
        self.names.call.parameters[parameter].kind != fishplate_plan::ParameterKind::Required
    }

    fn read(&mut self, variable: usize, parameter: usize, absent: &Absent, mutable: bool) {
        let names = self.names;
        let scalar = names.call.variables[variable].ctype.scalar;
        let kind = match scalar.class() {
            ScalarClass::Float | ScalarClass::Complex => scalar.dtype_name().to_uppercase(),
            class => class_word(class).to_owned(),
        };
        let param = names.param(variable);
        let read = format!(
            "FP_READ_{kind}({}, {}, args[{parameter}], &{param})",
            names.call.variables[variable].ctype.spelling,
            names.local(variable)
        );
        let test = if mutable {
            format!("!fp_check_mutable_scalar(args[{parameter}], &{param}) || !{read}")
        } else {
            format!("!{read}")
        };
        let failure = self.failure();
        match absent {
            Absent::Never => self.body.when(test, &failure),
            Absent::Null | Absent::Value(_) => {
                self.body.block(format!("if (fp_given(args[{parameter}]))"), |body| {
                    body.when(test, &failure);
                });
                self.otherwise(|printer| match absent {
                    Absent::Value(default) => printer.set(variable, Some(default)),
                    _ => printer.set(variable, None),
                });
            }
        }
    }

    /// `else { ... }`
    fn otherwise(&mut self, inside: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.body, Body::at_depth(2));
        inside(self);
        let inner = std::mem::replace(&mut self.body, outer);
        self.body.line("else {");
        self.body.append(inner);
        self.body.line("}");
    }

    fn set(&mut self, variable: usize, to: Option<&Expr>) {
        let names = self.names;
        let local = names.local(variable);
        match to {
            Some(expr) if names.is_checked_integer(variable, expr) => {
                let call = format!(
                    "FP_SET_INTEGER({}, {local}, {}, &{})",
                    names.call.variables[variable].ctype.spelling,
                    dimension(expr, names),
                    names.param(variable)
                );
                self.must(&call);
            }
            Some(expr) => self.body.line(format!("{local} = {};", value(expr, names))),
            None => self.body.line(format!("{local} = 0;")),
        }
    }

    fn take(&mut self, variable: usize, parameter: usize, access: Access, absent: &Absent) {
        let names = self.names;
        let (local, param) = (names.local(variable), names.param(variable));
        let function = match access {
            Access::Read => "fp_array_in",
            Access::InPlace => "fp_array_inplace",
            Access::Exclusive => "fp_array_inout",
            Access::Copy => "fp_array_copy",
        };
        let take = format!("{function}(&{local}, args[{parameter}], &{param})");
        match absent {
            Absent::Never => self.must(&take),
            Absent::Null | Absent::Value(_) => {
                let failure = self.failure();
                self.body.block(format!("if (fp_given(args[{parameter}]))"), |body| {
                    body.when(format!("!{take}"), &failure);
                });
                self.otherwise(|printer| match absent {
                    Absent::Value(fill) => {
                        printer.make(variable, None, Memory::Result, Some(fill));
                    }
                    _ => printer.body.line(format!("fp_array_null(&{local}, &{param});")),
                });
            }
        }
    }

    fn make(
        &mut self,
        variable: usize,
        buffer: Option<usize>,
        memory: Memory,
        fill: Option<&Expr>,
    ) {
        let names = self.names;
        let (local, param) = (names.local(variable), names.param(variable));
        for (axis, expr) in names.call.variables[variable].shape().unwrap_or(&[]).iter().enumerate()
        {
            self.body.line(format!("{local}.shape[{axis}] = {};", dimension(expr, names)));
        }
        let call = match memory {
            Memory::Scratch => format!("fp_array_scratch(&{local}, &{param})"),
            Memory::Result => {
                let buffer = buffer.map_or("NULL".to_owned(), |slot| format!("args[{slot}]"));
                format!("fp_array_out(&{local}, {buffer}, &{param})")
            }
        };
        self.must(&call);
        if let Some(fill) = fill {
            self.body.line(format!(
                "FP_FILL({}, {local}, {}, ({}));",
                names.call.variables[variable].ctype.spelling,
                names.size_of(variable),
                value(fill, names)
            ));
        }
    }

    fn call(&mut self, release: &Release) {
        let names = self.names;
        let call = names.call;
        match release {
            Release::Never => {}
            Release::Always => self.body.line("thread = PyEval_SaveThread();"),
            Release::WhenLarge(arrays) => {
                let sizes: Vec<String> = arrays.iter().map(|index| names.size_of(*index)).collect();
                self.body.line(format!(
                    "thread = {} >= FP_WORK ? PyEval_SaveThread() : NULL;",
                    sizes.join(" + ")
                ));
            }
        }
        let arguments: Vec<String> =
            (0..call.variables.len()).map(|i| self.c_argument(i)).collect();
        let result = if matches!(call.result, CResult::Void) { "" } else { "c_result = " };
        self.body.line(format!("{result}{}({});", call.c_name, arguments.join(", ")));
        match release {
            Release::Never => {}
            Release::Always => self.body.line("PyEval_RestoreThread(thread);"),
            Release::WhenLarge(_) => {
                self.body.when("thread != NULL", "PyEval_RestoreThread(thread);");
            }
        }
    }

    fn c_argument(&self, index: usize) -> String {
        let variable = &self.names.call.variables[index];
        let local = self.names.local(index);
        match variable.passing {
            Passing::Value => local.to_owned(),
            Passing::Array { .. } => format!("FP_DATA({local})"),
            Passing::Pointer => match self.names.call.parameter_of(index) {
                Some(parameter) if variable.nullable => {
                    format!("fp_given(args[{parameter}]) ? &{local} : NULL")
                }
                _ => format!("&{local}"),
            },
        }
    }

    /// Sets `result`: one value as it is, several as a tuple, none as None.
    fn results(&mut self) {
        let outputs = &self.names.call.outputs;
        match outputs.as_slice() {
            [] => {
                self.body.line("result = Py_None;");
                self.body.line("Py_INCREF(result);");
            }
            [output] => {
                let expr = self.output(*output);
                self.body.line(format!("result = {expr};"));
            }
            outputs => {
                for (index, output) in outputs.iter().enumerate() {
                    let expr = self.output(*output);
                    self.body.line(format!("items[{index}] = {expr};"));
                }
                self.body.line(format!("result = fp_tuple(items, {});", outputs.len()));
            }
        }
    }

    /// C for a new reference to an output; it may be NULL with an exception set.
    fn output(&self, output: Output) -> String {
        let names = self.names;
        match output {
            Output::Argument(index) => {
                let variable = &names.call.variables[index];
                let local = names.local(index);
                if variable.rank() > 0 {
                    return if variable.intent.writes_caller() {
                        format!("fp_result_copy(&{local}, &{})", names.param(index))
                    } else {
                        format!("fp_result(&{local})")
                    };
                }
                let made =
                    format!("FP_FROM_{}({local})", class_word(variable.ctype.scalar.class()));
                match names.call.parameter_of(index) {
                    Some(parameter) if variable.nullable => {
                        format!("fp_given(args[{parameter}]) ? {made} : Py_NewRef(Py_None)")
                    }
                    _ => made,
                }
            }
            Output::Result => match &names.call.result {
                CResult::Value(ctype) | CResult::Status(ctype) => {
                    format!("FP_FROM_{}(c_result)", class_word(ctype.scalar.class()))
                }
                CResult::Void => unreachable!("check lets only C results be outputs"),
            },
        }
    }
}
