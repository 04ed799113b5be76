//! Steps as C: each one statement or two, each failure one goto.

use crate::variables::{Names, Setting, c_type, class_word, numpy_type};
use fishplate_emit::{Body, c_string, dimension, value};
use fishplate_model::{CResult, Expr, Passing, ScalarClass};
use fishplate_plan::{Absent, Access, Memory, Output, Release, Step, Undo};

/// Prints a call's steps, from reading its slots to releasing what was acquired.
pub(crate) struct Printer<'a, 'b> {
    names: &'b Names<'a>,
    body: Body,
    /// Labels of the undos of what has been acquired so far, with what they release.
    undos: Vec<(String, Undo)>,
}

impl<'a, 'b> Printer<'a, 'b> {
    pub(crate) fn new(names: &'b Names<'a>) -> Self {
        Printer { names, body: Body::at_depth(1), undos: Vec::new() }
    }

    /// The statements of the whole call; `fp_args` are its slots, `fp_result` is what it returns.
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
        self.body.line("return fp_result;");
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
            None => "return NULL;".to_owned(),
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
                    let found = &names.call.variables[*variable];
                    let find = format!(
                        "fp_find_dim(&{}, {}, {array}.shape[{}], {}, {}, &{})",
                        names.local(*variable),
                        numpy_type(found.ctype.scalar),
                        place.axis,
                        place.axis,
                        c_string(&found.name),
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
                self.nested("else ", |printer| printer.set(*variable, None));
            }
            Step::TakeArray { variable, parameter, access, absent } => {
                self.take(*variable, *parameter, *access, absent);
            }
            Step::MakeArray { variable, buffer, memory } => {
                self.make(*variable, *buffer, *memory);
            }
            Step::CheckDimension { variable, axis, expected } => {
                let call = format!(
                    "fp_check_dim(&{}, {axis}, {}, {}, &{})",
                    names.local(*variable),
                    dimension(expected, names),
                    expected
                        .as_literal()
                        .map_or_else(|| c_string(&expected.to_string()), |_| "NULL".to_owned()),
                    names.param(*variable),
                );
                self.must(&call);
            }
            Step::Call { release } => self.call(release),
            Step::CheckStatus => {
                let is_unsigned = match &names.call.result {
                    CResult::Status(ctype) => ctype.scalar.class() == ScalarClass::Unsigned,
                    CResult::Value(_) | CResult::Void => false,
                };
                let failure = self.failure();
                self.body.block("if (fp_c_result != 0)", |body| {
                    body.line(format!(
                        "fp_bad_status({}, {}, {}, (long long)fp_c_result);",
                        c_string(names.function),
                        c_string(&names.call.c_name),
                        u8::from(is_unsigned),
                    ));
                    body.line(failure);
                });
            }
            Step::FillArray { variable, value } => self.fill(*variable, value),
            Step::WriteBack { variable } => self.body.line(format!(
                "fp_write_back(&{}, &{});",
                names.local(*variable),
                names.param(*variable)
            )),
            Step::WriteBackScalar { variable, parameter } => {
                let local = names.local(*variable);
                let write =
                    format!("fp_write_scalar(fp_args[{parameter}], &{local}, sizeof({local}));");
                if self.is_optional(*parameter) {
                    self.body.when(format!("fp_is_given(fp_args[{parameter}])"), &write);
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
            ScalarClass::Signed | ScalarClass::Unsigned => "integer",
            _ => scalar.dtype_name(),
        };
        let param = names.param(variable);
        let read =
            format!("fp_read_{kind}(fp_args[{parameter}], &{}, &{param})", names.local(variable));
        let test = if mutable {
            format!("!fp_check_mutable_scalar(fp_args[{parameter}], &{param}) || !{read}")
        } else {
            format!("!{read}")
        };
        self.given(parameter, &test, absent, |printer, default| printer.set(variable, default));
    }

    /// What fails by `test`, where the caller gave a value; `otherwise`, with the default if there is
    /// one, where they did not and need not.
    fn given(
        &mut self,
        parameter: usize,
        test: &str,
        absent: &Absent,
        otherwise: impl FnOnce(&mut Self, Option<&Expr>),
    ) {
        let failure = self.failure();
        let default = match absent {
            Absent::Never => {
                self.body.when(test, &failure);
                return;
            }
            Absent::Null => None,
            Absent::Value(default) => Some(default),
        };
        self.body.block(format!("if (fp_is_given(fp_args[{parameter}]))"), |body| {
            body.when(test, &failure);
        });
        self.nested("else ", |printer| otherwise(printer, default));
    }

    /// `head { ... }`, where what is inside may fail and set variables too.
    fn nested(&mut self, head: &str, inside: impl FnOnce(&mut Self)) {
        let deeper = Body::at_depth(self.body.depth() + 1);
        let outer = std::mem::replace(&mut self.body, deeper);
        inside(self);
        let inner = std::mem::replace(&mut self.body, outer);
        self.body.line(format!("{head}{{"));
        self.body.append(inner);
        self.body.line("}");
    }

    fn set(&mut self, variable: usize, to: Option<&Expr>) {
        let local = self.names.local(variable);
        match to {
            None => self.body.line(format!("{local} = 0;")),
            Some(expr) => self.assign(variable, local, expr),
        }
    }

    /// Sets `target`, which has the type of the variable, to an expression's value; an integer must
    /// fit.
    fn assign(&mut self, variable: usize, target: &str, expr: &Expr) {
        let names = self.names;
        let param = names.param(variable);
        match names.setting(variable, expr) {
            Setting::Plain => self.body.line(format!("{target} = {};", value(expr, names))),
            Setting::Dimension => {
                let dimension = dimension(expr, names);
                self.must(&format!("fp_set_dimension(&{target}, {dimension}, &{param})"));
            }
            Setting::FloatFromDimension => {
                let dimension = dimension(expr, names);
                self.must(&format!("fp_check_value({dimension}, &{param})"));
                let ctype = c_type(&names.call.variables[variable].ctype);
                self.body.line(format!("{target} = ({ctype}){dimension};"));
            }
            Setting::Checked => {
                let value = value(expr, names);
                self.must(&format!("fp_set_integer(&{target}, (long double)({value}), &{param})"));
            }
        }
    }

    /// Sets all elements of an array that we made to a value.
    fn fill(&mut self, variable: usize, to: &Expr) {
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

    fn take(&mut self, variable: usize, parameter: usize, access: Access, absent: &Absent) {
        let names = self.names;
        let (local, param) = (names.local(variable), names.param(variable));
        let function = match access {
            Access::Read => "fp_array_in",
            Access::InPlace => "fp_array_inplace",
            Access::Exclusive => "fp_array_inout",
            Access::Copy => "fp_array_copy",
        };
        let test = format!("!{function}(&{local}, fp_args[{parameter}], &{param})");
        self.given(parameter, &test, absent, |printer, default| match default {
            Some(fill) => {
                printer.make(variable, None, Memory::Result);
                printer.fill(variable, fill);
            }
            None => printer.body.line(format!("fp_array_null(&{local}, &{param});")),
        });
    }

    fn make(&mut self, variable: usize, buffer: Option<usize>, memory: Memory) {
        let names = self.names;
        let (local, param) = (names.local(variable), names.param(variable));
        for (axis, expr) in names.call.variables[variable].shape().unwrap_or(&[]).iter().enumerate()
        {
            self.body.line(format!("{local}.shape[{axis}] = {};", dimension(expr, names)));
        }
        let call = match memory {
            Memory::Scratch => format!("fp_array_scratch(&{local}, &{param})"),
            Memory::Result => {
                let buffer = buffer.map_or("NULL".to_owned(), |slot| format!("fp_args[{slot}]"));
                format!("fp_array_out(&{local}, {buffer}, &{param})")
            }
        };
        self.must(&call);
    }

    fn call(&mut self, release: &Release) {
        let names = self.names;
        let call = names.call;
        match release {
            Release::Never => {}
            Release::Always => self.body.line("fp_thread = PyEval_SaveThread();"),
            Release::WhenLarge(arrays) => {
                let sizes: Vec<String> = arrays.iter().map(|index| names.size_of(*index)).collect();
                self.body.line(format!(
                    "fp_thread = {} >= FP_WORK ? PyEval_SaveThread() : NULL;",
                    sizes.join(" + ")
                ));
            }
        }
        let arguments: Vec<String> =
            (0..call.variables.len()).map(|i| self.c_argument(i)).collect();
        let result = match &call.result {
            CResult::Void => "",
            CResult::Value(_) if !call.outputs.contains(&Output::Result) => "(void)",
            CResult::Value(_) | CResult::Status(_) => "fp_c_result = ",
        };
        self.body.line(format!("{result}{}({});", call.c_name, arguments.join(", ")));
        match release {
            Release::Never => {}
            Release::Always => self.body.line("PyEval_RestoreThread(fp_thread);"),
            Release::WhenLarge(_) => {
                self.body.when("fp_thread != NULL", "PyEval_RestoreThread(fp_thread);");
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
                    format!("fp_is_given(fp_args[{parameter}]) ? &{local} : NULL")
                }
                _ => format!("&{local}"),
            },
        }
    }

    /// Sets `fp_result`: one value as it is, several as a tuple, none as None.
    fn results(&mut self) {
        let outputs = &self.names.call.outputs;
        match outputs.as_slice() {
            [] => {
                self.body.line("fp_result = Py_None;");
                self.body.line("Py_INCREF(fp_result);");
            }
            [output] => {
                let expr = self.output(*output);
                self.body.line(format!("fp_result = {expr};"));
            }
            outputs => {
                for (index, output) in outputs.iter().enumerate() {
                    let expr = self.output(*output);
                    self.body.line(format!("fp_items[{index}] = {expr};"));
                }
                self.body.line(format!("fp_result = fp_tuple(fp_items, {});", outputs.len()));
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
                        format!("fp_give_copy(&{local}, &{})", names.param(index))
                    } else {
                        format!("fp_give(&{local})")
                    };
                }
                let made =
                    format!("FP_FROM_{}({local})", class_word(variable.ctype.scalar.class()));
                match names.call.parameter_of(index) {
                    Some(parameter) if variable.nullable => {
                        format!("fp_is_given(fp_args[{parameter}]) ? {made} : Py_NewRef(Py_None)")
                    }
                    _ => made,
                }
            }
            Output::Result => match &names.call.result {
                CResult::Value(ctype) | CResult::Status(ctype) => {
                    format!("FP_FROM_{}(fp_c_result)", class_word(ctype.scalar.class()))
                }
                CResult::Void => unreachable!("check lets only C results be outputs"),
            },
        }
    }
}
