//! Results: each output as a new reference, a single one or several in a tuple.

use super::Printer;
use crate::kinds::{from_value, kind};
use fishplate_plan::{Output, Returns};

/// The variable of C's result.
const RESULT: &str = "fp_c_result";

impl Printer<'_, '_> {
    /// Sets `fp_result`: one value as it is, several as a tuple, none as None.
    pub(super) fn results(&mut self) {
        let outputs = &self.names.call.outputs;
        match outputs.as_slice() {
            [] => {
                self.body.line("fp_result = Py_NewRef(Py_None);");
            }
            [output] => {
                let expr = self.output(*output);
                self.body.line(format!("fp_result = {expr};"));
            }
            outputs => {
                for (index, output) in outputs.iter().enumerate() {
                    let expr = self.output(*output);
                    self.body.line(format!("fp_items[{index}] = {expr};"));
                }
                self.body.line(format!("fp_result = fp_tuple(fp_items, {});", outputs.len()));
            }
        }
    }

    /// C for a new reference to an output; it may be NULL with an exception set.
    fn output(&self, output: Output) -> String {
        let names = self.names;
        if let Some(map) = self.map {
            let index = match output {
                Output::Result => names.call.result_index(),
                Output::Argument(index) => index,
            };
            let given = self.array_output(index);
            return match self.ragged {
                Some(_) => {
                    format!("fp_ragged_return(&fp_batch, {}, {given})", map.operand_index(index))
                }
                None => given,
            };
        }
        match (output, &names.call.result) {
            (Output::Argument(index), _) => kind(&names.call.variables[index]).output(self, index),
            (Output::Result, Returns::Pointer(_)) => self.pointer_output(output),
            (Output::Result, result) => {
                result.value().map_or(String::new(), |value| from_value(value, RESULT))
            }
        }
    }
}
