//! Bytes: an array of bytes that is a string in Lua, or a tensor.

use super::{ArgumentKind, Passed, PassedKind, PointeeKind};
use crate::params::stack_index;
use crate::steps::Printer;
use fishplate_emit::{Body, Names};
use fishplate_model::{Intent, VariableId};
use fishplate_plan::{Access, Acquire, FromC, Variable};

/// `bytes const unsigned char x[n]`
pub(super) struct Bytes;

impl ArgumentKind for Bytes {
    fn declare(&self, names: &Names, index: VariableId, body: &mut Body) {
        body.declare(format!("fp_array {}", names.local(index)));
    }

    fn flag(&self) -> Option<&'static str> {
        Some("FP_TAKES_BYTES")
    }

    fn acquire(&self, printer: &mut Printer, step: &Acquire) {
        let &Acquire { variable: index, parameter, .. } = step;
        let (local, param) = (printer.names.local(index), printer.names.param(index));
        let access = Access::of(printer.names.call.variables[index].intent);
        let how = match access {
            Access::Read => "in",
            Access::InPlace | Access::Exclusive => "borrowed",
            Access::Copy => "copy",
        };
        let slot = stack_index(parameter);
        let take = format!("fp_bytes_{how}(fp_L, &{local}, {slot}, &{param});");
        printer.acquire_array(step, &[take]);
        // They are copied only where C changes the copy.
        if access == Access::Copy {
            printer.prepare_views(index);
        }
    }

    fn argument(&self, printer: &Printer, index: VariableId) -> String {
        printer.data_argument(index)
    }

    fn output(&self, printer: &Printer, index: VariableId) -> String {
        format!("fp_return_bytes(fp_L, &{});", printer.names.local(index))
    }

    fn is_copied(&self) -> bool {
        true
    }

    fn accepted(&self, variable: &Variable) -> String {
        let writes = variable.intent.writes_caller() || variable.intent == Intent::Out;
        let tensor = "fishplate.tensor";
        if writes { tensor.to_owned() } else { format!("string|{tensor}") }
    }

    fn returned(&self, _: &Variable) -> String {
        "string".to_owned()
    }
}

impl PointeeKind for Bytes {
    fn pointed_type(&self) -> String {
        "string".to_owned()
    }
}

impl PassedKind for Bytes {
    fn pass(&self, passed: &Passed) -> String {
        let Passed { local, param, k, .. } = passed;
        format!("fp_pass_bytes(fp_L, {local}, {local}shape[0], {k}, &{param});")
    }

    fn type_name(&self, _: &Variable<FromC>) -> String {
        "string".to_owned()
    }
}
