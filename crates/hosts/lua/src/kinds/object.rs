//! Handles that are arguments, and those that a call creates.
//!
//! A new handle is on the stack before C is called. It gets its pointer immediately after the call,
//! so that Lua finalizes it however the call ends.

use super::{ArgumentKind, Passed, PassedKind, PointeeKind, ReturnedValue};
use crate::handles::{class, made};
use crate::params::{parameter_name, stack_index};
use crate::steps::Printer;
use fishplate_emit::{
    Body, Names, c_string, c_type, compare_object, declaration, initialised, new_object, no_object,
    returned_object, stored, typed_no_object, value,
};
use fishplate_model::{ClassId, Expr, VariableId};
use fishplate_plan::{Acquire, FromC, Named, OutPointer, Output, Variable};

impl ArgumentKind for Named<ClassId> {
    fn declare(&self, names: &Names, index: VariableId, body: &mut Body) {
        let local = names.local(index);
        if names.call.parameter_of(index).is_some() {
            body.line(format!("fp_handle *{local}held;"));
        }
        body.line(format!("{};", declaration(&names.call.variables[index].ctype, local)));
    }

    fn define_param(&self, names: &Names, index: VariableId) -> String {
        define_table(names.param(index), (names.function, parameter_name(names, index)), self)
    }

    /// The caller's object, and its pointer.
    fn acquire(&self, printer: &mut Printer, step: &Acquire) {
        let &Acquire { variable: index, parameter, ref absent, .. } = step;
        let names = printer.names;
        let local = names.local(index);
        let slot = stack_index(parameter);
        let take = format!("{local}held = fp_take_handle(fp_L, {slot}, &{});", names.param(index));
        let mut otherwise = typed_no_object(&names.call.variables[index].ctype);
        printer.given(parameter, &[take], absent, |printer, default| {
            printer.body.line(format!("{local}held = NULL;"));
            if let Some(default) = default {
                otherwise = value(default, names);
            }
        });
        printer.body.line(names.set_pointer(index, absent, &otherwise));
    }

    fn may_collect(&self, _: &Variable) -> bool {
        false
    }

    fn set(&self, printer: &mut Printer, index: VariableId, to: Option<&Expr>) {
        printer.set_number(index, to);
    }

    fn release(&self, printer: &mut Printer, index: VariableId) {
        printer.release_pinned(index);
    }

    fn retained(&self, printer: &Printer, index: VariableId, by: &str) -> (&'static str, String) {
        let parameter = printer.names.call.parameter_of(index).expect("the caller passes it");
        ("handle", format!("{}, {}held, {by}", stack_index(parameter), printer.names.local(index)))
    }

    fn returned(&self, _: &Variable) -> String {
        self.name.clone()
    }
}

impl PointeeKind for Named<ClassId> {
    fn pointed_type(&self) -> String {
        self.name.clone()
    }

    fn define_result(&self, param: &str, (function, name): (&str, &str)) -> String {
        define_table(param, (function, name), self)
    }

    fn declare_taken(&self, _: &OutPointer) -> Option<&'static str> {
        Some("void *fp_object;")
    }

    /// C takes the object over, or uses it as long as it may call the callback.
    fn take(&self, one: &ReturnedValue) -> Vec<String> {
        let &ReturnedValue { pointer, slot, result, is_kept, param } = one;
        let (is_kept, null) = (u8::from(is_kept), u8::from(pointer.nullable));
        let object = match pointer.is_owned() {
            true => format!("fp_consume_returned(fp_L, {slot}, {null}, &{param})"),
            false => format!(
                "fp_retain_returned_object(fp_L, {slot}, fp_frame->fp_called, {is_kept}, {null}, &{param})"
            ),
        };
        vec![
            format!("fp_object = {object};"),
            format!("{result} = {};", returned_object(pointer, "fp_object")),
        ]
    }
}

/// The definition of the parameter table of an object, with the names of the function and of the parameter.
fn define_table(param: &str, (function, name): (&str, &str), of: &Named<ClassId>) -> String {
    format!(
        "static const fp_handle_param {param} = {{{{FP_ARGUMENT({}, {}), FP_TYPE_HANDLE, FP_ONE_VALUE}}, &{}}};",
        c_string(function),
        c_string(name),
        class(&of.name),
    )
}

impl PassedKind for Named<ClassId> {
    fn has_objects(&self) -> bool {
        true
    }

    fn pass(&self, passed: &Passed) -> String {
        let object = stored(passed.ctype, passed.local);
        format!("fp_pass_handle(fp_L, {object}, &{});", class(&self.name))
    }

    fn type_name(&self, _: &Variable<FromC>) -> String {
        self.name.clone()
    }
}

impl Printer<'_, '_> {
    /// The variable of the stack index of a handle that a call creates.
    pub(crate) fn index(&self, output: Output) -> String {
        match output {
            Output::Argument(index) => format!("{}at", self.names.local(index)),
            Output::Result => "fp_result_at".to_owned(),
        }
    }

    /// The variable of the pointer that C sets.
    fn pointer(&self, output: Output) -> String {
        match output {
            Output::Argument(index) => self.names.local(index).to_owned(),
            Output::Result => "fp_c_result".to_owned(),
        }
    }

    pub(super) fn expect_handle(&mut self, output: Output) {
        let names = self.names;
        let Some((_, returned)) = names.call.out_pointer(output) else { return };
        let at = self.index(output);
        let class = class(returned.ctype.text());
        let needs = returned.needs().count();
        self.body.line(format!("{} = {};", self.pointer(output), typed_no_object(&returned.ctype)));
        self.body.line(format!("{at} = fp_push_handle(fp_L, &{class}, {needs});"));
        if let Some(new) = new_object(returned) {
            let (function, ctype) = (c_string(names.function), c_type(&returned.ctype));
            let pointer = self.pointer(output);
            self.body.line(format!(
                "{pointer} = ({ctype})fp_store_object(fp_L, {at}, {new}, {function});"
            ));
        }
        for index in returned.needs() {
            let Some(parameter) = names.call.parameter_of(index) else { continue };
            let local = names.local(index);
            self.body.line(match names.call.variables[index].class() {
                Some(_) => format!("fp_keep(fp_L, {at}, {}, {local}held);", stack_index(parameter)),
                None => format!("fp_keep_array(fp_L, {at}, &{local});"),
            });
        }
        if let Some((context, of)) = &returned.context {
            let (context, of) = (names.local(*context), self::class(&of.name));
            self.body.line(format!("fp_set_context(fp_L, {at}, {context}held, &{of});"));
        }
    }

    /// Stores the pointers from C in their handles, which Lua finalizes from now on.
    pub(crate) fn receive_handles(&mut self) {
        for output in made(self.names.call) {
            let Some((_, returned)) = self.names.call.out_pointer(output) else { continue };
            let owned = u8::from(returned.is_owned());
            let (at, pointer) = (self.index(output), self.pointer(output));
            let stored = stored(&returned.ctype, &pointer);
            self.body.line(format!("fp_receive_handle(fp_L, {at}, {stored}, {owned});"));
        }
    }

    /// Raises an error if a required object is NULL.
    pub(super) fn check_handle(&mut self, output: Output) {
        let names = self.names;
        let Some((name, returned)) = names.call.out_pointer(output) else { return };
        if let Some(line) = initialised(returned, &self.pointer(output)) {
            self.body.line(line);
        }
        if returned.stored.is_none()
            && !returned.nullable
            && !names.call.has_error_convention(output)
        {
            let what = match output {
                Output::Argument(_) => format!("set {name} to {}", no_object(&returned.ctype)),
                Output::Result => format!("returned {}", no_object(&returned.ctype)),
            };
            let (function, c_name) = (c_string(names.function), c_string(&names.call.c_name));
            let pointer = self.pointer(output);
            let absent = compare_object(&returned.ctype, &pointer, "==");
            self.nested(&format!("if ({absent})"), |printer| {
                printer.release();
                printer.body.line(format!(
                    "fp_no_object(fp_L, {function}, {c_name}, {});",
                    c_string(&what)
                ));
            });
        }
    }

    /// Releases the handles of a failed call immediately.
    pub(crate) fn release_handles(&mut self) {
        for output in made(self.names.call) {
            let at = self.index(output);
            self.body.line(format!("fp_release_handle(fp_L, {at});"));
        }
    }
}
