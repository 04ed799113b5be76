//! Numbers: read, computed and written back.

use super::{ArgumentKind, PassedKind, value_argument, value_item_argument, value_output};
use crate::docs::python_literal;
use crate::item::ItemPrinter;
use crate::params::numpy_type;
use crate::steps::Printer;
use crate::stub::{single_number, written};
use fishplate_emit::{Names, class_word, zero};
use fishplate_model::{Expr, Scalar, ScalarClass, VariableId};
use fishplate_plan::{Acquire, FromC, Variable};

impl ArgumentKind for Scalar {
    fn dtype(&self) -> String {
        numpy_type(*self)
    }

    fn acquire(&self, printer: &mut Printer, step: &Acquire) {
        let &Acquire { variable: index, parameter, ref absent, .. } = step;
        let names = printer.names;
        let of = &names.call.variables[index];
        if printer.map.is_some() && of.own {
            printer.take(step);
            return;
        }
        let (local, param) = (names.local(index), names.param(index));
        let mut slot = format!("fp_args[{parameter}]");
        let is_written = of.intent.writes_caller();
        if let (Some(map), false) = (printer.map, is_written) {
            // One number that all items share; an array must hold nothing but that.
            let operand = map.operand(index);
            printer.must(&format!(
                "fp_map_share(&fp_one, &{}one, &{operand}, {slot}, &{param})",
                names.stem(index)
            ));
            slot = "fp_one".to_owned();
        }
        let read = format!("fp_read_{}({slot}, &{local}, &{param})", reader(*self));
        let test = if is_written {
            format!("!fp_check_mutable_scalar(fp_args[{parameter}], &{param}) || !{read}")
        } else {
            format!("!{read}")
        };
        printer.given(parameter, &test, absent, |printer, default| {
            // Over lists, a default may vary per item.
            self.set(printer, index, default.filter(|_| printer.ragged.is_none()));
        });
    }

    fn set(&self, printer: &mut Printer, index: VariableId, to: Option<&Expr>) {
        set_number(printer, index, to);
    }

    fn argument(&self, printer: &Printer, index: VariableId) -> String {
        value_argument(printer, index)
    }

    fn item_argument(&self, item: &ItemPrinter, index: VariableId) -> String {
        value_item_argument(item, index)
    }

    fn output(&self, printer: &Printer, index: VariableId) -> String {
        value_output(printer, index, from_number(*self, printer.names.local(index)))
    }

    fn write_back(&self, printer: &mut Printer, index: VariableId) {
        let local = printer.names.local(index);
        let write = |slot: &str| format!("fp_write_scalar({slot}, &{local}, sizeof({local}));");
        printer.write_back_value(index, write);
    }

    fn accepted(&self, variable: &Variable, _: &str) -> String {
        if variable.intent.writes_caller() {
            return written(&variable.ctype);
        }
        let alias = match self.class() {
            ScalarClass::Bool => "_Bool",
            ScalarClass::Signed | ScalarClass::Unsigned => "_Int",
            ScalarClass::Float => "_Float",
            ScalarClass::Complex => "_Complex",
        };
        alias.to_owned()
    }

    fn returned(&self, _: &Variable) -> String {
        single_number(*self).to_owned()
    }

    fn literal(&self, literal: String) -> Option<String> {
        python_literal(&literal, *self)
    }
}

impl PassedKind for Scalar {
    fn pass(&self, names: &Names<FromC>, index: VariableId, _: usize, _: &str) -> String {
        from_number(*self, names.local(index))
    }

    fn type_name(&self) -> String {
        single_number(*self).to_owned()
    }
}

/// A value that only C uses, which the call sets.
pub(super) struct Opaque;

impl ArgumentKind for Opaque {
    fn set(&self, printer: &mut Printer, index: VariableId, to: Option<&Expr>) {
        set_number(printer, index, to);
    }

    fn argument(&self, printer: &Printer, index: VariableId) -> String {
        value_argument(printer, index)
    }

    fn item_argument(&self, item: &ItemPrinter, index: VariableId) -> String {
        value_item_argument(item, index)
    }
}

/// C for a new number of Python.
pub(super) fn from_number(scalar: Scalar, local: &str) -> String {
    format!("FP_FROM_{}({local})", class_word(scalar.class()))
}

/// The word for the reading function in the names of the runtime.
pub(crate) fn reader(scalar: Scalar) -> &'static str {
    match scalar.class() {
        ScalarClass::Signed | ScalarClass::Unsigned => "integer",
        _ => scalar.dtype_name(),
    }
}

pub(super) fn set_number(printer: &mut Printer, index: VariableId, to: Option<&Expr>) {
    let local = printer.names.local(index);
    match to {
        None => {
            let zero = zero(&printer.names.call.variables[index].ctype);
            printer.body.line(format!("{local} = {zero};"));
        }
        Some(expr) => printer.assign(index, local, expr),
    }
}

impl Printer<'_, '_> {
    /// Sets `target`, which has the type of the variable, to an expression's value; an integer must
    /// fit.
    pub(crate) fn assign(&mut self, variable: VariableId, target: &str, expr: &Expr) {
        let assignment = self.names.assignment(variable, target, expr, "");
        if let Some(check) = assignment.check {
            self.must(&check);
        }
        if let Some(statement) = assignment.statement {
            self.body.line(statement);
        }
    }
}
