//! Jagged arrays: pointers to the arrays of a sequence, and an array with their lengths.

use super::ArgumentKind;
use crate::params::{define_param_of, define_struct_array, numpy_type};
use crate::steps::Printer;
use crate::stub::written;
use fishplate_emit::{Body, Names, c_string, c_type};
use fishplate_model::VariableId;
use fishplate_plan::{Access, Acquire, Crossing, Jagged, Value, Variable};

/// The word for rows of these elements in the names of the runtime.
fn family(jagged: &Jagged) -> &'static str {
    match jagged.element {
        Value::Struct(_) => "structs",
        _ => "array",
    }
}

impl ArgumentKind for Jagged {
    fn declare_value(&self, _: &Variable, local: &str) -> String {
        format!("fp_array {local}")
    }

    fn declare(&self, names: &Names, index: VariableId, body: &mut Body) {
        body.declare(format!("fp_array {}", names.local(index)));
        if let Some((declared, _)) = names.terminator(index) {
            body.declare(declared);
        }
    }

    fn define_param(&self, names: &Names, index: VariableId) -> String {
        match &self.element {
            Value::Struct(class) => define_struct_array(names, index, class),
            _ => define_param_of(names, index, &self.dtype()),
        }
    }

    fn dtype(&self) -> String {
        match &self.element {
            Value::Number(scalar) => numpy_type(*scalar),
            _ => "FP_TYPE_STRUCT".to_owned(),
        }
    }

    fn acquire(&self, printer: &mut Printer, step: &Acquire) {
        let &Acquire { variable: index, parameter, .. } = step;
        let (local, param) = (printer.names.local(index), printer.names.param(index));
        let how = match Access::of(printer.names.call.variables[index].intent) {
            Access::InPlace => "inplace",
            Access::Exclusive => "inout",
            Access::Read | Access::Copy => "in",
        };
        let family = family(self);
        let test = match printer.names.terminator(index) {
            Some((_, end)) => {
                let set = printer.names.set_terminator(index);
                set.iter().for_each(|line| printer.body.line(line));
                format!(
                    "!fp_take_terminated_rows(&{local}, fp_args[{parameter}], fp_{family}_{how}_row, &{end}, \
                     sizeof({end}), &{param})"
                )
            }
            None => format!(
                "!fp_take_rows(&{local}, fp_args[{parameter}], fp_{family}_{how}_row, &{param})"
            ),
        };
        printer.acquire_array(step, &test);
    }

    fn release(&self, local: &str) -> (String, String) {
        match self.lengths {
            Some(_) => (local.to_owned(), format!("fp_release_jagged(&{local});")),
            None => (local.to_owned(), format!("fp_release(&{local});")),
        }
    }

    fn argument(&self, printer: &Printer, index: VariableId) -> String {
        printer.data_argument(index)
    }

    fn write_back(&self, printer: &mut Printer, index: VariableId) {
        let (local, param) = (printer.names.local(index), printer.names.param(index));
        printer.must(&format!("fp_{}_rows_back(&{local}, &{param})", family(self)));
    }

    fn accepted(&self, variable: &Variable, array_like: &str) -> String {
        let row = match &self.element {
            _ if variable.intent.writes_caller() => written(&variable.ctype),
            Value::Struct(class) => {
                format!(
                    "npt.NDArray[np.void] | Sequence[{} | tuple[Any, ...] | dict[str, Any]]",
                    class.name
                )
            }
            _ => array_like.to_owned(),
        };
        format!("Sequence[{row}]")
    }

    fn description(&self, variable: &Variable) -> String {
        format!("sequence of arrays of {}, length {}", variable.ctype.text(), self.length.shown())
    }
}

impl Printer<'_, '_> {
    /// Stores the lengths of strings, or of the rows of the first jagged array, and compares those of the others.
    pub(crate) fn find_lengths(&mut self, index: VariableId, rows: &[VariableId]) {
        let names = self.names;
        let [first, others @ ..] = rows else { return };
        let variable = &names.call.variables[index];
        let function = match names.call.variables[*first].crossing {
            Crossing::List(_) => "fp_find_string_lengths",
            _ => "fp_find_lengths",
        };
        let find = format!(
            "{function}(&{}, {}, sizeof({}), &{}, {}, &{})",
            names.local(index),
            numpy_type(variable.ctype.scalar()),
            c_type(&variable.ctype),
            names.local(*first),
            c_string(&variable.name),
            names.param(*first),
        );
        self.must(&find);
        for other in others {
            let check = format!(
                "fp_check_lengths(&{}, &{}, {}, &{})",
                names.local(*other),
                names.local(*first),
                c_string(&variable.name),
                names.param(*other),
            );
            self.must(&check);
        }
    }
}
