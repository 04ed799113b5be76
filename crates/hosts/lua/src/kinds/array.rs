//! Arrays: tensors of the caller, or allocated ones, measured and filled.

use super::{ArgumentKind, Passed, PassedKind, PointeeKind, kind};
use crate::params::{dtype, stack_index};
use crate::steps::Printer;
use fishplate_emit::{Body, Names, c_string, c_type, dimension, parameter_declaration};
use fishplate_model::{Callee, Expr, Intent, ParameterId, ValueRule, VariableId};
use fishplate_plan::{Access, Acquire, Array, FromC, Memory, Place, Step, Undo, Value, Variable};

impl ArgumentKind for Array {
    fn declare(&self, names: &Names, index: VariableId, body: &mut Body) {
        body.declare(format!("fp_array {}", names.local(index)));
        if self.rows.is_some() {
            body.declare(format!("fp_row_pointers {}", rows(names, index)));
        }
        if let Some((declared, _)) = names.terminator(index) {
            body.declare(declared);
        }
    }

    fn acquire(&self, printer: &mut Printer, step: &Acquire) {
        let &Acquire { variable: index, parameter, .. } = step;
        let (local, param) = (printer.names.local(index), printer.names.param(index));
        let slot = stack_index(parameter);
        let tensor = match printer.chosen {
            true => format!("fp_seen[{parameter}].tensor"),
            false => format!("fp_to_tensor(fp_L, {slot})"),
        };
        let (how, tensor) = match Access::of(printer.names.call.variables[index].intent) {
            Access::Read => ("in", format!("{tensor}, ")),
            Access::InPlace => ("inplace", format!("{tensor}, ")),
            Access::Exclusive => ("inout", format!("{tensor}, ")),
            Access::Copy => ("copy", String::new()),
        };
        let mut take = vec![match (elements(&printer.names.call.variables[index]), how) {
            ("structs", "in" | "copy") => {
                format!("fp_structs_in(fp_L, &{local}, NULL, {slot}, &{param});")
            }
            ("structs", _) => {
                format!("fp_structs_inplace(fp_L, &{local}, NULL, {slot}, &{param});")
            }
            _ => format!("fp_array_{how}(fp_L, &{local}, {tensor}{slot}, &{param});"),
        }];
        if let Some((_, end)) = printer.names.terminator(index) {
            take.extend(printer.names.set_terminator(index));
            take.push(format!("fp_terminate(fp_L, &{local}, &{end}, sizeof({end}));"));
        }
        printer.acquire_array(step, &take);
        printer.prepare_views(index);
    }

    fn allocate(&self, printer: &Printer, index: VariableId, slot: usize) -> String {
        let (local, param) = (printer.names.local(index), printer.names.param(index));
        let of = elements(&printer.names.call.variables[index]);
        let make = if of == "array" && printer.last == Some(index) { "result" } else { "out" };
        format!("fp_{of}_{make}(fp_L, &{local}, {slot}, &{param});")
    }

    fn argument(&self, printer: &Printer, index: VariableId) -> String {
        match self.rows {
            Some(_) => {
                let first = format!("{}.first", rows(printer.names, index));
                printer.pointer_argument(index, &first, &format!("FP_POINTER({first})"))
            }
            None => printer.data_argument(index),
        }
    }

    fn output(&self, printer: &Printer, index: VariableId) -> String {
        let names = printer.names;
        let (local, param) = (names.local(index), names.param(index));
        let truncates =
            |step: &Step| matches!(step, Step::Truncate { variable, .. } if *variable == index);
        if elements(&names.call.variables[index]) == "structs" {
            let intent = names.call.variables[index].intent;
            let what = if intent.is_input() { "struct_copies" } else { "structs" };
            format!("fp_return_{what}(fp_L, &{local}, &{param});")
        } else if names.call.steps.iter().any(truncates) {
            format!("fp_return_rows(fp_L, &{local});")
        } else if names.call.variables[index].intent.writes_caller() {
            format!("fp_return_copy(fp_L, &{local}, &{param});")
        } else {
            let give =
                if printer.last == Some(index) { "fp_return_result" } else { "fp_return_array" };
            format!("{give}(fp_L, &{local});")
        }
    }

    fn is_copied(&self) -> bool {
        matches!(self.element, Value::Struct(_))
    }

    fn write_back(&self, printer: &mut Printer, index: VariableId) {
        let (local, param) = (printer.names.local(index), printer.names.param(index));
        printer.body.line(match elements(&printer.names.call.variables[index]) {
            "structs" => format!("fp_structs_back(fp_L, &{local}, &{param});"),
            _ => format!("fp_write_back(&{local}, &{param});"),
        });
    }

    fn accepted(&self, variable: &Variable) -> String {
        if variable.ctype.structure().is_some() {
            return self.returned(variable);
        }
        let writes = variable.intent.writes_caller() || variable.intent == Intent::Out;
        let word = if writes { "writable" } else { "readable" };
        format!("fishplate.{word}")
    }

    fn returned(&self, variable: &Variable) -> String {
        match variable.ctype.structure() {
            Some(class) => format!("{class}{}", "[]".repeat(variable.rank())),
            None => "fishplate.tensor".to_owned(),
        }
    }
}

impl PointeeKind for Array {
    fn pointed_type(&self) -> String {
        "fishplate.tensor".to_owned()
    }
}

impl PassedKind for Array {
    fn pass(&self, passed: &Passed) -> String {
        let Passed { local, own_param, param, k, arrays, .. } = passed;
        format!(
            "fp_pass_array(fp_L, &fp_frame->fp_borrowed[{arrays}], {local}, {local}shape, &{own_param}, {k}, &{param});"
        )
    }

    fn type_name(&self, _: &Variable<FromC>) -> String {
        "fishplate.tensor".to_owned()
    }
}

/// The word in the runtime's names for the elements: an array of structs is a table of them.
pub(super) fn elements(variable: &Variable) -> &'static str {
    if variable.ctype.structure().is_some() { "structs" } else { "array" }
}

/// The variable with the pointers to the rows of an array.
fn rows(names: &Names, index: VariableId) -> String {
    format!("{}rows", names.stem(index))
}

impl Printer<'_, '_> {
    /// `take` if the caller passed an array; otherwise an array of its default, or NULL.
    pub(super) fn acquire_array(&mut self, step: &Acquire, take: &[String]) {
        let &Acquire { variable, parameter, ref absent, .. } = step;
        let names = self.names;
        let (local, param) = (names.local(variable), names.param(variable));
        self.given(parameter, take, absent, |printer, default| match default {
            Some(fill) => {
                printer.shape(variable);
                let allocate = kind(&names.call.variables[variable]).allocate(printer, variable, 0);
                printer.body.line(allocate);
                printer.fill(variable, fill);
            }
            None => printer.body.line(format!("fp_array_null(&{local}, &{param});")),
        });
    }

    /// A copy of an array that C may look at after the call must be where it can be retained.
    pub(super) fn prepare_views(&mut self, variable: VariableId) {
        let names = self.names;
        if names.call.outlives(variable) {
            let (local, param) = (names.local(variable), names.param(variable));
            self.body.line(format!("fp_prepare_views(fp_L, &{local}, &{param});"));
        }
    }

    /// C for the memory of an array as an argument.
    pub(super) fn data_argument(&self, index: VariableId) -> String {
        let local = self.names.local(index);
        self.pointer_argument(index, &format!("{local}.data"), &format!("FP_DATA({local})"))
    }

    /// C for a pointer of type `void *` as an argument; `of_any_type` is converted to other types by C++ as well.
    fn pointer_argument(&self, index: VariableId, pointer: &str, of_any_type: &str) -> String {
        let call = self.names.call;
        match call.callee {
            // C++ makes no typed pointer of any other by itself.
            Callee::Function if call.throws => of_any_type.to_owned(),
            Callee::Function => pointer.to_owned(),
            // A macro may apply an operation to it that only a typed pointer allows.
            _ => {
                let typed = parameter_declaration(&call.variables[index], "");
                format!("(({typed}){pointer})")
            }
        }
    }

    /// Stores pointers to the rows of an array.
    pub(crate) fn point_to_rows(&mut self, index: VariableId) {
        let (local, param) = (self.names.local(index), self.names.param(index));
        let rows = rows(self.names, index);
        self.body.line(format!("fp_point_to_rows(fp_L, &{rows}, &{local}, &{param});"));
    }

    /// Finds an integer in the shapes of arrays; zero where none is given.
    pub(crate) fn find_dimension(&mut self, variable: VariableId, places: &[Place]) {
        let names = self.names;
        let found = &names.call.variables[variable];
        for (index, place) in places.iter().enumerate() {
            let array = names.local(place.array);
            let find = format!(
                "fp_find_dim(fp_L, &{}, {}, {array}.shape[{}], {}, {}, &{});",
                names.local(variable),
                dtype(found.ctype.scalar()),
                place.axis,
                place.axis,
                c_string(&found.name),
                names.param(place.array),
            );
            if !names.call.variables[place.array].nullable {
                self.body.line(find);
                return;
            }
            let head = if index == 0 { "if" } else { "else if" };
            self.body.block(format!("{head} ({array}.data != NULL)"), |body| body.line(find));
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
        self.body.line(format!(
            "fp_check_dim(fp_L, &{}, {axis}, {}, {text}, &{});",
            names.local(variable),
            dimension(expected, names),
            names.param(variable),
        ));
    }

    /// Checks the values of an array of integers.
    pub(crate) fn check_values(&mut self, variable: VariableId, rule: &ValueRule) {
        let check = self.names.values_check(variable, rule, "fp_L, ");
        self.body.line(format!("{check};"));
    }

    pub(crate) fn make(
        &mut self,
        variable: VariableId,
        buffer: Option<ParameterId>,
        memory: Memory,
    ) {
        let names = self.names;
        let (local, param) = (names.local(variable), names.param(variable));
        self.shape(variable);
        let slot = buffer.map_or(0, stack_index);
        let make = match memory {
            Memory::Scratch => format!("fp_array_scratch(fp_L, &{local}, &{param});"),
            Memory::Result => kind(&names.call.variables[variable]).allocate(self, variable, slot),
        };
        self.body.line(make);
        if memory == Memory::Scratch {
            self.prepare_views(variable);
        }
        if buffer.is_some() {
            self.keep_apart(variable, slot);
        }
    }

    /// Sets the shape of an array that is to be made.
    fn shape(&mut self, variable: VariableId) {
        for statement in self.names.set_shape(variable) {
            self.body.line(statement);
        }
    }

    /// Sets all elements of an array that we made to a value.
    pub(crate) fn fill(&mut self, variable: VariableId, to: &Expr) {
        let names = self.names;
        let (local, param) = (names.local(variable), names.param(variable));
        let element = format!("{local}element");
        let ctype = c_type(&names.call.variables[variable].ctype);
        self.nested("", |printer| {
            printer.body.line(format!("{ctype} {element};"));
            printer.assign(variable, &element, to);
            let fill = match elements(&names.call.variables[variable]) {
                "structs" => "fp_fill_structs",
                _ => "fp_fill",
            };
            printer.body.line(format!("{fill}(&{local}, &{element}, &{param});"));
        });
    }

    /// Keeps as many rows as C has filled.
    pub(crate) fn truncate(&mut self, variable: VariableId, length: &Expr) {
        self.body.line(format!(
            "fp_truncate(fp_L, &{}, {}, {}, &{});",
            self.names.local(variable),
            dimension(length, self.names),
            c_string(&length.shown().to_string()),
            self.names.param(variable)
        ));
    }

    /// The caller's buffer must not share memory with the arrays that have been taken.
    fn keep_apart(&mut self, variable: VariableId, slot: usize) {
        let names = self.names;
        let others: Vec<String> = self
            .undos
            .iter()
            .filter_map(|undo| match undo {
                Undo::Release(other) if names.call.variables[*other].is_array() => {
                    Some(format!("&{}", names.local(*other)))
                }
                _ => None,
            })
            .collect();
        if others.is_empty() {
            return;
        }
        let (local, param) = (self.names.local(variable), self.names.param(variable));
        let (list, count) = (others.join(", "), others.len());
        self.body.block(format!("if (fp_is_present(fp_L, {slot}))"), |body| {
            body.line(format!("const fp_array *const fp_others[] = {{{list}}};"));
            body.line(format!("fp_keep_apart(fp_L, &{local}, &{param}, fp_others, {count});"));
        });
    }
}
