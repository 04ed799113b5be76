//! Arrays of numbers and structs: acquired from the caller or allocated, measured, filled and written back.

use super::{ArgumentKind, PassedKind, PointeeKind, kind};
use crate::item::ItemPrinter;
use crate::params::{define_param_of, define_struct_array, enum_dtype, numpy_type};
use crate::steps::{Cleanup, Printer};
use crate::stub::{INTEGERS, array_of, numbers, written};
use fishplate_emit::{
    Body, Names, OutPointerNames, c_string, c_type, dimension, parameter_declaration,
};
use fishplate_model::{Callee, Device, Expr, Intent, ParameterId, ValueRule, VariableId};
use fishplate_plan::{
    Access, Acquire, Array, BatchStep, FromC, Memory, OutPointer, Output, Place, Step, Undo, Value,
    Variable,
};

impl ArgumentKind for Array {
    fn declare_value(&self, _: &Variable, local: &str) -> String {
        format!("fp_array {local}")
    }

    fn declare(&self, names: &Names, index: VariableId, body: &mut Body) {
        body.declare(format!("fp_array {}", names.local(index)));
        if self.rows.is_some() {
            body.declare(format!("fp_row_pointers {}", rows(names, index)));
        }
        if let Some((declared, _)) = names.terminator(index) {
            body.declare(declared);
        }
    }

    fn define_param(&self, names: &Names, index: VariableId) -> String {
        let param = match &self.element {
            Value::Struct(class) => define_struct_array(names, index, class),
            Value::Enum(_) => {
                define_param_of(names, index, &enum_dtype(&names.call.variable(index).ctype))
            }
            _ => define_param_of(names, index, &self.dtype()),
        };
        match recycles(names, index) {
            true => format!("{param}\nstatic fp_spares {}_spares;", names.param(index)),
            false => param,
        }
    }

    fn dtype(&self) -> String {
        match &self.element {
            Value::Number(scalar) => numpy_type(*scalar),
            _ => "FP_TYPE_STRUCT".to_owned(),
        }
    }

    fn acquire(&self, printer: &mut Printer, step: &Acquire) {
        printer.take(step);
    }

    fn allocate(&self, printer: &Printer, index: VariableId, array: &str, buffer: &str) -> String {
        let names = printer.names;
        let param = names.param(index);
        if recycles(names, index) {
            return format!("fp_array_out_again({array}, {buffer}, &{param}, &{param}_spares)");
        }
        let family = family(names.call.variable(index));
        format!("fp_{family}_out({array}, {buffer}, &{param})")
    }

    fn argument(&self, printer: &Printer, index: VariableId) -> String {
        match self.rows {
            Some(_) => {
                printer.pointer_argument(index, &format!("{}.first", rows(printer.names, index)))
            }
            None => printer.data_argument(index),
        }
    }

    fn item_argument(&self, item: &ItemPrinter, index: VariableId) -> String {
        if item.variable(index).intent == Intent::Hidden {
            return format!("FP_POINTER({})", item.room(index));
        }
        let address = item.address(index);
        match item.test_given(index) {
            Some(given) => format!("FP_POINTER({given} ? {address} : NULL)"),
            None => format!("FP_POINTER({address})"),
        }
    }

    fn output(&self, printer: &Printer, index: VariableId) -> String {
        printer.array_output(index)
    }

    fn write_back(&self, printer: &mut Printer, index: VariableId) {
        match &self.element {
            Value::Struct(_) => {
                let back = format!("fp_structs_back(&{})", printer.names.local(index));
                printer.must(&back);
            }
            _ => printer.write_back_array(index),
        }
    }

    fn accepted(&self, variable: &Variable, array_like: &str) -> String {
        match &self.element {
            _ if variable.intent.writes_caller() => written(&variable.ctype),
            Value::Struct(class) => {
                format!(
                    "npt.NDArray[np.void] | Sequence[{} | tuple[Any, ...] | dict[str, Any]]",
                    class.name
                )
            }
            _ => array_like.to_owned(),
        }
    }

    fn returned(&self, variable: &Variable) -> String {
        array_of(&variable.ctype)
    }

    /// `array of float64, shape (m, n), in Fortran order`
    fn description(&self, variable: &Variable) -> String {
        let dims: Vec<String> =
            self.shape.iter().map(|dimension| dimension.shown().to_string()).collect();
        let comma = if dims.len() == 1 { "," } else { "" };
        let order = if variable.is_fortran() { ", in Fortran order" } else { "" };
        let of = variable.ctype.text();
        format!("array of {of}, shape ({}{comma}){order}", dims.join(", "))
    }
}

impl PointeeKind for Array {
    fn pointed_type(&self, pointer: &OutPointer) -> String {
        array_of(&pointer.ctype)
    }

    fn receive(&self, printer: &mut Printer, one: &OutPointerNames) {
        match (one.returned.is_copied(), one.returned.is_owned()) {
            (true, _) => printer.receive_copied(one),
            (false, true) => printer.receive_owned(one),
            (false, false) => printer.receive_borrowed(one),
        }
    }
}

impl PassedKind for Array {
    fn pass(&self, names: &Names<FromC>, index: VariableId, k: usize, param: &str) -> String {
        let (local, of) = (names.local(index), names.param(index));
        format!("fp_pass_array({local}, {local}shape, &{of}, {k}, &{param})")
    }

    fn type_name(&self) -> String {
        match &self.element {
            Value::Number(scalar) => numbers(*scalar),
            Value::Enum(_) => INTEGERS.to_owned(),
            _ => "npt.NDArray[np.void]".to_owned(),
        }
    }
}

/// C that sets the shape of the array at an address, and gives the address, if there is a function for so many
/// dimensions.
pub(crate) fn set_shape(address: &str, shape: &[String]) -> Option<String> {
    let (rank, values) = (shape.len(), shape.join(", "));
    (1..=3).contains(&rank).then(|| format!("fp_shape_{rank}({address}, {values})"))
}

/// The variable with the pointers to the rows of an array.
fn rows(names: &Names, index: VariableId) -> String {
    format!("{}rows", names.stem(index))
}

/// The call may return an array of an earlier one. Items of a batch have one array, which is not small.
fn recycles(names: &Names, index: VariableId) -> bool {
    let (call, variable) = (names.call, names.call.variable(index));
    let is_allocated = variable.intent == Intent::Out && !variable.has_structs();
    call.recycles && is_allocated && call.mapped.is_none() && call.device == Device::Cpu
}

/// The word for arrays of these elements in the names of the runtime.
fn family(variable: &Variable) -> &'static str {
    if variable.has_structs() { "structs" } else { "array" }
}

impl Printer<'_, '_> {
    /// Acquires an array of numbers or structs, or, in a batched call, the values of a scalar.
    pub(crate) fn take(&mut self, step: &Acquire) {
        let &Acquire { variable, parameter, .. } = step;
        let names = self.names;
        let of = names.call.variable(variable);
        let (local, param) = (names.local(variable), names.param(variable));
        let how = match (Access::of(of.intent), self.map.is_some()) {
            (Access::Read, _) => "in",
            (Access::InPlace, _) => "inplace",
            (Access::Exclusive, _) => "inout",
            (Access::Copy, false) => "copy",
            (Access::Copy, true) => "source",
        };
        let test = match self.map.map(|map| map.operand(variable)) {
            Some(operand) => {
                format!("!fp_map_{how}(&{local}, &{operand}, fp_args[{parameter}], &{param})")
            }
            None if names.call.device != Device::Cpu => {
                format!("!fp_device_array(&{local}, fp_args[{parameter}], &{param})")
            }
            None => {
                let family = family(of);
                format!("!fp_{family}_{how}(&{local}, fp_args[{parameter}], &{param})")
            }
        };
        let test = match names.terminator(variable) {
            Some((_, end)) => {
                names.set_terminator(variable).iter().for_each(|line| self.body.line(line));
                format!("({test} || !fp_terminate(&{local}, &{end}, sizeof({end})))")
            }
            None => test,
        };
        self.acquire_array(step, &test);
        // A copy of an array that C may look at after the call must be where it can be retained.
        if of.is_array() && names.call.outlives(variable) {
            self.must(&format!("fp_prepare_views(&{local}, &{param})"));
        }
    }

    /// `test` if the caller passed an array; otherwise an array of its default, or NULL.
    pub(super) fn acquire_array(&mut self, step: &Acquire, test: &str) {
        let &Acquire { variable, parameter, ref absent, .. } = step;
        let names = self.names;
        let of = names.call.variable(variable);
        let (local, param) = (names.local(variable), names.param(variable));
        let operand = self.map.map(|map| map.operand(variable));
        self.given(parameter, test, absent, |printer, default| {
            match (default.filter(|_| of.is_array()), &operand) {
                (Some(_), Some(operand)) if printer.ragged.is_some() => {
                    printer.left_out(variable, operand);
                }
                (Some(fill), None) => {
                    let array = printer.shaped(variable);
                    let allocate = kind(of).allocate(printer, variable, &array, "NULL");
                    printer.must(&allocate);
                    printer.fill(variable, fill);
                }
                (Some(fill), Some(operand)) => {
                    let array = printer.shaped(variable);
                    printer.must(&format!("fp_map_default({array}, &{operand}, &{param})"));
                    printer.fill(variable, fill);
                    printer.body.line(format!("fp_map_one(&{local}, &{operand}, &{param});"));
                }
                (None, None) => printer.must(&format!("fp_array_null(&{local}, &{param})")),
                (None, Some(operand)) => {
                    printer.must(&format!("fp_map_null(&{local}, &{operand}, &{param})"));
                }
            }
        });
    }

    /// C for the memory of an array as an argument.
    pub(super) fn data_argument(&self, index: VariableId) -> String {
        self.typed(index, format!("FP_DATA({})", self.names.local(index)))
    }

    /// C for a pointer as an argument.
    fn pointer_argument(&self, index: VariableId, pointer: &str) -> String {
        self.typed(index, format!("FP_POINTER({pointer})"))
    }

    fn typed(&self, index: VariableId, pointer: String) -> String {
        let call = self.names.call;
        match call.callee {
            Callee::Function => pointer,
            // A macro may apply an operation to it that only a typed pointer allows.
            _ => format!("(({}){pointer})", parameter_declaration(&call.variables[index], "")),
        }
    }

    /// The variable with the pointers to the rows of an array.
    pub(crate) fn rows(&self, index: VariableId) -> String {
        rows(self.names, index)
    }

    /// Stores pointers to the rows of an array.
    pub(crate) fn point_to_rows(&mut self, index: VariableId) {
        let (local, param) = (self.names.local(index), self.names.param(index));
        let point = format!("fp_point_to_rows(&{}, &{local}, &{param})", self.rows(index));
        self.must(&point);
    }

    /// Finds an integer in the shapes of arrays; zero where none is given.
    pub(crate) fn find_dimension(&mut self, variable: VariableId, places: &[Place]) {
        let names = self.names;
        let found = &names.call.variables[variable];
        for (index, place) in places.iter().enumerate() {
            let array = names.local(place.array);
            let find = format!(
                "fp_find_dim(&{}, {}, {array}.shape[{}], {}, {}, &{})",
                names.local(variable),
                numpy_type(found.ctype.scalar()),
                place.axis,
                place.axis,
                c_string(&found.name),
                names.param(place.array),
            );
            if !names.call.variables[place.array].nullable {
                self.must(&find);
                return;
            }
            let head = if index == 0 { "if" } else { "else if" };
            let failure = self.failure();
            self.body.block(format!("{head} ({array}.data != NULL)"), |body| {
                body.when(format!("!{find}"), &failure);
            });
        }
        self.nested("else", |printer| kind(found).set(printer, variable, None));
    }

    /// Checks that the extent of an array along an axis has the value of an expression.
    pub(crate) fn check_dimension(&mut self, variable: VariableId, axis: usize, expected: &Expr) {
        let names = self.names;
        let text = match expected.as_literal() {
            Some(_) => "NULL".to_owned(),
            None => c_string(&expected.shown().to_string()),
        };
        self.must(&format!(
            "fp_check_dim(&{}, {axis}, {}, {text}, &{})",
            names.local(variable),
            dimension(expected, names),
            names.param(variable),
        ));
    }

    /// Checks the values of an array of integers.
    pub(crate) fn check_values(&mut self, variable: VariableId, rule: &ValueRule) {
        let check = self.names.values_check(variable, rule, "");
        self.must(&check);
    }

    /// C for the address of an array that is to be made, whose shape is set.
    fn shaped(&mut self, variable: VariableId) -> String {
        let names = self.names;
        let address = format!("&{}", names.local(variable));
        set_shape(&address, &names.shape(variable)).unwrap_or_else(|| {
            for statement in names.set_shape(variable) {
                self.body.line(statement);
            }
            address
        })
    }

    pub(crate) fn make(
        &mut self,
        variable: VariableId,
        buffer: Option<ParameterId>,
        memory: Memory,
    ) {
        let names = self.names;
        let of = names.call.variable(variable);
        let param = names.param(variable);
        let array = match self.ragged {
            None if of.is_array() => self.shaped(variable),
            _ => format!("&{}", names.local(variable)),
        };
        let slot = buffer;
        let buffer = buffer.map_or("NULL".to_owned(), |slot| format!("fp_args[{slot}]"));
        let call = match (memory, self.map) {
            (Memory::Scratch, None) => format!("fp_array_scratch({array}, &{param})"),
            (Memory::Scratch, Some(_)) => {
                format!("fp_map_scratch(&fp_batch, {array}, &{param})")
            }
            (Memory::Result, None) if names.call.device == Device::Cpu => {
                kind(of).allocate(self, variable, &array, &buffer)
            }
            (Memory::Result, None) => format!("fp_device_out({array}, {buffer}, &{param})"),
            (Memory::Result, Some(map)) if self.ragged.is_some() => {
                format!("fp_ragged_out(&fp_batch, {}, {buffer})", map.operand_index(variable))
            }
            (Memory::Result, Some(map)) => {
                let operand = map.operand(variable);
                format!("fp_map_out({array}, &{operand}, &fp_batch, {buffer}, &{param})")
            }
        };
        self.must(&call);
        if let Some(slot) = slot {
            self.keep_apart(variable, slot);
        }
    }

    /// The caller's buffer must not share memory with the arrays that have been taken.
    fn keep_apart(&mut self, variable: VariableId, slot: ParameterId) {
        let call = self.names.call;
        let is_plain = self.map.is_none() && call.device == Device::Cpu;
        if !is_plain || call.variable(variable).has_structs() {
            return;
        }
        let others: Vec<String> = self
            .undos
            .iter()
            .filter_map(|(_, undo, _)| match undo {
                Cleanup::Of(Undo::Release(other))
                    if *other != variable && call.variables[*other].is_array() =>
                {
                    Some(format!("&{}", self.names.local(*other)))
                }
                _ => None,
            })
            .collect();
        if others.is_empty() {
            return;
        }
        let (local, param) = (self.names.local(variable), self.names.param(variable));
        let (list, count) = (others.join(", "), others.len());
        let failure = self.failure();
        self.body.when(
            format!(
                "FP_UNLIKELY(fp_is_present(fp_args[{slot}])) && !fp_keep_apart_from(&{local}, &{param}, {count}, {list})"
            ),
            &failure,
        );
    }

    /// Sets all elements of an array that we made to a value.
    pub(crate) fn fill(&mut self, variable: VariableId, to: &Expr) {
        let names = self.names;
        let of = &names.call.variables[variable];
        let (local, param) = (names.local(variable), names.param(variable));
        let element = format!("{local}element");
        let structs = if of.has_structs() { "structs_" } else { "" };
        let ctype = c_type(&of.ctype);
        // A comma in braces would end an argument of the macro.
        if let Some(value) = names.plain_value(variable, to).filter(|value| !value.contains('{')) {
            let fill = format!("FP_FILL(fp_{structs}fill, &{local}, {ctype}, {value}, &{param});");
            self.body.line(fill);
            return;
        }
        self.nested("", |printer| {
            printer.body.line(format!("{ctype} {element};"));
            printer.assign(variable, &element, to);
            printer.body.line(format!("fp_{structs}fill(&{local}, &{element}, &{param});"));
        });
    }

    /// Copies the changes that C has made in a copy to the caller's array.
    pub(crate) fn write_back_array(&mut self, variable: VariableId) {
        if self.giving(variable) == "fp_return_written" {
            return;
        }
        let (local, param) = (self.names.local(variable), self.names.param(variable));
        self.body.line(format!("fp_write_back(&{local}, &{param});"));
    }

    /// C for a new reference to an array that is an output.
    pub(crate) fn array_output(&self, index: VariableId) -> String {
        let (local, param) = (self.names.local(index), self.names.param(index));
        match self.giving(index) {
            "fp_return_array" => format!("fp_return_array(&{local})"),
            give => format!("{give}(&{local}, &{param})"),
        }
    }

    /// The function that gives an array as an output.
    fn giving(&self, index: VariableId) -> &'static str {
        let call = self.names.call;
        let truncates =
            |step: &Step| matches!(step, Step::Truncate { variable, .. } if *variable == index);
        if call.steps.iter().any(truncates) {
            "fp_return_rows"
        } else if call.variable(index).intent.writes_caller() {
            "fp_return_copy"
        } else if self.is_written_last(index) {
            "fp_return_written"
        } else {
            "fp_return_array"
        }
    }

    /// True if an array is the only result, and returned immediately after C's changes are written
    /// back.
    fn is_written_last(&self, array: VariableId) -> bool {
        let call = self.names.call;
        let is_returned = match call.outputs.as_slice() {
            [Output::Argument(index)] => *index == array,
            [Output::Result] => self.map.is_some() && call.result_index() == array,
            _ => false,
        };
        let last = match self.batch_steps() {
            Some([.., BatchStep::Once(step)]) => Some(step),
            Some(_) => None,
            None => call.steps.last(),
        };
        is_returned
            && matches!(last, Some(Step::WriteBack { variable }) if *variable == array)
            && !call.variable(array).has_structs()
    }

    /// Keeps as many rows as C has filled.
    pub(crate) fn truncate(&mut self, variable: VariableId, length: &Expr) {
        let names = self.names;
        let call = format!(
            "fp_truncate(&{}, {}, {}, &{})",
            names.local(variable),
            dimension(length, names),
            c_string(&length.shown().to_string()),
            names.param(variable)
        );
        self.must(&call);
    }
}
