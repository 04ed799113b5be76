//! Arrays as C: taken from the caller or made, measured, filled and written back.

use super::Printer;
use crate::params::numpy_type;
use fishplate_emit::{c_string, c_type, dimension};
use fishplate_model::{Device, Expr, ParameterId, VariableId};
use fishplate_plan::{Absent, Access, Crossing, Memory, Place, Undo};

impl Printer<'_, '_> {
    pub(super) fn take(&mut self, variable: VariableId, parameter: ParameterId, absent: &Absent) {
        let names = self.names;
        let access = Access::of(names.call.variables[variable].intent);
        let (local, param) = (names.local(variable), names.param(variable));
        let how = match (access, self.map.is_some()) {
            (Access::Read, _) => "in",
            (Access::InPlace, _) => "inplace",
            (Access::Exclusive, _) => "inout",
            (Access::Copy, false) => "copy",
            (Access::Copy, true) => "source",
        };
        let operand = self.map.map(|map| map.operand(variable));
        let test = match &operand {
            Some(operand) => {
                format!("!fp_map_{how}(&{local}, &{operand}, fp_args[{parameter}], &{param})")
            }
            None if matches!(names.call.variables[variable].crossing, Crossing::Bytes(_)) => {
                format!("!{}", self.take_bytes(variable, &format!("fp_args[{parameter}]"), access))
            }
            None if names.call.device == Device::Cpu => {
                let take = self.named(variable, how);
                format!("!{take}(&{local}, fp_args[{parameter}], &{param})")
            }
            None => format!("!fp_device_array(&{local}, fp_args[{parameter}], &{param})"),
        };
        let is_array = names.call.variables[variable].rank() > 0;
        self.given(parameter, &test, absent, |printer, default| {
            match default {
                Some(_) if is_array && printer.ragged.is_some() => {
                    printer.left_out(variable, access);
                }
                Some(fill) if is_array => {
                    printer.shape(variable);
                    let make = printer.making(variable, "NULL");
                    printer.must(&make);
                    printer.fill(variable, fill);
                }
                _ => printer.body.line(format!("fp_array_null(&{local}, &{param});")),
            }
            if let Some(operand) = &operand {
                printer.body.line(format!("fp_map_one(&{local}, &{operand}, &{param});"));
            }
        });
        self.lend(variable);
    }

    /// Finds an integer in the shapes of arrays; zero where none is given.
    pub(super) fn find_dimension(&mut self, variable: VariableId, places: &[Place]) {
        let names = self.names;
        let found = &names.call.variables[variable];
        for (index, place) in places.iter().enumerate() {
            let array = names.local(place.array);
            let find = format!(
                "fp_find_dim(&{}, {}, {array}.shape[{}], {}, {}, &{})",
                names.local(variable),
                numpy_type(found.ctype.scalar()),
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
        self.nested("else", |printer| printer.set(variable, None));
    }

    /// An array's extent along an axis must be what an expression gives.
    pub(super) fn check_dimension(&mut self, variable: VariableId, axis: usize, expected: &Expr) {
        let names = self.names;
        let text = match expected.as_literal() {
            Some(_) => "NULL".to_owned(),
            None => c_string(&expected.shown().to_string()),
        };
        self.must(&format!(
            "fp_check_dim(&{}, {axis}, {}, {text}, &{})",
            names.local(variable),
            dimension(expected, names),
            names.param(variable),
        ));
    }

    /// Sets the shape of an array that is to be made.
    pub(super) fn shape(&mut self, variable: VariableId) {
        for statement in self.names.set_shape(variable) {
            self.body.line(statement);
        }
    }

    pub(super) fn make(
        &mut self,
        variable: VariableId,
        buffer: Option<ParameterId>,
        memory: Memory,
    ) {
        let names = self.names;
        let (local, param) = (names.local(variable), names.param(variable));
        if self.ragged.is_none() && names.call.variable(variable).rank() > 0 {
            self.shape(variable);
        }
        let slot = buffer;
        let buffer = buffer.map_or("NULL".to_owned(), |slot| format!("fp_args[{slot}]"));
        let call = match (memory, self.map) {
            (Memory::Scratch, None) => format!("fp_array_scratch(&{local}, &{param})"),
            (Memory::Scratch, Some(_)) => {
                format!("fp_map_scratch(&{local}, &fp_scratch, &{param})")
            }
            (Memory::Result, None) if names.call.device == Device::Cpu => {
                self.making(variable, &buffer)
            }
            (Memory::Result, None) => format!("fp_device_out(&{local}, {buffer}, &{param})"),
            (Memory::Result, Some(map)) if self.ragged.is_some() => {
                format!("fp_ragged_out(&fp_ragged_, {}, {buffer})", map.operand_index(variable))
            }
            (Memory::Result, Some(map)) => {
                let operand = map.operand(variable);
                format!("fp_map_out(&{local}, &{operand}, &fp_map_, {buffer}, &{param})")
            }
        };
        self.must(&call);
        if let Some(slot) = slot {
            self.keep_apart(variable, slot);
        }
    }

    /// The caller's buffer must not share memory with the arrays that have been taken.
    fn keep_apart(&mut self, variable: VariableId, slot: ParameterId) {
        let call = self.names.call;
        let is_plain = self.map.is_none() && call.device == Device::Cpu;
        if !is_plain || call.variable(variable).has_structs() {
            return;
        }
        let others: Vec<String> = self
            .undos
            .iter()
            .filter_map(|(_, undo, _)| match undo {
                Undo::Release(other) if *other != variable && call.variables[*other].is_array() => {
                    Some(format!("&{}", self.names.local(*other)))
                }
                _ => None,
            })
            .collect();
        if others.is_empty() {
            return;
        }
        let (local, param) = (self.names.local(variable), self.names.param(variable));
        let (list, count) = (others.join(", "), others.len());
        self.nested(&format!("if (FP_UNLIKELY(fp_is_given(fp_args[{slot}])))"), |printer| {
            printer.body.line(format!("const fp_array *const fp_others[] = {{{list}}};"));
            printer.must(&format!("fp_keep_apart(&{local}, &{param}, fp_others, {count})"));
        });
    }

    /// The call that makes an array, bytes or room for a text.
    pub(super) fn making(&self, variable: VariableId, buffer: &str) -> String {
        let (local, param) = (self.names.local(variable), self.names.param(variable));
        match self.names.call.variables[variable].crossing {
            Crossing::Bytes(_) => format!("fp_bytes_out(&{local}, &{param})"),
            Crossing::StringBuffer(_) => format!("fp_array_scratch(&{local}, &{param})"),
            _ => format!("{}(&{local}, {buffer}, &{param})", self.named(variable, "out")),
        }
    }

    /// Sets all elements of an array that we made to a value.
    pub(super) fn fill(&mut self, variable: VariableId, to: &Expr) {
        let names = self.names;
        let (local, param) = (names.local(variable), names.param(variable));
        let element = format!("{local}element");
        let ctype = c_type(&names.call.variables[variable].ctype);
        self.nested("", |printer| {
            printer.body.line(format!("{ctype} {element};"));
            printer.assign(variable, &element, to);
            let fill = printer.named(variable, "fill");
            printer.body.line(format!("{fill}(&{local}, &{element}, &{param});"));
        });
    }

    /// What C has changed in a copy goes to the caller's array.
    pub(super) fn write_back(&mut self, variable: VariableId) {
        let is_array = self.map.is_some() || self.names.call.variable(variable).is_array();
        if !is_array {
            self.write_back_scalar(variable);
            return;
        }
        let (local, param) = (self.names.local(variable), self.names.param(variable));
        if self.names.call.variable(variable).has_structs() {
            self.must(&format!("fp_structs_back(&{local})"));
        } else {
            self.body.line(format!("fp_write_back(&{local}, &{param});"));
        }
    }

    /// The runtime's function for an array of numbers, or of structs.
    pub(super) fn named(&self, variable: VariableId, what: &str) -> String {
        match (self.names.call.variables[variable].has_structs(), what) {
            (true, _) => format!("fp_structs_{what}"),
            (false, "fill") => "fp_fill".to_owned(),
            (false, _) => format!("fp_array_{what}"),
        }
    }
}
