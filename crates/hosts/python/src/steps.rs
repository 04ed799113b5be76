//! Steps as C: each one statement or two, each failure one goto.

mod callbacks;
mod classes;
mod explain;
mod handed;
mod handles;
mod results;

use crate::callbacks::{Called, kept_until};
use crate::handles::{count_locks, makes_handle};
use crate::items::MapNames;
use crate::params::numpy_type;
use crate::ragged;
use fishplate_emit::{Body, Names, c_string, c_type, dimension, failed_status};
use fishplate_model::{CResult, Device, Elements, Expr, Intent, Passing, ScalarClass};
use fishplate_plan::{Absent, Access, Memory, Ragged, Release, Step, Undo};
use std::cell::Cell;

/// Prints a call's steps, from reading its slots to releasing what was acquired.
pub(crate) struct Printer<'a, 'b> {
    names: &'b Names<'a>,
    /// What C calls for each of its callbacks.
    called: &'b [Called],
    /// Where the call stands for many items.
    map: Option<&'b MapNames<'b, 'a>>,
    /// Where these are lists.
    ragged: Option<&'a Ragged>,
    body: Body,
    /// Labels of the undos of what has been acquired so far, with what they release, and whether
    /// anything jumps there.
    undos: Vec<(String, Undo, Cell<bool>)>,
    explained: bool,
}

impl<'a, 'b> Printer<'a, 'b> {
    pub(crate) fn new(names: &'b Names<'a>, called: &'b [Called]) -> Self {
        let body = Body::at_depth(1);
        Printer {
            names,
            called,
            map: None,
            ragged: None,
            body,
            undos: Vec::new(),
            explained: false,
        }
    }

    /// For the steps of a call that stands for many items.
    pub(crate) fn mapped(map: &'b MapNames<'b, 'a>) -> Self {
        Printer { map: Some(map), ..Printer::new(map.names, &[]) }
    }

    /// For the steps of a call over lists, which are open by then.
    pub(crate) fn ragged(map: &'b MapNames<'b, 'a>, ragged: &'a Ragged) -> Self {
        let mut printer = Printer { ragged: Some(ragged), ..Printer::mapped(map) };
        printer.undos.push(("undo_fp_lists".to_owned(), Undo::CloseLists, Cell::new(true)));
        printer
    }

    fn steps(&self) -> &'a [Step] {
        match (self.ragged, self.map) {
            (Some(ragged), _) => &ragged.steps,
            (None, Some(map)) => &map.mapped.steps,
            (None, None) => &self.names.call.steps,
        }
    }

    /// The statements of the whole call; `fp_args` are its slots, `fp_result` is what it returns.
    pub(crate) fn print(mut self) -> String {
        for step in self.steps() {
            let shared = self.shared_slot(step);
            if let Step::Lock { .. } = step {
                // An explanation waits for nobody, and has nothing to leave.
                self.explain();
            }
            if let Some(undo) = step.undo().or(shared.map(Undo::ReleaseArray)) {
                // Whatever state an acquiring function leaves, its own undo fits it.
                let held = self.held(undo);
                let label = format!("undo_{}", held.trim_end_matches('_'));
                self.undos.push((self.unique_label(label), undo, Cell::default()));
            }
            self.step(step);
        }
        self.results();
        for (label, undo, used) in std::mem::take(&mut self.undos).iter().rev() {
            if used.get() {
                self.body.label(label);
            }
            match undo {
                Undo::CloseLists => self.body.line("fp_ragged_end(&fp_ragged_);"),
                Undo::Unlock => {
                    let count = count_locks(self.names.call);
                    self.body.line(format!("fp_leave(fp_locks, {count});"));
                }
                Undo::ReleaseHandle(_) => {
                    self.body.line(format!("fp_drop_handle({});", self.held(*undo)));
                }
                Undo::ReleaseCallback(_) => {
                    self.body.line(format!("fp_free_callback({});", self.held(*undo)));
                }
                Undo::ReleaseHanded(handed) if makes_handle(self.names.call, *handed) => {
                    self.release_handle(*handed);
                }
                Undo::ReleaseHanded(handed) => self.release_handed(*handed),
                _ => self.body.line(format!("fp_release(&{});", self.held(*undo))),
            }
        }
        self.body.line("return fp_result;");
        self.body.into_text()
    }

    /// The variable of a scalar that a mapped call reads once for all items.
    fn shared_slot(&self, step: &Step) -> Option<usize> {
        match step {
            Step::ReadScalar { variable, .. }
                if self.map.is_some()
                    && self.names.call.variables[*variable].ctype.number().is_some() =>
            {
                Some(*variable)
            }
            _ => None,
        }
    }

    /// The `fp_array` that an undo releases.
    fn held(&self, undo: Undo) -> String {
        match undo {
            Undo::CloseLists => "fp_lists".to_owned(),
            Undo::ReleaseHanded(handed) => match self.names.handed(handed) {
                Some(one) => one.object.clone(),
                None => self.made(handed),
            },
            Undo::ReleaseResults => "fp_results".to_owned(),
            Undo::Unlock => "fp_locks".to_owned(),
            Undo::ReleaseHandle(variable) => format!("{}held", self.names.local(variable)),
            Undo::ReleaseCallback(variable) => format!("{}kept", self.names.local(variable)),
            Undo::ReleaseArray(variable) => {
                let local = self.names.local(variable);
                let own = self.names.call.variables[variable].own;
                if self.map.is_some() && !own { format!("{local}one") } else { local.to_owned() }
            }
        }
    }

    fn unique_label(&self, mut label: String) -> String {
        while self.undos.iter().any(|(other, ..)| *other == label) {
            label.push('_');
        }
        label
    }

    fn failure(&self) -> String {
        match self.undos.last() {
            Some((label, _, used)) => {
                used.set(true);
                format!("goto {label};")
            }
            None => "return NULL;".to_owned(),
        }
    }

    fn must(&mut self, call: &str) {
        let failure = self.failure();
        self.body.when(format!("!{call}"), &failure);
    }

    fn step(&mut self, step: &Step) {
        let names = self.names;
        match step {
            Step::ReadScalar { variable, parameter, absent } => {
                self.read(*variable, *parameter, absent, false);
            }
            Step::ReadMutableScalar { variable, parameter, absent } => {
                self.read(*variable, *parameter, absent, true);
            }
            Step::TakeHandle { variable, parameter, absent } => {
                self.take_handle(*variable, *parameter, absent);
            }
            Step::TakeCallback { variable, parameter, absent, .. } => {
                self.take_callback(*variable, *parameter, absent);
            }
            Step::KeepCallback { variable } => self.keep_callback(*variable),
            Step::DropCallbacks { function } => {
                self.body.line(format!("fp_drop_callbacks(&{});", kept_until(function)));
            }
            Step::SetScalar { variable, value } => self.set(*variable, value.as_ref()),
            Step::FindDimension { variable, places } => {
                for (index, place) in places.iter().enumerate() {
                    let array = names.local(place.array);
                    let found = &names.call.variables[*variable];
                    let find = format!(
                        "fp_find_dim(&{}, {}, {array}.shape[{}], {}, {}, &{})",
                        names.local(*variable),
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
                self.nested("else", |printer| printer.set(*variable, None));
            }
            Step::TakeArray { variable, parameter, access, absent } => {
                self.take(*variable, *parameter, *access, absent);
            }
            Step::MakeArray { variable, buffer, memory } => {
                self.make(*variable, *buffer, *memory);
            }
            Step::CheckDimension { variable, axis, expected } => {
                let call = format!(
                    "fp_check_dim(&{}, {axis}, {}, {}, &{})",
                    names.local(*variable),
                    dimension(expected, names),
                    expected
                        .as_literal()
                        .map_or_else(|| c_string(&expected.to_string()), |_| "NULL".to_owned()),
                    names.param(*variable),
                );
                self.must(&call);
            }
            Step::Broadcast => self.broadcast(),
            Step::CopyItems { variable } => self.copy_items(*variable),
            Step::FitLists => self.fit_lists(),
            Step::MakeResults => {
                if let Some(map) = self.map {
                    let index = self.names.call.variables.len();
                    let operand = map.operand(index);
                    if self.ragged.is_some() {
                        let k = map.operand_index(index);
                        self.must(&format!("fp_ragged_out(&fp_ragged_, {k}, NULL)"));
                        return;
                    }
                    let param = &map.result_param;
                    self.must(&format!(
                        "fp_map_out(&fp_results, &{operand}, &fp_map_, NULL, &{param})"
                    ));
                }
            }
            Step::Items { .. } => {
                self.explain();
                let failure = self.failure();
                if let Some(map) = self.map {
                    map.run(self.ragged.is_some(), &mut self.body, &failure);
                }
            }
            Step::Expect { handed } if makes_handle(names.call, *handed) => {
                self.expect_handle(*handed);
            }
            Step::Receive { handed } if makes_handle(names.call, *handed) => {
                self.receive_handle(*handed);
            }
            Step::TakeText { variable, parameter, absent } => {
                self.take_text(*variable, *parameter, absent);
            }
            Step::Query { query } => self.query(query),
            Step::Expect { handed } => self.expect(*handed),
            Step::Receive { handed } => self.receive(*handed),
            Step::Cut { variable, length } => self.cut(*variable, length),
            Step::ReadItem { .. } | Step::Reset { .. } => unreachable!("these are in an item"),
            Step::Lock { variables, module } => self.lock(variables, *module),
            Step::Call { release } => self.call(release),
            Step::CheckStatus if names.call.status.is_some() => {
                let failure = self.failure();
                let told = "FP_UNLIKELY(fp_judged != 0) && !fp_tell_status(fp_judged, &fp_why)";
                self.body.when(told, &failure);
            }
            Step::CheckStatus => {
                let is_unsigned = match &names.call.result {
                    CResult::Status(ctype) => ctype.scalar().class() == ScalarClass::Unsigned,
                    CResult::Value(_) | CResult::Pointer(_) | CResult::Void => false,
                };
                let failure = self.failure();
                self.body.block(failed_status(names.call), |body| {
                    body.line(format!(
                        "fp_bad_status({}, {}, {}, (long long)fp_c_result);",
                        c_string(names.function),
                        c_string(&names.call.c_name),
                        u8::from(is_unsigned),
                    ));
                    body.line(failure);
                });
            }
            Step::FillArray { variable, value } => {
                self.explain();
                self.fill(*variable, value);
            }
            Step::WriteBack { variable }
                if names.call.variables[*variable].ctype.structure().is_some() =>
            {
                self.must(&format!("fp_structs_back(&{})", names.local(*variable)));
            }
            Step::WriteBack { variable } => self.body.line(format!(
                "fp_write_back(&{}, &{});",
                names.local(*variable),
                names.param(*variable)
            )),
            Step::WriteBackScalar { variable, parameter } => {
                let local = names.local(*variable);
                let write = match names.call.variables[*variable].ctype.structure() {
                    Some(_) => self.write_record(*variable, *parameter),
                    None => {
                        format!("fp_write_scalar(fp_args[{parameter}], &{local}, sizeof({local}));")
                    }
                };
                if self.is_optional(*parameter) {
                    self.body.when(format!("fp_is_given(fp_args[{parameter}])"), &write);
                } else {
                    self.body.line(write);
                }
            }
        }
    }

    fn is_optional(&self, parameter: usize) -> bool {
        self.names.call.parameters[parameter].kind != fishplate_plan::ParameterKind::Required
    }

    /// C that is true when the call lets go of the GIL.
    fn releases(&self, release: &Release) -> String {
        let arrays = match release {
            Release::Never => return "0".to_owned(),
            Release::Always => return "1".to_owned(),
            Release::WhenLarge(arrays) => arrays,
        };
        let sizes: Vec<String> = arrays.iter().map(|index| self.names.size_of(*index)).collect();
        let sizes = (!sizes.is_empty()).then(|| format!("{} >= FP_WORK", sizes.join(" + ")));
        let several = self.map.map(|_| format!("{}.count > 1", self.map_name()));
        several.into_iter().chain(sizes).collect::<Vec<_>>().join(" || ")
    }

    /// The `fp_map` of a mapped call.
    fn map_name(&self) -> &'static str {
        if self.ragged.is_some() { "fp_ragged_.map" } else { "fp_map_" }
    }

    fn broadcast(&mut self) {
        let Some(map) = self.map else { return };
        if let Some(ragged) = self.ragged {
            let failure = self.failure();
            ragged::find(map, ragged, &mut self.body, &failure);
            return;
        }
        let inputs = map.input_operands();
        let list: Vec<String> =
            inputs.iter().map(|index| format!("&{}", map.operand(*index))).collect();
        self.nested("", |printer| {
            printer.body.line(format!("fp_operand *const fp_inputs[] = {{{}}};", list.join(", ")));
            printer.must(&format!("fp_broadcast(&fp_map_, fp_inputs, {})", list.len()));
        });
    }

    /// Memory of its own for each item of an input that C changes.
    fn copy_items(&mut self, variable: usize) {
        let Some(map) = self.map else { return };
        let names = self.names;
        let call = names.call;
        let copy = match self.ragged {
            Some(_) => {
                format!("!fp_ragged_copy(&fp_ragged_, {})", map.operand_index(variable))
            }
            None => format!(
                "!fp_map_copy(&{}, &{}, &fp_map_, &{})",
                names.local(variable),
                map.operand(variable),
                names.param(variable)
            ),
        };
        let is_copied = call.variables[variable].intent == Intent::InAndOut;
        let slot = call.parameter_of(variable).unwrap_or_default();
        let failure = self.failure();
        if is_copied && !call.variables[variable].nullable {
            self.body.when(copy, &failure);
        } else {
            let not = if is_copied { "" } else { "!" };
            self.body.when(format!("{not}fp_is_given(fp_args[{slot}]) && {copy}"), &failure);
        }
    }

    fn read(&mut self, variable: usize, parameter: usize, absent: &Absent, mutable: bool) {
        let names = self.names;
        if names.call.variables[variable].ctype.class().is_some() {
            self.read_value(variable, parameter, absent);
            return;
        }
        let scalar = names.call.variables[variable].ctype.scalar();
        let kind = match scalar.class() {
            ScalarClass::Signed | ScalarClass::Unsigned => "integer",
            _ => scalar.dtype_name(),
        };
        let param = names.param(variable);
        let local = names.local(variable);
        let mut slot = format!("fp_args[{parameter}]");
        if let (Some(map), false) = (self.map, mutable) {
            // One number that all items share; an array must hold nothing but that.
            let operand = map.operand(variable);
            let share =
                format!("fp_one = fp_map_share(&{local}one, &{operand}, {slot}, &{param});");
            let failure = self.failure();
            self.body.line(share);
            self.body.when("fp_one == NULL && PyErr_Occurred()", &failure);
            slot = "fp_one".to_owned();
        }
        let read = format!("fp_read_{kind}({slot}, &{local}, &{param})");
        let test = if mutable {
            format!("!fp_check_mutable_scalar(fp_args[{parameter}], &{param}) || !{read}")
        } else {
            format!("!{read}")
        };
        self.given(parameter, &test, absent, |printer, default| {
            // Over lists, a default may differ from item to item.
            printer.set(variable, default.filter(|_| printer.ragged.is_none()));
        });
    }

    /// What fails by `test`, where the caller gave a value; `otherwise`, with the default if there is
    /// one, where they did not and need not.
    fn given(
        &mut self,
        parameter: usize,
        test: &str,
        absent: &Absent,
        otherwise: impl FnOnce(&mut Self, Option<&Expr>),
    ) {
        let failure = self.failure();
        let default = match absent {
            Absent::Never => {
                self.body.when(test, &failure);
                return;
            }
            Absent::Null => None,
            Absent::Value(default) => Some(default),
        };
        self.body.block(format!("if (fp_is_given(fp_args[{parameter}]))"), |body| {
            body.when(test, &failure);
        });
        self.nested("else", |printer| otherwise(printer, default));
    }

    /// `head { ... }`, where what is inside may fail and set variables too.
    fn nested(&mut self, head: &str, inside: impl FnOnce(&mut Self)) {
        self.body.open(head);
        inside(self);
        self.body.close();
    }

    fn set(&mut self, variable: usize, to: Option<&Expr>) {
        if self.names.call.variables[variable].passing == Passing::Text {
            self.set_text(variable, to);
            return;
        }
        if self.names.call.variables[variable].ctype.class().is_some() {
            self.set_value(variable, to);
            return;
        }
        let local = self.names.local(variable);
        match to {
            None => self.body.line(format!("{local} = 0;")),
            Some(expr) => self.assign(variable, local, expr),
        }
    }

    /// Sets `target`, which has the type of the variable, to an expression's value; an integer must
    /// fit.
    fn assign(&mut self, variable: usize, target: &str, expr: &Expr) {
        let assignment = self.names.assignment(variable, target, expr, "");
        if let Some(check) = assignment.check {
            self.must(&check);
        }
        if let Some(statement) = assignment.statement {
            self.body.line(statement);
        }
    }

    /// Sets all elements of an array that we made to a value.
    fn fill(&mut self, variable: usize, to: &Expr) {
        let names = self.names;
        let (local, param) = (names.local(variable), names.param(variable));
        let element = format!("{local}element");
        let ctype = c_type(&names.call.variables[variable].ctype);
        self.nested("", |printer| {
            printer.body.line(format!("{ctype} {element};"));
            printer.assign(variable, &element, to);
            let fill = printer.named(variable, "fill");
            printer.body.line(format!("{fill}(&{local}, &{element}, &{param});"));
        });
    }

    fn take(&mut self, variable: usize, parameter: usize, access: Access, absent: &Absent) {
        let names = self.names;
        let (local, param) = (names.local(variable), names.param(variable));
        let how = match (access, self.map.is_some()) {
            (Access::Read, _) => "in",
            (Access::InPlace, _) => "inplace",
            (Access::Exclusive, _) => "inout",
            (Access::Copy, false) => "copy",
            (Access::Copy, true) => "source",
        };
        let operand = self.map.map(|map| map.operand(variable));
        let test = match &operand {
            Some(operand) => {
                format!("!fp_map_{how}(&{local}, &{operand}, fp_args[{parameter}], &{param})")
            }
            None if names.call.variables[variable].elements() == Elements::Bytes => {
                format!("!{}", self.take_bytes(variable, &format!("fp_args[{parameter}]"), access))
            }
            None if names.call.device == Device::Cpu => {
                let take = self.named(variable, how);
                format!("!{take}(&{local}, fp_args[{parameter}], &{param})")
            }
            None => format!("!fp_device_array(&{local}, fp_args[{parameter}], &{param})"),
        };
        let is_array = names.call.variables[variable].rank() > 0;
        self.given(parameter, &test, absent, |printer, default| {
            match default {
                Some(_) if is_array && printer.ragged.is_some() => {
                    printer.left_out(variable, access);
                }
                Some(fill) if is_array => {
                    printer.shape(variable);
                    let make = printer.making(variable, "NULL");
                    printer.must(&make);
                    printer.fill(variable, fill);
                }
                _ => printer.body.line(format!("fp_array_null(&{local}, &{param});")),
            }
            if let Some(operand) = &operand {
                printer.body.line(format!("fp_map_one(&{local}, &{operand}, &{param});"));
            }
        });
        self.lend(variable);
    }

    /// The runtime's function for an array of numbers, or of structs.
    fn named(&self, variable: usize, what: &str) -> String {
        match (self.names.call.variables[variable].ctype.structure(), what) {
            (Some(_), _) => format!("fp_structs_{what}"),
            (None, "fill") => "fp_fill".to_owned(),
            (None, _) => format!("fp_array_{what}"),
        }
    }

    /// Over lists, what stands in for an array has its size when all items are fitted.
    fn left_out(&mut self, variable: usize, access: Access) {
        let (local, param) = (self.names.local(variable), self.names.param(variable));
        self.body.line(format!("fp_array_null(&{local}, &{param});"));
        if access != Access::Read {
            self.must(&format!("fp_no_stand_in(&{param})"));
        }
    }

    /// Finds what the lists tell, and makes what stands in for arrays that were left out.
    fn fit_lists(&mut self) {
        let (Some(map), Some(ragged)) = (self.map, self.ragged) else { return };
        let failure = self.failure();
        ragged::fit(map, ragged, &mut self.body, &failure);
        for step in &ragged.steps {
            let Step::TakeArray { variable, parameter, access, absent } = step else { continue };
            let Absent::Value(fill) = absent else { continue };
            if self.names.call.variables[*variable].rank() == 0 || *access != Access::Read {
                continue;
            }
            let element = format!("{}element", self.names.local(*variable));
            let ctype = c_type(&self.names.call.variables[*variable].ctype);
            let k = map.operand_index(*variable);
            self.nested(&format!("if (!fp_is_given(fp_args[{parameter}]))"), |printer| {
                printer.body.line(format!("{ctype} {element};"));
                printer.assign(*variable, &element, fill);
                printer.must(&format!("fp_ragged_stand_in(&fp_ragged_, {k}, &{element})"));
            });
        }
    }

    /// Sets the shape of an array that is to be made.
    fn shape(&mut self, variable: usize) {
        for statement in self.names.set_shape(variable) {
            self.body.line(statement);
        }
    }

    fn make(&mut self, variable: usize, buffer: Option<usize>, memory: Memory) {
        let names = self.names;
        let (local, param) = (names.local(variable), names.param(variable));
        if self.ragged.is_none() {
            self.shape(variable);
        }
        let buffer = buffer.map_or("NULL".to_owned(), |slot| format!("fp_args[{slot}]"));
        let call = match (memory, self.map) {
            (Memory::Scratch, None) => format!("fp_array_scratch(&{local}, &{param})"),
            (Memory::Scratch, Some(_)) => {
                format!("fp_map_scratch(&{local}, &fp_scratch, &{param})")
            }
            (Memory::Result, None) if names.call.device == Device::Cpu => {
                self.making(variable, &buffer)
            }
            (Memory::Result, None) => format!("fp_device_out(&{local}, {buffer}, &{param})"),
            (Memory::Result, Some(map)) if self.ragged.is_some() => {
                format!("fp_ragged_out(&fp_ragged_, {}, {buffer})", map.operand_index(variable))
            }
            (Memory::Result, Some(map)) => {
                let operand = map.operand(variable);
                format!("fp_map_out(&{local}, &{operand}, &fp_map_, {buffer}, &{param})")
            }
        };
        self.must(&call);
    }

    /// The call that makes an array, bytes or room for a text.
    fn making(&self, variable: usize, buffer: &str) -> String {
        let (local, param) = (self.names.local(variable), self.names.param(variable));
        match self.names.call.variables[variable].elements() {
            Elements::Numbers => {
                format!("{}(&{local}, {buffer}, &{param})", self.named(variable, "out"))
            }
            Elements::Bytes => format!("fp_bytes_out(&{local}, &{param})"),
            Elements::Text => format!("fp_array_scratch(&{local}, &{param})"),
        }
    }

    fn call(&mut self, release: &Release) {
        self.explain();
        let names = self.names;
        let call = names.call;
        match release {
            Release::Never => {}
            _ if call.calls_back => {}
            Release::Always => self.body.line("fp_thread = PyEval_SaveThread();"),
            Release::WhenLarge(_) => self.body.line(format!(
                "fp_thread = {} ? PyEval_SaveThread() : NULL;",
                self.releases(release)
            )),
        }
        let arguments: Vec<String> =
            (0..call.variables.len()).map(|i| self.c_argument(i)).collect();
        let result = match &call.result {
            CResult::Void => "",
            CResult::Value(_) if !call.keeps_result() => "(void)",
            CResult::Value(_) | CResult::Status(_) | CResult::Pointer(_) => "fp_c_result = ",
        };
        self.invoke(&format!("{result}{}({});", names.target, arguments.join(", ")), release, true);
        if !call.calls_back {
            retake_gil(release, &mut self.body);
        }
    }

    /// Asks C, with the lock held; a status is judged as that of the call.
    fn query(&mut self, query: &Expr) {
        let asked = self.names.query(query, &|index| self.c_argument(index));
        let returns_status = matches!(self.names.call.result, CResult::Status(_));
        let target = if returns_status { "fp_c_result = " } else { "(void)" };
        self.invoke(&format!("{target}{asked};"), &Release::Never, returns_status);
        if returns_status {
            self.step(&Step::CheckStatus);
        }
    }

    /// A statement that calls C, and, where that is `judged`, what its result means.
    fn invoke(&mut self, statement: &str, release: &Release, judged: bool) {
        let names = self.names;
        let call = names.call;
        if call.status.as_ref().is_some_and(|status| status.errno().is_some()) {
            self.body.line("errno = 0;");
        }
        if call.calls_back {
            self.begin_calls(release);
        }
        if call.throws {
            self.guarded(statement, release);
        } else {
            self.body.line(statement);
        }
        if judged && call.status.is_some() {
            // On this thread, before anything else happens on it.
            self.body.line(format!(
                "fp_judged = FP_LIKELY({}) ? 0 : FP_FAILS + {};",
                names.succeeded(),
                names.failing("&fp_why", |index| self.told(index))
            ));
        }
        if call.calls_back {
            let mut body = std::mem::take(&mut self.body);
            let ended = self.end_calls(&mut body);
            self.body = body;
            self.must(&ended);
        }
    }

    /// A call that may throw. Where it does not, that costs nothing.
    fn guarded(&mut self, statement: &str, release: &Release) {
        let failure = self.failure();
        let catch = &self.names.catch;
        let mut body = std::mem::take(&mut self.body);
        body.block("try", |body| body.line(statement));
        body.line("FP_LET_THREADS_END");
        body.block("catch (...)", |body| {
            body.line(format!("{catch}(&fp_why);"));
            if self.names.call.calls_back {
                // What a callback has raised comes first.
                let ended = self.end_calls(body);
                body.line(format!("(void){ended};"));
            } else {
                retake_gil(release, body);
            }
            body.line("fp_raise_failure(&fp_why);");
            body.line(failure);
        });
        self.body = body;
    }

    /// An argument as a message names it: of a pointer that C sets, what C has set.
    fn told(&self, index: usize) -> String {
        match self.names.call.variables[index].passing {
            Passing::Handed(_) => self.names.local(index).to_owned(),
            _ => self.c_argument(index),
        }
    }

    fn c_argument(&self, index: usize) -> String {
        let variable = &self.names.call.variables[index];
        let local = self.names.local(index);
        match variable.passing {
            Passing::Text if !variable.is_const => {
                format!("({} *){local}", c_type(&variable.ctype))
            }
            Passing::Callback(_) | Passing::Data => self.callback_argument(index),
            Passing::Value | Passing::Text | Passing::Texts { .. } => local.to_owned(),
            Passing::Handed(_) => format!("&{local}"),
            Passing::Array { .. } => format!("FP_DATA({local})"),
            Passing::Pointer => match self.names.call.parameter_of(index) {
                Some(parameter) if variable.nullable => {
                    format!("fp_is_given(fp_args[{parameter}]) ? &{local} : NULL")
                }
                _ => format!("&{local}"),
            },
        }
    }
}

/// Takes the GIL again.
fn retake_gil(release: &Release, body: &mut Body) {
    match release {
        Release::Never => {}
        Release::Always => body.line("PyEval_RestoreThread(fp_thread);"),
        Release::WhenLarge(_) => {
            body.when("fp_thread != NULL", "PyEval_RestoreThread(fp_thread);");
        }
    }
}
