//! The steps of a batched call before its loop.

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
        let (ops, _) = map.operand_list();
        let inputs = map.input_operands().len();
        let signature = &self.names.signature;
        self.must(&format!("fp_broadcast(&fp_batch, {ops}, {inputs}, &{signature}, fp_args)"));
    }

    /// Copies each item of an input that C changes.
    pub(super) fn copy_items(&mut self, variable: VariableId) {
        let Some(map) = self.map else { return };
        let names = self.names;
        let call = names.call;
        let copy = match self.ragged {
            Some(_) => {
                format!("!fp_ragged_copy(&fp_batch, {})", map.operand_index(variable))
            }
            None => format!(
                "!fp_map_copy(&{}, &{}, &fp_batch, &{})",
                names.local(variable),
                map.operand(variable),
                names.param(variable)
            ),
        };
        let of = &call.variables[variable];
        let is_copied = of.intent == Intent::InAndOut;
        let slot = call.parameter_of(variable).expect("inputs have a parameter");
        let failure = self.failure();
        // With lists, an omitted array gets its default later.
        let made_later = self.ragged.is_some()
            && of.is_array()
            && call.parameters[slot].kind == ParameterKind::Optional;
        if made_later && !is_copied {
            return;
        }
        if is_copied && !of.nullable && !made_later {
            self.body.when(copy, &failure);
        } else {
            let not = if is_copied { "" } else { "!" };
            self.body.when(format!("{not}fp_is_present(fp_args[{slot}]) && {copy}"), &failure);
        }
    }

    /// An omitted array gets its default when all items are fitted.
    pub(crate) fn left_out(&mut self, variable: VariableId, operand: &str) {
        let changes = Access::of(self.names.call.variables[variable].intent) != Access::Read;
        let (local, param) = (self.names.local(variable), self.names.param(variable));
        let absent = if changes {
            format!("fp_ragged_left_out(&fp_batch, &{local}, &{operand}, &{param})")
        } else {
            format!("fp_map_null(&{local}, &{operand}, &{param})")
        };
        self.must(&absent);
    }

    /// Computes the values that depend on the lengths of lists, and the defaults of omitted arrays.
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
            if !of.is_array() {
                continue;
            }
            let changes = u8::from(Access::of(of.intent) != Access::Read);
            let element = map.stand_in(*variable);
            let k = map.operand_index(*variable);
            let make = format!("fp_ragged_stand_in(&fp_batch, {k}, &{element}, {changes})");
            if fill.as_literal().is_some() {
                self.body
                    .when(format!("!fp_is_present(fp_args[{parameter}]) && !{make}"), &failure);
                continue;
            }
            self.nested(&format!("if (!fp_is_present(fp_args[{parameter}]))"), |printer| {
                printer.body.line(format!("{} {element};", c_type(&of.ctype)));
                printer.assign(*variable, &element, fill);
                printer.must(&make);
            });
        }
    }

    /// The `fp_map` of a mapped call.
    pub(super) fn map_name(&self) -> &'static str {
        if self.ragged.is_some() { "fp_batch.map" } else { "fp_batch" }
    }
}
