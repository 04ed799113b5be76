//! Handles that are arguments, and those that a call creates.
//!
//! A new handle is created before C is called, so that nothing can fail after C has created its
//! object.

use super::number::set_number;
use super::{ArgumentKind, PassedKind, PointeeKind, ReturnedValue};
use crate::handles::{class, takes_handle};
use crate::params::parameter_name;
use crate::steps::Printer;
use fishplate_emit::{
    Body, Names, c_string, c_type, compare_object, declaration, failed, initialised, new_object,
    no_object, returned_object, stored, typed_no_object, value,
};
use fishplate_model::{ClassId, Expr, VariableId};
use fishplate_plan::{
    Acquire, CallbackPlan, FailureTest, FromC, Keeper, Named, OutPointer, Output, Variable,
};

impl ArgumentKind for Named<ClassId> {
    fn declare(&self, names: &Names, index: VariableId, body: &mut Body) {
        let local = names.local(index);
        if takes_handle(names.call, index) {
            body.line(format!("fp_handle *{local}held = NULL;"));
        }
        body.declare(declaration(&names.call.variables[index].ctype, local));
    }

    fn define_param(&self, names: &Names, index: VariableId) -> String {
        define_table(names.param(index), (names.function, parameter_name(names, index)), self)
    }

    /// A use of the caller's object, and its pointer.
    fn acquire(&self, printer: &mut Printer, step: &Acquire) {
        let &Acquire { variable: index, parameter, ref absent, .. } = step;
        let names = printer.names;
        let stem = names.stem(index);
        let test =
            format!("!fp_take_handle(&{stem}held, fp_args[{parameter}], &{})", names.param(index));
        let mut otherwise = typed_no_object(&names.call.variables[index].ctype);
        printer.given(parameter, &test, absent, |_, default| {
            if let Some(default) = default {
                otherwise = value(default, names);
            }
        });
        printer.body.line(names.set_pointer(index, absent, &otherwise));
    }

    fn set(&self, printer: &mut Printer, index: VariableId, to: Option<&Expr>) {
        set_number(printer, index, to);
    }

    fn begins_released(&self) -> bool {
        true
    }

    fn release(&self, local: &str) -> (String, String) {
        let held = format!("{local}held");
        let release = format!("fp_drop_handle({held});");
        (held, release)
    }

    fn retained(&self, printer: &Printer, index: VariableId, by: &str) -> (&'static str, String) {
        ("handle", format!("{}held, {by}", printer.names.local(index)))
    }

    fn returned(&self, _: &Variable) -> String {
        self.name.clone()
    }
}

impl PointeeKind for Named<ClassId> {
    fn pointed_type(&self, _: &OutPointer) -> String {
        self.name.clone()
    }

    fn define_result(&self, param: &str, (function, name): (&str, &str)) -> String {
        define_table(param, (function, name), self)
    }

    fn declare_taken(&self, _: &OutPointer) -> Option<&'static str> {
        Some("void *fp_object = NULL;")
    }

    /// C takes the object over, or uses it as long as it may call the callback.
    fn take(&self, one: &ReturnedValue) -> Vec<String> {
        let &ReturnedValue { pointer, value, callback, param, .. } = one;
        let null = u8::from(pointer.nullable);
        let set = format!("((fp_c_result = {}), 1)", returned_object(pointer, "fp_object"));
        if pointer.is_owned() {
            let take = format!("fp_consume_returned({value}, &fp_object, {null}, &{param})");
            return one.end_arrays().into_iter().chain([take, set]).collect();
        }
        vec![
            format!("fp_retain_returned_object({value}, {callback}, &fp_object, {null}, &{param})"),
            set,
        ]
    }
}

/// The definition of the parameter table of an object, with the names of the function and of the parameter.
fn define_table(param: &str, (function, name): (&str, &str), of: &Named<ClassId>) -> String {
    format!(
        "static const fp_handle_param {param} = {{{{{}, {}, FP_TYPE_HANDLE, sizeof(void *), FP_ONE_VALUE, FP_ONE_ITEM}}, \
         &{}}};",
        c_string(function),
        c_string(name),
        class(&of.name),
    )
}

/// The new object retains objects that a callback returns.
fn retains_objects(callback: &CallbackPlan, output: Output) -> bool {
    callback.checked.retention.keeper == Keeper::Made(output)
        && callback.checked.returns_used_object()
}

impl PassedKind for Named<ClassId> {
    fn pass(&self, names: &Names<FromC>, index: VariableId, _: usize, _: &str) -> String {
        let object = stored(&names.call.variables[index].ctype, names.local(index));
        format!("fp_pass_handle({object}, &{})", class(&self.name))
    }

    fn type_name(&self) -> String {
        self.name.clone()
    }
}

impl Printer<'_, '_> {
    /// Locks these objects, and the module if it has a lock: no other thread calls C with them.
    pub(crate) fn lock(&mut self, variables: &[VariableId], module: bool) {
        let names = self.names;
        let has_several = |index: &VariableId| names.call.variables[*index].has_several_objects();
        let (arrays, variables): (Vec<VariableId>, Vec<VariableId>) =
            variables.iter().copied().partition(has_several);
        let held = variables.iter().map(|index| {
            let variable = &names.call.variables[*index];
            match variable.nullable || variable.default.is_some() {
                true => format!("fp_lock_of({}held)", names.stem(*index)),
                false => format!("{}held->lock", names.stem(*index)),
            }
        });
        let locks: Vec<String> = held.chain(module.then(|| "fpy_lock".to_owned())).collect();
        if !arrays.is_empty() {
            self.lock_all(&locks, &arrays);
            return;
        }
        let (function, count) = (c_string(names.function), locks.len());
        if (1..=2).contains(&count) {
            self.must(&format!("fp_enter_{count}(fp_locks, {function}, {})", locks.join(", ")));
            return;
        }
        for (k, lock) in locks.iter().enumerate() {
            self.body.line(format!("fp_locks[{k}] = {lock};"));
        }
        self.must(&format!("fp_enter(fp_locks, {count}, {function})"));
    }

    /// Takes objects away from the caller.
    pub(crate) fn consume(&mut self, variables: &[VariableId], destroys: bool) {
        let names = self.names;
        let destroys = u8::from(destroys);
        let rows: Vec<String> = variables
            .iter()
            .map(|index| {
                let (local, stem) = (names.local(*index), names.stem(*index));
                let param = names.param(*index).trim_end_matches(".param");
                let variable = &names.call.variables[*index];
                match (variable.is_array(), variable.crossing.nested()) {
                    (true, _) => format!("{{NULL, &{local}, &{param}.param, {destroys}}}"),
                    (_, Some(_)) => {
                        format!(
                            "{{NULL, {local}.objects[FP_USE_TAKEN], &{param}.param, {destroys}}}"
                        )
                    }
                    (false, None) => format!("{{{stem}held, NULL, &{param}.param, {destroys}}}"),
                }
            })
            .collect();
        self.nested("", |printer| {
            let all = rows.join(", ");
            printer.body.line(format!("const fp_consumed fp_taken[] = {{{all}}};"));
            printer.must(&format!("fp_consume(fp_taken, {})", rows.len()));
        });
    }

    /// Returns objects to the caller if C has failed.
    pub(crate) fn restore(&mut self, variable: VariableId, test: Option<FailureTest>) {
        let names = self.names;
        let (local, stem) = (names.local(variable), names.stem(variable));
        let of = &names.call.variables[variable];
        let restore = match (of.is_array(), of.crossing.nested()) {
            (true, _) => format!("fp_restore_all(&{local});"),
            (_, Some(_)) => format!("fp_restore_all({local}.objects[FP_USE_TAKEN]);"),
            (false, None) => format!("fp_restore({stem}held);"),
        };
        self.body.when(format!("FP_UNLIKELY({})", failed(names, test)), &restore);
    }

    /// Closes everything that was borrowed from the object.
    pub(crate) fn invalidate(&mut self, variable: VariableId) {
        self.ended.push(variable);
        let names = self.names;
        let call = names.call;
        let taken = call.variables.keys().filter(|index| takes_handle(call, *index));
        let mine: Vec<String> = taken.map(|index| format!("{}held", names.stem(index))).collect();
        let (held, param) = (format!("{}held", names.stem(variable)), names.param(variable));
        self.nested("", |printer| {
            printer.body.line(format!("fp_handle *const fp_mine[] = {{{}}};", mine.join(", ")));
            printer.must(&format!("fp_invalidate({held}, fp_mine, {}, &{param})", mine.len()));
        });
    }

    /// The variable of the Python object that a call creates.
    pub(crate) fn made(&self, output: Output) -> String {
        match output {
            Output::Argument(index) => format!("{}made", self.names.local(index)),
            Output::Result => "fp_made".to_owned(),
        }
    }

    /// The variable of the pointer that C sets.
    fn pointer(&self, output: Output) -> String {
        match output {
            Output::Argument(index) => self.names.local(index).to_owned(),
            Output::Result => "fp_c_result".to_owned(),
        }
    }

    /// Creates the Python object, which is empty until C has returned.
    pub(super) fn expect_handle(&mut self, output: Output) {
        let Some((_, returned)) = self.names.call.out_pointer(output) else { return };
        let class = class(returned.ctype.text());
        let (made, pointer) = (self.made(output), self.pointer(output));
        let kept = returned.needs().count();
        self.body.line(format!("{pointer} = {};", typed_no_object(&returned.ctype)));
        self.must(&match self.names.call.overrides() {
            [] => format!("fp_make_handle(&{made}, &{class}, {kept})"),
            _ => format!("fp_make_derived(&{made}, fp_self, &{class}, {kept})"),
        });
        if self.names.call.callbacks.iter().any(|one| retains_objects(one, output)) {
            self.must(&format!("fp_reserve_links({made})"));
        }
        if let Some((context, of)) = &returned.context {
            let (context, of) = (self.names.local(*context), self::class(&of.name));
            self.body.line(format!("fp_set_context({made}, {context}held, &{of});"));
        }
        if let Some(new) = new_object(returned) {
            let (function, ctype) = (c_string(self.names.function), c_type(&returned.ctype));
            let new = format!("({ctype})fp_store_object({new}, {function})");
            self.must(&format!("({pointer} = {new})"));
        }
    }

    /// Stores the pointer in the object, and references to the objects that it depends on.
    pub(super) fn receive_handle(&mut self, output: Output) {
        let names = self.names;
        let Some((name, returned)) = names.call.out_pointer(output) else { return };
        let (made, pointer) = (self.made(output), self.pointer(output));
        let owned = u8::from(returned.is_owned());
        let stored = stored(&returned.ctype, &pointer);
        self.body.line(format!("fp_receive_handle({made}, (void *){stored}, {owned});"));
        if let Some(line) = initialised(returned, &pointer) {
            self.body.line(line);
        }
        for (k, index) in returned.needs().enumerate() {
            let local = names.local(index);
            if takes_handle(names.call, index) {
                self.body.line(format!("fp_keep_handle({made}, {k}, {local}held);"));
            } else {
                self.must(&format!("fp_keep_array({made}, {k}, &{local})"));
            }
        }
        if returned.stored.is_none()
            && !returned.nullable
            && !names.call.has_error_convention(output)
        {
            let what = match output {
                Output::Argument(_) => format!("set {name} to {}", no_object(&returned.ctype)),
                Output::Result => format!("returned {}", no_object(&returned.ctype)),
            };
            let failure = self.failure();
            let (function, c_name) = (c_string(names.function), c_string(&names.call.c_name));
            self.body.when(
                format!(
                    "{} && !fp_no_object({function}, {c_name}, {})",
                    compare_object(&returned.ctype, &pointer, "=="),
                    c_string(&what)
                ),
                &failure,
            );
        }
    }

    /// Releases the C object immediately if no Python object was created.
    pub(super) fn release_handle(&mut self, output: Output) {
        let Some((_, returned)) = self.names.call.out_pointer(output) else { return };
        let (made, pointer) = (self.made(output), self.pointer(output));
        let owned = u8::from(returned.is_owned());
        let stored = stored(&returned.ctype, &pointer);
        self.body.line(format!("fp_release_handle({made}, (void *){stored}, {owned});"));
    }
}
