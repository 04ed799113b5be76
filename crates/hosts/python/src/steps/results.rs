//! What comes back: each output as a new reference, one alone or several in a tuple.

use super::Printer;
use super::classes::from_value;
use crate::handles::makes_handle;
use fishplate_model::VariableId;
use fishplate_plan::{Crossing, Output, Returns};

impl Printer<'_, '_> {
    /// Sets `fp_result`: one value as it is, several as a tuple, none as None.
    pub(super) fn results(&mut self) {
        let outputs = &self.names.call.outputs;
        match outputs.as_slice() {
            [] => {
                self.body.line("fp_result = Py_None;");
                self.body.line("Py_INCREF(fp_result);");
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

    /// C for a new reference to an array that is an output.
    fn given_array(&self, index: VariableId) -> String {
        let (local, param) = (self.names.local(index), self.names.param(index));
        match self.names.call.variable(index).crossing {
            Crossing::Bytes(_) => return format!("fp_give_bytes(&{local})"),
            Crossing::StringBuffer(_) => return format!("fp_give_text(&{local}, &{param})"),
            _ => {}
        }
        if self.is_cut(index) {
            format!("fp_give_rows(&{local}, &{param})")
        } else if self.names.call.variable(index).intent.writes_caller() {
            format!("fp_give_copy(&{local}, &{param})")
        } else {
            format!("fp_give(&{local})")
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
            let given = self.given_array(index);
            return match self.ragged {
                Some(_) => {
                    format!("fp_ragged_give(&fp_ragged_, {}, {given})", map.operand_index(index))
                }
                None => given,
            };
        }
        if makes_handle(names.call, output) {
            return self.give_handle(output);
        }
        if let Some(handed) = names.handed(output) {
            return format!("fp_give_handed(&{})", handed.object);
        }
        match output {
            Output::Argument(index) => {
                let variable = &names.call.variables[index];
                let local = names.local(index);
                if variable.rank() > 0 {
                    return self.given_array(index);
                }
                let made = from_value(&variable.ctype, local);
                match names.call.parameter_of(index) {
                    Some(parameter) if variable.nullable => {
                        format!("fp_is_given(fp_args[{parameter}]) ? {made} : Py_NewRef(Py_None)")
                    }
                    _ => made,
                }
            }
            Output::Result => match &names.call.result {
                Returns::Value(ctype) | Returns::Status(ctype) => from_value(ctype, "fp_c_result"),
                Returns::Pointer(_) | Returns::Void => {
                    unreachable!("check lets only C results be outputs")
                }
            },
        }
    }
}
