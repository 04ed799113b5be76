//! Numbers as C: read, computed and written back.

use super::Printer;
use fishplate_emit::zero;
use fishplate_model::{Expr, ParameterId, ScalarClass, VariableId};
use fishplate_plan::{Absent, Crossing, ParameterKind};

impl Printer<'_, '_> {
    pub(super) fn read(&mut self, variable: VariableId, parameter: ParameterId, absent: &Absent) {
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
        let param = names.param(variable);
        let local = names.local(variable);
        let mut slot = format!("fp_args[{parameter}]");
        if let (Some(map), false) = (self.map, mutable) {
            // One number that all items share; an array must hold nothing but that.
            let operand = map.operand(variable);
            let share =
                format!("fp_one = fp_map_share(&{local}one, &{operand}, {slot}, &{param});");
            let failure = self.failure();
            self.body.line(share);
            self.body.when("fp_one == NULL && PyErr_Occurred()", &failure);
            slot = "fp_one".to_owned();
        }
        let read = format!("fp_read_{kind}({slot}, &{local}, &{param})");
        let test = if mutable {
            format!("!fp_check_mutable_scalar(fp_args[{parameter}], &{param}) || !{read}")
        } else {
            format!("!{read}")
        };
        self.given(parameter, &test, absent, |printer, default| {
            // Over lists, a default may vary per item.
            printer.set(variable, default.filter(|_| printer.ragged.is_none()));
        });
    }

    pub(super) fn set(&mut self, variable: VariableId, to: Option<&Expr>) {
        if let Crossing::String = self.names.call.variables[variable].crossing {
            self.set_text(variable, to);
            return;
        }
        if self.names.call.variables[variable].ctype.class().is_some() {
            self.set_value(variable, to);
            return;
        }
        let local = self.names.local(variable);
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
    pub(super) fn assign(&mut self, variable: VariableId, target: &str, expr: &Expr) {
        let assignment = self.names.assignment(variable, target, expr, "");
        if let Some(check) = assignment.check {
            self.must(&check);
        }
        if let Some(statement) = assignment.statement {
            self.body.line(statement);
        }
    }

    /// What C has changed behind a pointer goes to what the caller gave.
    pub(super) fn write_back_scalar(&mut self, variable: VariableId) {
        let Some(parameter) = self.names.call.parameter_of(variable) else { return };
        let local = self.names.local(variable);
        let write = match self.names.call.variables[variable].ctype.structure() {
            Some(_) => self.write_record(variable, parameter),
            None => format!("fp_write_scalar(fp_args[{parameter}], &{local}, sizeof({local}));"),
        };
        if self.is_optional(parameter) {
            self.body.when(format!("fp_is_given(fp_args[{parameter}])"), &write);
        } else {
            self.body.line(write);
        }
    }

    pub(super) fn is_optional(&self, parameter: ParameterId) -> bool {
        self.names.call.parameters[parameter].kind != ParameterKind::Required
    }
}
