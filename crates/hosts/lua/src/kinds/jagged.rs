//! Jagged arrays: pointers to the arrays in a table, and an array with their lengths.

use super::ArgumentKind;
use super::array::elements;
use crate::params::{dtype, stack_index};
use crate::steps::Printer;
use fishplate_emit::{Body, Names, c_string, c_type};
use fishplate_model::VariableId;
use fishplate_plan::{Access, Acquire, Crossing, Jagged, Variable};

impl ArgumentKind for Jagged {
    fn declare(&self, names: &Names, index: VariableId, body: &mut Body) {
        body.declare(format!("fp_array {}", names.local(index)));
        if let Some((declared, _)) = names.terminator(index) {
            body.declare(declared);
        }
    }

    fn acquire(&self, printer: &mut Printer, step: &Acquire) {
        let &Acquire { variable: index, parameter, .. } = step;
        let (local, param) = (printer.names.local(index), printer.names.param(index));
        let of = elements(&printer.names.call.variables[index]);
        let how = match Access::of(printer.names.call.variables[index].intent) {
            Access::Exclusive if of == "array" => "inout",
            Access::InPlace | Access::Exclusive => "inplace",
            Access::Read | Access::Copy => "in",
        };
        let slot = stack_index(parameter);
        let take = match printer.names.terminator(index) {
            Some((_, end)) => {
                let take = format!(
                    "fp_take_terminated_rows(fp_L, &{local}, {slot}, fp_{of}_{how}, &{end}, sizeof({end}), &{param});"
                );
                printer.names.set_terminator(index).into_iter().chain([take]).collect()
            }
            None => {
                vec![format!("fp_take_rows(fp_L, &{local}, {slot}, fp_{of}_{how}, &{param});")]
            }
        };
        printer.acquire_array(step, &take);
    }

    fn release(&self, printer: &mut Printer, index: VariableId) {
        // Copies of rows with terminators belong to Lua.
        if self.lengths.is_some() {
            printer.body.line(format!("fp_release_jagged(fp_L, &{});", printer.names.local(index)));
        }
    }

    fn argument(&self, printer: &Printer, index: VariableId) -> String {
        printer.data_argument(index)
    }

    fn write_back(&self, printer: &mut Printer, index: VariableId) {
        let (local, param) = (printer.names.local(index), printer.names.param(index));
        printer.body.line(match elements(&printer.names.call.variables[index]) {
            "structs" => format!("fp_struct_rows_back(fp_L, &{local}, &{param});"),
            _ => format!("fp_rows_back(&{local}, &{param});"),
        });
    }

    fn accepted(&self, variable: &Variable) -> String {
        if let Some(class) = variable.ctype.structure() {
            return format!("{class}[][]");
        }
        let word = if variable.intent.writes_caller() { "writable" } else { "readable" };
        format!("fishplate.{word}[]")
    }

    fn returned(&self, _: &Variable) -> String {
        "fishplate.tensor[]".to_owned()
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
        self.body.line(format!(
            "{function}(fp_L, &{}, {}, sizeof({}), &{}, {}, &{});",
            names.local(index),
            dtype(variable.ctype.scalar()),
            c_type(&variable.ctype),
            names.local(*first),
            c_string(&variable.name),
            names.param(*first),
        ));
        for other in others {
            self.body.line(format!(
                "fp_check_lengths(fp_L, &{}, &{}, {}, &{});",
                names.local(*other),
                names.local(*first),
                c_string(&variable.name),
                names.param(*other),
            ));
        }
    }
}
