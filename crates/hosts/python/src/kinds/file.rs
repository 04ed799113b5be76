//! Files: C has a stream on the descriptor of a Python file.

use super::ArgumentKind;
use crate::params::define_param_of;
use crate::steps::Printer;
use fishplate_emit::{Names, value};
use fishplate_model::{Expr, VariableId};
use fishplate_plan::{Acquire, Variable};

/// `FILE *f`
pub(super) struct File;

impl ArgumentKind for File {
    fn declare_value(&self, _: &Variable, local: &str) -> String {
        format!("fp_file {local}")
    }

    fn define_param(&self, names: &Names, index: VariableId) -> String {
        define_param_of(names, index, "FP_TYPE_FILE")
    }

    fn acquire(&self, printer: &mut Printer, step: &Acquire) {
        printer.read_value("fp_open_file", step);
    }

    fn set(&self, printer: &mut Printer, index: VariableId, to: Option<&Expr>) {
        let stream = to.map_or("NULL".to_owned(), |expr| value(expr, printer.names));
        let local = printer.names.local(index);
        printer.body.line(format!("fp_use_stream(&{local}, {stream});"));
    }

    fn release(&self, local: &str) -> (String, String) {
        (local.to_owned(), format!("fp_drop_file(&{local});"))
    }

    fn argument(&self, printer: &Printer, index: VariableId) -> String {
        format!("{}.stream", printer.names.local(index))
    }

    fn write_back(&self, printer: &mut Printer, index: VariableId) {
        let (local, param) = (printer.names.local(index), printer.names.param(index));
        printer.must(&format!("fp_close_file(&{local}, &{param})"));
    }

    fn returned(&self, _: &Variable) -> String {
        "IO[Any]".to_owned()
    }

    fn description(&self, _: &Variable) -> String {
        "open file".to_owned()
    }
}
