//! Bytes: an array of bytes, for which Python has a type.

use super::{ArgumentKind, PassedKind, PointeeKind};
use crate::steps::Printer;
use fishplate_emit::{Names, OutPointerNames};
use fishplate_model::VariableId;
use fishplate_plan::{Access, Acquire, FromC, OutPointer, Variable};

/// `bytes const unsigned char x[n]`
pub(super) struct Bytes;

impl ArgumentKind for Bytes {
    fn declare_value(&self, _: &Variable, local: &str) -> String {
        format!("fp_array {local}")
    }

    fn dtype(&self) -> String {
        "NPY_STRING".to_owned()
    }

    fn acquire(&self, printer: &mut Printer, step: &Acquire) {
        let &Acquire { variable: index, parameter, .. } = step;
        let (local, param) = (printer.names.local(index), printer.names.param(index));
        let how = match Access::of(printer.names.call.variables[index].intent) {
            Access::Read => "in",
            Access::InPlace | Access::Exclusive => "written",
            Access::Copy => "copy",
        };
        let test = format!("!fp_bytes_{how}(&{local}, fp_args[{parameter}], &{param})");
        printer.acquire_array(step, &test);
    }

    fn allocate(&self, printer: &Printer, index: VariableId, array: &str, _buffer: &str) -> String {
        format!("fp_bytes_out({array}, &{})", printer.names.param(index))
    }

    fn argument(&self, printer: &Printer, index: VariableId) -> String {
        printer.data_argument(index)
    }

    fn output(&self, printer: &Printer, index: VariableId) -> String {
        format!("fp_return_bytes(&{})", printer.names.local(index))
    }

    fn accepted(&self, variable: &Variable, _: &str) -> String {
        let read_only = if variable.intent.writes_caller() { "" } else { "bytes | " };
        format!("{read_only}bytearray | memoryview | npt.NDArray[np.uint8]")
    }

    fn returned(&self, _: &Variable) -> String {
        "bytes".to_owned()
    }
}

impl PassedKind for Bytes {
    fn pass(&self, names: &Names<FromC>, index: VariableId, k: usize, param: &str) -> String {
        let local = names.local(index);
        format!("fp_pass_bytes({local}, {local}shape[0], {k}, &{param})")
    }

    fn type_name(&self) -> String {
        "bytes".to_owned()
    }
}

impl PointeeKind for Bytes {
    fn pointed_type(&self, _: &OutPointer) -> String {
        "bytes".to_owned()
    }

    fn receive(&self, printer: &mut Printer, one: &OutPointerNames) {
        printer.receive_bytes(one);
    }
}
