//! A call over lists: the values that depend on their lengths, and the steps that run once.
//!
//! The loop is that of `items.rs`. Values that all items share there may vary with the lengths of
//! an item's lists here, so a separate function sets them: for all items in advance, then again for
//! each. It does not call Python either.

use crate::item::{ItemPrinter, ItemScope};
use crate::items::MapNames;
use crate::kinds::set_shape;
use crate::params::numpy_type;
use crate::steps::Printer;
use fishplate_emit::{Body, c_string, c_type, dimension};
use fishplate_model::{Expr, Intent, ParameterId, VariableId};
use fishplate_plan::{Absent, Acquire, BatchStep, Call, FitStep, ParameterKind, Ragged, Step};

/// C conditions, one of which is true if a value has lists.
pub(crate) fn test(call: &Call) -> Vec<String> {
    call.parameters
        .iter_enumerated()
        .filter(|(_, parameter)| parameter.kind != ParameterKind::Buffer)
        .map(|(slot, _)| format!("fp_is_ragged(fp_args[{slot}])"))
        .collect()
}

/// The parts of a call: its operands, then its scratch memory.
struct Parts<'m, 'n, 'a> {
    map: &'m MapNames<'n, 'a>,
    ragged: &'a Ragged,
}

/// The functions of a ragged call.
pub(crate) fn emit(map: &MapNames, ragged: &Ragged) -> String {
    let parts = Parts { map, ragged };
    format!("{}{}", parts.fit_function(), parts.call_function())
}

/// Prints the reading of the items' lists, after the inputs.
pub(crate) fn find(map: &MapNames, ragged: &Ragged, body: &mut Body, failure: &str) {
    Parts { map, ragged }.find(body, failure);
}

/// Prints the fitting of all items.
pub(crate) fn fit(map: &MapNames, ragged: &Ragged, body: &mut Body, failure: &str) {
    Parts { map, ragged }.fit(body, failure);
}

impl<'a> Parts<'_, '_, 'a> {
    fn call(&self) -> &'a Call {
        self.map.names.call
    }

    /// The index of an array among those of the fitter.
    fn at(&self, variable: VariableId) -> String {
        let at = self.map.measured().iter().position(|other| *other == variable);
        at.map_or("-1".to_owned(), |at| at.to_string())
    }

    fn scratch(&self) -> impl Iterator<Item = VariableId> {
        let call = self.call();
        call.variables.keys().filter(|index| {
            call.variables[*index].rank() > 0 && call.variables[*index].intent == Intent::Hidden
        })
    }

    fn count(&self) -> usize {
        self.map.operand_count() + self.scratch().count()
    }

    /// `fp_parts[0].is_core || fp_parts[2].is_core`: some of these arrays has lists as cores.
    fn has_lists(&self, arrays: &[VariableId]) -> String {
        let tests: Vec<String> = arrays
            .iter()
            .map(|index| format!("fp_parts[{}].is_core", self.map.operand_index(*index)))
            .collect();
        if tests.is_empty() { "0".to_owned() } else { tests.join(" || ") }
    }

    fn fit_function(&self) -> String {
        let map = self.map;
        if self.ragged.fit.is_empty() {
            return String::new();
        }
        let mut item = ItemPrinter::fit(map, Body::at_depth(1));
        for step in &self.ragged.fit {
            self.fit_step(step, &mut item);
        }
        item.body.return_success();
        let shared = &map.shared;
        format!(
            "/* What the lengths of an item's lists determine. */\nstatic int\n{}(FP_FITTER)\n{{\n    \
             struct {shared} *const fp_shared = (struct {shared} *)fp_all;\n{}}}\n\n",
            map.fit,
            item.body.into_text()
        )
    }

    fn fit_step(&self, step: &FitStep, item: &mut ItemPrinter) {
        let names = self.map.names;
        let shared = |index: VariableId| format!("fp_shared->{}", names.local(index));
        match step {
            FitStep::Find { variable, places } => {
                for (index, place) in places.iter().enumerate() {
                    let array = shared(place.array);
                    let found = &self.call().variables[*variable];
                    let find = format!(
                        "!fp_fit_dim(&{}, {}, {array}->shape[{}], {}, {}, &{}, fp_reason)",
                        shared(*variable),
                        numpy_type(found.ctype.scalar()),
                        place.axis,
                        place.axis,
                        c_string(&found.name),
                        names.param(place.array),
                    );
                    if !self.call().variables[place.array].nullable {
                        item.body.when(find, "return 0;");
                        break;
                    }
                    let head = if index == 0 { "if" } else { "else if" };
                    item.body.block(format!("{head} ({array}->data != NULL)"), |body| {
                        body.when(find, "return 0;");
                    });
                    if index + 1 == places.len() {
                        item.body.block("else", |body| {
                            body.line(format!("{} = 0;", shared(*variable)));
                        });
                    }
                }
            }
            FitStep::Set { variable, value } => {
                item.assign(*variable, &shared(*variable), value.as_ref());
            }
            FitStep::Default { variable, value } => {
                item.nested(&format!("if (!{}given) ", shared(*variable)), |item| {
                    item.assign(*variable, &shared(*variable), Some(value));
                });
            }
            FitStep::Shape { variable, parameter } => {
                let given = parameter.map(|_| format!("{}given", shared(*variable)));
                self.shape(*variable, given, item);
            }
            FitStep::Check { variable, axis, expected } => {
                let name = expected
                    .as_literal()
                    .map_or_else(|| c_string(&expected.shown().to_string()), |_| "NULL".to_owned());
                let check = format!(
                    "!fp_fit_check({}, {axis}, {}, {name}, &{}, {}, fp_reason)",
                    shared(*variable),
                    dimension(expected, &ItemScope::of_fit(self.map)),
                    names.param(*variable),
                    self.told_by(expected).map_or("NULL".to_owned(), |p| format!("&{p}")),
                );
                item.body.when(check, "return 0;");
            }
        }
    }

    /// The parameter that determines a dimension, if that is a plain name.
    fn told_by(&self, expected: &Expr) -> Option<&str> {
        let names = self.map.names;
        let variable = names.find(expected.as_name()?)?;
        self.ragged.fit.iter().find_map(|step| match step {
            FitStep::Find { variable: found, places } if *found == variable => {
                Some(names.param(places[0].array))
            }
            _ => None,
        })
    }

    /// Sets the shape of an array, unless it is `given`.
    fn shape(&self, variable: VariableId, given: Option<String>, item: &mut ItemPrinter) {
        let shape = self.call().variables[variable].shape().unwrap_or(&[]);
        let scope = ItemScope::of_fit(self.map);
        let shape: Vec<String> = shape.iter().map(|expr| dimension(expr, &scope)).collect();
        let array = format!("fp_shared->{}", self.map.names.local(variable));
        match (set_shape(&array, &shape), given) {
            (Some(set), None) => item.body.when(format!("!({set} != NULL)"), "return 0;"),
            (Some(set), Some(given)) => {
                item.body.when(format!("!({given} || {set})"), "return 0;");
            }
            (None, given) => {
                let given = given.map_or(String::new(), |given| format!("if (!{given}) "));
                item.nested(&given, |item| {
                    for (axis, value) in shape.iter().enumerate() {
                        item.body.line(format!("{array}->shape[{axis}] = {value};"));
                    }
                });
            }
        }
    }

    /// The function that makes the call, with the steps that run once.
    fn call_function(&self) -> String {
        let call = self.call();
        let mut body = Body::at_depth(1);
        self.map.declare_call(true, &mut body);
        let (slots, parts) = (call.parameters.len(), self.count());
        for (variable, fill) in self.literals() {
            let value = self.map.names.plain_value(variable, fill).unwrap_or_default();
            let ctype = c_type(&call.variables[variable].ctype);
            let element = self.map.stand_in(variable);
            body.line(format!("const {ctype} {element} = {value};"));
        }
        let (ops, count) = self.map.operand_list();
        body.line(format!("FP_RAGGED({slots}, {parts}, {count});"));
        body.line("");
        let begin = format!(
            "!fp_ragged_begin(&fp_batch, fp_parts, {parts}, {ops}, {count}, fp_opened, fp_flat, &{}, fp_given)",
            self.map.names.signature
        );
        body.when(begin, "goto undo_fp_batch;");
        format!(
            "static PyObject *\n{}(PyObject *const *fp_given)\n{{\n{}}}\n\n",
            self.map.ragged_entry,
            Printer::ragged(self.map, self.ragged).print_after(body)
        )
    }

    fn find(&self, body: &mut Body, failure: &str) {
        let names = self.map.names;
        for index in self.map.input_operands() {
            let variable = &self.call().variables[index];
            let slot = self.call().parameter_of(index).expect("inputs have a parameter");
            let local = names.local(index);
            let array = if variable.own { local.to_owned() } else { format!("{local}one") };
            let lists =
                if variable.own { format!("&fp_opened[{slot}]") } else { "NULL".to_owned() };
            let k = self.map.operand_index(index);
            let is_made = self.is_made(index).map_or("0".to_owned(), |parameter| {
                format!("!fp_is_present(fp_args[{parameter}])")
            });
            let part = format!(
                "!fp_ragged_part(&fp_batch, {k}, &{array}, &fp_ops[{k}], {lists}, {}, {is_made}, &{})",
                self.at(index),
                names.param(index)
            );
            body.when(part, failure);
        }
        let (ops, _) = self.map.operand_list();
        let inputs = self.map.input_operands().len();
        let signature = &names.signature;
        let find = format!("!fp_ragged_find(&fp_batch, {ops}, {inputs}, &{signature}, fp_args)");
        body.when(find, failure);
    }

    /// The optional arrays whose default is a literal.
    fn literals(&self) -> impl Iterator<Item = (VariableId, &'a Expr)> {
        let call = self.call();
        self.ragged
            .steps
            .iter()
            .filter_map(|step| match step {
                BatchStep::Once(Step::Acquire(Acquire {
                    variable,
                    absent: Absent::Value(fill),
                    ..
                })) => Some((*variable, fill)),
                _ => None,
            })
            .filter(|(variable, fill)| {
                call.variables[*variable].is_array() && fill.as_literal().is_some()
            })
    }

    /// The parameter of an array whose shape the fitter computes if the array is omitted.
    fn is_made(&self, array: VariableId) -> Option<ParameterId> {
        self.ragged.fit.iter().find_map(|step| match step {
            FitStep::Shape { variable, parameter } if *variable == array => *parameter,
            _ => None,
        })
    }

    fn fit(&self, body: &mut Body, failure: &str) {
        let names = self.map.names;
        let made = |index: VariableId| self.ragged.made.iter().find(|made| made.variable == index);
        let mut announce = |k: usize, index: VariableId, is_operand: bool| {
            let (first, inner) = made(index).map_or((String::from("0"), String::from("0")), |m| {
                (self.has_lists(&m.first), self.has_lists(&m.inner))
            });
            let op = if is_operand { format!("&fp_ops[{k}]") } else { "NULL".to_owned() };
            body.when(
                format!(
                    "!fp_ragged_made(&fp_batch, {k}, &{}, {op}, {}, {first}, {inner}, &{})",
                    names.local(index),
                    self.at(index),
                    names.param(index)
                ),
                failure,
            );
        };
        let inputs = self.map.input_operands();
        for (k, index) in self.map.operands().into_iter().enumerate() {
            if !inputs.contains(&index) {
                announce(k, index, true);
            }
        }
        for (index, k) in self.scratch().zip(self.map.operand_count()..) {
            announce(k, index, false);
        }
        let count = self.map.measured().len();
        let fit = if self.ragged.fit.is_empty() { "NULL" } else { &self.map.fit };
        let (shared, size) = self.map.shared_address();
        body.when(format!("!fp_ragged_fit(&fp_batch, {fit}, {shared}, {size}, {count})"), failure);
    }
}
