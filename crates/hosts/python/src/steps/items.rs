//! What a call that stands for many items does before its loop.

use super::Printer;
use crate::ragged;
use fishplate_emit::c_type;
use fishplate_model::{Intent, VariableId};
use fishplate_plan::{Absent, Access, Acquire, BatchStep, ParameterKind, Step};

impl Printer<'_, '_> {
    pub(super) fn broadcast(&mut self) {
        let Some(map) = self.map else { return };
        if let Some(ragged) = self.ragged {
            let failure = self.failure();
            ragged::find(map, ragged, &mut self.body, &failure);
            return;
        }
        let inputs = map.input_operands();
        let list: Vec<String> =
            inputs.iter().map(|index| format!("&{}", map.operand(*index))).collect();
        let call = self.names.call;
        let buffers: Vec<String> = (call.parameters.iter_enumerated())
            .filter(|(_, parameter)| parameter.kind == ParameterKind::Buffer)
            .map(|(slot, parameter)| {
                format!("{{fp_args[{slot}], &{}}}", self.names.param(parameter.variable))
            })
            .collect();
        self.nested("", |printer| {
            printer.body.line(format!("fp_operand *const fp_inputs[] = {{{}}};", list.join(", ")));
            let mut room = "NULL, 0".to_owned();
            if !buffers.is_empty() {
                let rows = buffers.join(", ");
                printer.body.line(format!("const fp_buffer fp_buffers[] = {{{rows}}};"));
                room = format!("fp_buffers, {}", buffers.len());
            }
            printer.must(&format!("fp_broadcast(&fp_map_, fp_inputs, {}, {room})", list.len()));
        });
    }

    /// Memory of its own for each item of an input that C changes.
    pub(super) fn copy_items(&mut self, variable: VariableId) {
        let Some(map) = self.map else { return };
        let names = self.names;
        let call = names.call;
        let copy = match self.ragged {
            Some(_) => {
                format!("!fp_ragged_copy(&fp_ragged_, {})", map.operand_index(variable))
            }
            None => format!(
                "!fp_map_copy(&{}, &{}, &fp_map_, &{})",
                names.local(variable),
                map.operand(variable),
                names.param(variable)
            ),
        };
        let is_copied = call.variables[variable].intent == Intent::InAndOut;
        let slot = call.parameter_of(variable).expect("inputs have a parameter");
        let failure = self.failure();
        if is_copied && !call.variables[variable].nullable {
            self.body.when(copy, &failure);
        } else {
            let not = if is_copied { "" } else { "!" };
            self.body.when(format!("{not}fp_is_given(fp_args[{slot}]) && {copy}"), &failure);
        }
    }

    /// Over lists, what stands in for an array has its size when all items are fitted.
    pub(crate) fn left_out(&mut self, variable: VariableId) {
        let access = Access::of(self.names.call.variables[variable].intent);
        let (local, param) = (self.names.local(variable), self.names.param(variable));
        self.body.line(format!("fp_array_null(&{local}, &{param});"));
        if access != Access::Read {
            self.must(&format!("fp_no_stand_in(&{param})"));
        }
    }

    /// Finds what the lists tell, and makes what stands in for arrays that were left out.
    pub(super) fn fit_lists(&mut self) {
        let (Some(map), Some(ragged)) = (self.map, self.ragged) else { return };
        let failure = self.failure();
        ragged::fit(map, ragged, &mut self.body, &failure);
        for step in &ragged.steps {
            let BatchStep::Once(Step::Acquire(Acquire { variable, parameter, absent, .. })) = step
            else {
                continue;
            };
            let Absent::Value(fill) = absent else { continue };
            let of = &self.names.call.variables[*variable];
            if !of.is_array() || Access::of(of.intent) != Access::Read {
                continue;
            }
            let element = format!("{}element", self.names.local(*variable));
            let ctype = c_type(&self.names.call.variables[*variable].ctype);
            let k = map.operand_index(*variable);
            self.nested(&format!("if (!fp_is_given(fp_args[{parameter}]))"), |printer| {
                printer.body.line(format!("{ctype} {element};"));
                printer.assign(*variable, &element, fill);
                printer.must(&format!("fp_ragged_stand_in(&fp_ragged_, {k}, &{element})"));
            });
        }
    }

    /// The `fp_map` of a mapped call.
    pub(super) fn map_name(&self) -> &'static str {
        if self.ragged.is_some() { "fp_ragged_.map" } else { "fp_map_" }
    }
}
