//! A call over lists: what is found for each item from their lengths, and what happens once.
//!
//! The loop is that of `items.rs`. What all items share there may differ with the lengths of an item's
//! lists here, so a function of its own sets it: for all items in advance, then again for each. It
//! touches no Python either.

use crate::item::{ItemPrinter, ItemScope};
use crate::items::MapNames;
use crate::kinds::kind;
use crate::params::numpy_type;
use crate::steps::Printer;
use fishplate_emit::{Body, c_string, dimension};
use fishplate_model::{Expr, Intent, VariableId};
use fishplate_plan::{Call, FitStep, ParameterKind, Ragged};

/// C of which some is true when some value has lists.
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

/// Prints what the items' lists tell and hold, behind the inputs.
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

    /// Where an array is among those that the fit sees.
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

    /// `fp_parts[0].is_core || fp_parts[2].is_core`: some of these arrays has lists for cores.
    fn has_lists(&self, arrays: &[VariableId]) -> String {
        let tests: Vec<String> = arrays
            .iter()
            .map(|index| format!("fp_parts[{}].is_core", self.map.operand_index(*index)))
            .collect();
        if tests.is_empty() { "0".to_owned() } else { tests.join(" || ") }
    }

    fn fit_function(&self) -> String {
        let map = self.map;
        let mut item = ItemPrinter::new(map, Body::at_depth(1), "return 0;");
        for (index, variable) in self.call().variables.iter_enumerated() {
            if !variable.own {
                let local = map.names.local(index);
                let start = format!(
                    "{} = fp_shared->{local};",
                    kind(variable).declare_value(variable, local)
                );
                item.body.line(start);
            }
        }
        for step in &self.ragged.fit {
            self.fit_step(step, &mut item);
        }
        item.body.line("return 1;");
        let text = item.body.into_text();
        let mut head = Body::at_depth(1);
        let shared = &map.shared;
        head.line(format!("struct {shared} *fp_shared = (struct {shared} *)fp_all;"));
        for parameter in ["fp_shared", "fp_worker_", "fp_misfit_"] {
            if !text.contains(parameter) {
                head.line(format!("(void){parameter};"));
            }
        }
        format!(
            "/* What the lengths of an item's lists tell. */\nstatic int\n\
             {}(void *fp_all, fp_worker *fp_worker_, fp_misfit *fp_misfit_)\n{{\n{}{text}}}\n\n",
            map.fit,
            head.into_text()
        )
    }

    fn fit_step(&self, step: &FitStep, item: &mut ItemPrinter) {
        let names = self.map.names;
        let shared = |index: VariableId| {
            let local = names.local(index);
            format!("fp_shared->{local} = {local};")
        };
        match step {
            FitStep::Find { variable, places } => {
                for (index, place) in places.iter().enumerate() {
                    let array = format!("fp_shared->{}", names.local(place.array));
                    let found = &self.call().variables[*variable];
                    let find = format!(
                        "!fp_fit_dim(&{}, {}, {array}->shape[{}], {}, {}, &{}, fp_misfit_)",
                        names.local(*variable),
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
                            body.line(format!("{} = 0;", names.local(*variable)));
                        });
                    }
                }
                item.body.line(shared(*variable));
            }
            FitStep::Set { variable, value } => {
                item.assign(*variable, names.local(*variable), value.as_ref());
                item.body.line(shared(*variable));
            }
            FitStep::Default { variable, value } => {
                let local = names.local(*variable);
                item.nested(&format!("if (!fp_shared->{local}given) "), |item| {
                    item.assign(*variable, local, Some(value));
                    item.body.line(shared(*variable));
                });
            }
            FitStep::Shape { variable, parameter: Some(_) } => {
                let local = names.local(*variable);
                item.nested(&format!("if (!fp_shared->{local}given) "), |item| {
                    self.shape(*variable, item);
                });
            }
            FitStep::Shape { variable, parameter: None } => self.shape(*variable, item),
            FitStep::Check { variable, axis, expected } => {
                let name = expected
                    .as_literal()
                    .map_or_else(|| c_string(&expected.shown().to_string()), |_| "NULL".to_owned());
                let check = format!(
                    "!fp_fit_check(fp_shared->{}, {axis}, {}, {name}, &{}, {}, fp_misfit_)",
                    names.local(*variable),
                    dimension(expected, &ItemScope(self.map)),
                    names.param(*variable),
                    self.told_by(expected).map_or("NULL".to_owned(), |p| format!("&{p}")),
                );
                item.body.when(check, "return 0;");
            }
        }
    }

    /// The parameter that tells a dimension which is just a name.
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

    fn shape(&self, variable: VariableId, item: &mut ItemPrinter) {
        let shape = self.call().variables[variable].shape().unwrap_or(&[]);
        for (axis, expr) in shape.iter().enumerate() {
            let local = self.map.names.local(variable);
            let value = dimension(expr, &ItemScope(self.map));
            item.body.line(format!("fp_shared->{local}->shape[{axis}] = {value};"));
        }
    }

    /// The call: what happens once.
    fn call_function(&self) -> String {
        let call = self.call();
        let mut body = Body::at_depth(1);
        self.map.declare_call(true, &mut body);
        let slots = call.parameters.len();
        body.line(format!("PyObject *fp_flat[{slots}], *const *fp_args = fp_flat;"));
        body.line(format!("fp_lists fp_lists_[{slots}];"));
        body.line(format!("fp_part fp_parts[{}];", self.count()));
        body.line("fp_ragged fp_ragged_;");
        body.line("");
        body.line(format!(
            "fp_ragged_begin(&fp_ragged_, fp_parts, {}, fp_lists_, {});",
            self.count(),
            call.parameters.len()
        ));
        for (slot, parameter) in call.parameters.iter_enumerated() {
            if parameter.kind == ParameterKind::Buffer {
                body.line(format!("fp_flat[{slot}] = fp_given[{slot}];"));
            } else {
                let param = self.map.names.param(parameter.variable);
                let open = format!(
                    "!fp_open_lists(&fp_lists_[{slot}], &fp_flat[{slot}], fp_given[{slot}], &{param})"
                );
                body.when(open, "goto undo_fp_lists;");
            }
        }
        format!(
            "static PyObject *\n{}(PyObject *const *fp_given)\n{{\n{}{}}}\n\n",
            self.map.ragged_entry,
            body.into_text(),
            Printer::ragged(self.map, self.ragged).print()
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
                if variable.own { format!("&fp_lists_[{slot}]") } else { "NULL".to_owned() };
            let k = self.map.operand_index(index);
            body.line(format!(
                "fp_ragged_part(&fp_ragged_, {k}, &{array}, &fp_ops[{k}], {lists}, {}, &{});",
                self.at(index),
                names.param(index)
            ));
        }
        body.when("!fp_ragged_find(&fp_ragged_)", failure);
        for step in &self.ragged.fit {
            if let FitStep::Shape { variable, parameter: Some(parameter) } = step {
                let k = self.map.operand_index(*variable);
                body.line(format!("fp_parts[{k}].is_made = !fp_is_given(fp_args[{parameter}]);"));
            }
        }
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
                    "!fp_ragged_made(&fp_ragged_, {k}, &{}, {op}, {}, {first}, {inner}, &{})",
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
        self.map.fill_shared(true, body);
        let count = self.map.measured().len();
        body.when(
            format!(
                "!fp_ragged_fit(&fp_ragged_, {}, &fp_shared, sizeof(fp_shared), {count})",
                self.map.fit
            ),
            failure,
        );
    }
}
