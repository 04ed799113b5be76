//! Numbers: read, computed and written back.

use super::{ArgumentKind, value_argument};
use crate::params::stack_index;
use crate::steps::Printer;
use fishplate_emit::zero;
use fishplate_model::{Expr, Scalar, ScalarClass, VariableId};
use fishplate_plan::{Acquire, Variable};

impl ArgumentKind for Scalar {
    fn acquire(&self, printer: &mut Printer, step: &Acquire) {
        let &Acquire { variable: index, parameter, ref absent, .. } = step;
        let reader = match self.class() {
            ScalarClass::Signed | ScalarClass::Unsigned => "integer",
            _ => self.dtype_name(),
        };
        let (local, param) = (printer.names.local(index), printer.names.param(index));
        let slot = stack_index(parameter);
        let mut statements = vec![if printer.chosen && reader == "float64" {
            let seen = format!("fp_seen[{parameter}].type");
            format!("fp_read_seen_{reader}(fp_L, {slot}, {seen}, &{local}, &{param});")
        } else {
            format!("fp_read_{reader}(fp_L, {slot}, &{local}, &{param});")
        }];
        if printer.names.call.variables[index].intent.writes_caller() {
            statements.insert(0, format!("fp_check_mutable_scalar(fp_L, {slot}, &{param});"));
        }
        printer.given(parameter, &statements, absent, |printer, default| {
            printer.set_number(index, default);
        });
    }

    fn may_collect(&self, variable: &Variable) -> bool {
        variable.intent.writes_caller()
    }

    fn set(&self, printer: &mut Printer, index: VariableId, to: Option<&Expr>) {
        printer.set_number(index, to);
    }

    fn argument(&self, printer: &Printer, index: VariableId) -> String {
        value_argument(printer, index)
    }

    fn write_back(&self, printer: &mut Printer, index: VariableId) {
        printer.write_back_value(index, "scalar");
    }

    fn accepted(&self, variable: &Variable) -> String {
        match variable.intent.writes_caller() {
            true => "fishplate.tensor".to_owned(),
            false => self.returned(variable),
        }
    }
}

/// A value that only C uses, and that the call sets.
pub(super) struct Opaque;

impl ArgumentKind for Opaque {
    fn set(&self, printer: &mut Printer, index: VariableId, to: Option<&Expr>) {
        printer.set_number(index, to);
    }

    fn argument(&self, printer: &Printer, index: VariableId) -> String {
        value_argument(printer, index)
    }
}

impl Printer<'_, '_> {
    /// Sets a number, or a pointer that only C uses.
    pub(super) fn set_number(&mut self, index: VariableId, to: Option<&Expr>) {
        let local = self.names.local(index);
        match to {
            None => {
                let zero = zero(&self.names.call.variables[index].ctype);
                self.body.line(format!("{local} = {zero};"));
            }
            Some(expr) => self.assign(index, local, expr),
        }
    }

    /// Sets `target`, which has the type of the variable, to the value of an expression; an integer
    /// must fit.
    pub(super) fn assign(&mut self, variable: VariableId, target: &str, expr: &Expr) {
        let assignment = self.names.assignment(variable, target, expr, "fp_L, ");
        if let Some(check) = assignment.check {
            self.body.line(format!("{check};"));
        }
        if let Some(statement) = assignment.statement {
            self.body.line(statement);
        }
    }
}
