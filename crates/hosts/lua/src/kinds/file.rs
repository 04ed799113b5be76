//! Files: C has the stream of a file of Lua's `io` library.

use super::ArgumentKind;
use crate::params::parameter_name;
use crate::steps::Printer;
use fishplate_emit::{Body, Names, c_string, value};
use fishplate_model::{Expr, VariableId};
use fishplate_plan::{Acquire, Variable};

/// `FILE *f`
pub(super) struct File;

impl ArgumentKind for File {
    fn declare(&self, names: &Names, index: VariableId, body: &mut Body) {
        body.declare(format!("FILE *{}", names.local(index)));
    }

    fn define_param(&self, names: &Names, index: VariableId) -> String {
        format!(
            "static const fp_param {} = {{FP_ARGUMENT({}, {}), FP_TYPE_FILE, FP_ONE_VALUE}};",
            names.table(index),
            c_string(names.function),
            c_string(parameter_name(names, index)),
        )
    }

    fn acquire(&self, printer: &mut Printer, step: &Acquire) {
        printer.read_value("fp_read_file", step);
    }

    fn set(&self, printer: &mut Printer, index: VariableId, to: Option<&Expr>) {
        let stream = to.map_or("NULL".to_owned(), |expr| value(expr, printer.names));
        printer.body.line(format!("{} = {stream};", printer.names.local(index)));
    }

    fn release(&self, _: &mut Printer, _: VariableId) {}

    fn returned(&self, _: &Variable) -> String {
        "file*".to_owned()
    }
}
