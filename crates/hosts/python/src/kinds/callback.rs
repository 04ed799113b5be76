//! Callbacks as arguments, and the code around a call of C that may call them.

use super::{ArgumentKind, PassedKind};
use crate::handles::class;
use crate::steps::Printer;
use fishplate_emit::{
    Body, Names, callback_argument, declare_callback, fill_struct, kept_until, key_arguments,
    pass_user_data, put_user_data, set_key, store_outer_scope,
};
use fishplate_model::{CallbackForm, CallbackId, VariableId};
use fishplate_plan::{
    Acquire, CallbackPlan, CheckedCallback, Data, FromC, Keeper, List, Listed, OuterScope, Release,
};

impl ArgumentKind for CheckedCallback {
    fn declare(&self, names: &Names, index: VariableId, body: &mut Body) {
        declare_callback(names, index, "fp_kept", body);
        if retains_results(self) {
            body.line(format!("PyObject *{}results = NULL;", names.local(index)));
        }
    }

    fn acquire(&self, printer: &mut Printer, step: &Acquire) {
        let &Acquire { variable: index, parameter, ref absent, .. } = step;
        let (local, param) = (printer.names.local(index), printer.names.param(index));
        let callback = printer.names.callback(index);
        let (place, kept) = (callback.index, callback.checked.is_kept());
        let key = key_arguments(printer.names, index, &callback.checked.retention);
        let take = if kept {
            let room = match callback.checked.form {
                CallbackForm::Struct { .. } => format!("sizeof({local})"),
                CallbackForm::Function => "0".to_owned(),
            };
            let made = format!(
                "fp_new_callback(&{local}kept, fp_args[{parameter}], {room}, {key}, &{param})"
            );
            let owns = printer.names.call.struct_with_data(callback).is_none();
            match callback.checked.is_shared && owns {
                true => format!("!({made} && fp_reserve_user_data({local}kept))"),
                false => format!("!{made}"),
            }
        } else {
            format!(
                "!fp_take_callback(&fp_callbacks[{place}], &fp_calls, fp_args[{parameter}], &{param})"
            )
        };
        set_key(printer.names, index, &callback.checked.retention, &mut printer.body);
        printer.given(parameter, &take, absent, |printer, _| {
            if !kept {
                printer.body.line(format!("fp_no_callback(&fp_callbacks[{place}], &{param});"));
            }
        });
    }

    /// A retained one is NULL until it is acquired, and so is what a function returns to C.
    fn begins_released(&self) -> bool {
        true
    }

    fn release(&self, local: &str) -> (String, String) {
        if retains_results(self) {
            let results = format!("{local}results");
            let drop = if self.returns_used_object() { "fp_drop_objects" } else { "Py_XDECREF" };
            let release = format!("{drop}({results});");
            return (results, release);
        }
        let kept = format!("{local}kept");
        let release = format!("fp_leave_callback({kept});");
        (kept, release)
    }

    fn argument(&self, printer: &Printer, index: VariableId) -> String {
        printer.callback_argument(index)
    }
}

/// The call retains what the function returns to C.
fn retains_results(callback: &CheckedCallback) -> bool {
    !callback.is_kept() && callback.borrowed_result().is_some()
}

/// The user data that C passes to a callback.
pub(super) struct UserData;

impl ArgumentKind for UserData {
    fn declare(&self, _: &Names, _: VariableId, _: &mut Body) {}

    fn argument(&self, printer: &Printer, index: VariableId) -> String {
        printer.callback_argument(index)
    }
}

/// Python's function does not see it.
impl PassedKind for UserData {
    fn pass(&self, names: &Names<FromC>, index: VariableId, _: usize, _: &str) -> String {
        names.local(index).to_owned()
    }

    fn type_name(&self) -> String {
        "object".to_owned()
    }
}

impl PassedKind for List {
    fn pass(&self, names: &Names<FromC>, index: VariableId, k: usize, param: &str) -> String {
        let local = names.local(index);
        match &self.of {
            Listed::Objects(of) => format!(
                "fp_pass_handles((void *const *){local}, {local}shape[0], &{}, {k}, &{param})",
                class(&of.name)
            ),
            Listed::Strings => format!(
                "fp_pass_strings((const char *const *){local}, {local}shape[0], {k}, &{param})"
            ),
        }
    }

    fn type_name(&self) -> String {
        match &self.of {
            Listed::Objects(class) => format!("tuple[{} | None, ...]", class.name),
            Listed::Strings => "list[str | None]".to_owned(),
        }
    }
}

impl<'a> Printer<'a, '_> {
    /// A C condition that is true if the caller passed none.
    fn is_absent(&self, callback: &CallbackPlan) -> String {
        match callback.checked.is_kept() {
            true => format!("{}kept == NULL", self.names.local(callback.variable)),
            false => format!("fp_callbacks[{}].function == NULL", callback.index),
        }
    }

    /// The owner of a retained callback; `None` if the callback ends with the call.
    fn keeper(&self, callback: &CallbackPlan) -> Option<String> {
        match &callback.checked.retention.keeper {
            Keeper::Handle(handle) => Some(format!("{}held->callbacks", self.names.local(*handle))),
            Keeper::Module(function) => Some(kept_until(function)),
            Keeper::Call | Keeper::Made(_) => None,
        }
    }

    /// The object to which the user data of a callback belongs.
    fn owner(&self, callback: &CallbackPlan) -> Option<String> {
        let owner = match callback.checked.retention.keeper {
            Keeper::Handle(handle) => format!("{}held", self.names.local(handle)),
            Keeper::Made(output) => self.made(output),
            Keeper::Call | Keeper::Module(_) => return None,
        };
        let is_its = self.names.call.struct_with_data(callback).is_none();
        Some(owner).filter(|_| callback.checked.is_shared && is_its)
    }

    /// The user data leads to the callback from now on, if there is one: C may call it in this call.
    fn begin_sharing(&mut self, callback: &CallbackPlan) {
        let names = self.names;
        let local = names.local(callback.variable);
        let kept = format!("{local}kept == NULL ? NULL : &{local}kept->callback");
        if let Some(put) = put_user_data(names, callback, &kept, |index| self.c_argument(index)) {
            self.body.line(put);
        }
        let Some(owner) = self.owner(callback) else { return };
        let (local, param) =
            (self.names.local(callback.variable), self.names.param(callback.variable));
        let share = format!("fp_share(&{owner}->user_data, {local}kept, &{param});");
        self.body.when(format!("{local}kept != NULL"), &share);
    }

    /// C has received it; a callback that it replaces is not called any more.
    pub(crate) fn keep_callback(&mut self, variable: VariableId) {
        let names = self.names;
        let callback = self.names.callback(variable);
        if let Keeper::Made(output) = callback.checked.retention.keeper {
            let (made, local) = (self.made(output), names.local(variable));
            self.body.line(format!("fp_move_callback({made}, &{local}kept);"));
            return;
        }
        let Some(list) = self.keeper(callback).filter(|_| callback.checked.retention.replaces)
        else {
            return;
        };
        let (local, param, key) = (
            names.local(variable),
            names.param(variable),
            key_arguments(names, variable, &callback.checked.retention),
        );
        if let Some(owner) =
            self.owner(callback).filter(|_| names.call.variables[variable].nullable)
        {
            // Until now, C could call the one that None removes.
            self.body.line(format!("fp_share(&{owner}->user_data, {local}kept, &{param});"));
        }
        self.body.line(format!("fp_replace_callbacks(&{list}, {local}kept, {key}, &{param});"));
    }

    /// The values that the on-error action may use.
    fn show(&mut self, callback: &CallbackPlan) {
        let names = self.names;
        for line in store_outer_scope(callback, names, |index| self.c_argument(index)) {
            self.body.line(line);
        }
        let seen = match (&callback.outer_scope, &callback.checked.retention.keeper) {
            (OuterScope::Struct(memory, _), _) => self.c_argument(*memory),
            (OuterScope::Object(_), Keeper::Handle(handle)) => {
                format!("{}held", names.local(*handle))
            }
            (OuterScope::Object(_), Keeper::Made(output)) => self.made(*output),
            _ => return,
        };
        let local = names.local(callback.variable);
        let note = format!("{local}kept->callback.seen = {seen};");
        self.body.when(format!("{local}kept != NULL"), &note);
    }

    /// Prepares for callbacks from C.
    pub(crate) fn begin_calls(&mut self, release: &Release) {
        let names = self.names;
        for (index, callback) in names.call.callbacks.iter_enumerated() {
            let local = names.local(callback.variable);
            let entry = &self.called[index].entry;
            self.show(callback);
            if let Some(list) = self.keeper(callback) {
                let owner = match callback.checked.retention.keeper {
                    Keeper::Handle(handle) => format!("{}held", names.local(handle)),
                    Keeper::Call | Keeper::Made(_) | Keeper::Module(_) => "NULL".to_owned(),
                };
                self.body.line(format!("fp_keep_callback(&{list}, {owner}, {local}kept);"));
            }
            self.begin_sharing(callback);
            if retains_results(&callback.checked) {
                self.body.line(format!("fp_callbacks[{index}].results = &{local}results;"));
            }
            fill_struct(callback, names, entry, &mut self.body);
            if callback.checked.data == Data::Thread {
                let slot = &self.called[index].slot;
                self.body
                    .line(format!("fp_fill_slot(&{local}slot, &{slot}, &fp_callbacks[{index}]);"));
            }
        }
        let pass = pass_user_data(
            names,
            |callback| self.owner(callback),
            |object| self.c_argument(object),
        );
        pass.iter().for_each(|statement| self.body.line(statement));
        let lets_go = u8::from(*release != Release::Never);
        self.body.line(format!("fp_begin_calls(&fp_calls, {lets_go});"));
    }

    /// The end of the call: a C condition that is false if a callback has failed.
    pub(crate) fn end_calls(&self, body: &mut Body) -> String {
        for callback in self.names.call.callbacks.iter().rev() {
            if callback.checked.data == Data::Thread {
                let local = self.names.local(callback.variable);
                body.line(format!("fp_empty_slot(&{local}slot);"));
            }
        }
        self.ended.iter().fold("fp_end_calls(&fp_calls)".to_owned(), |ended, variable| {
            format!("fp_invalidate_late({ended}, {}held)", self.names.local(*variable))
        })
    }

    /// The C argument for a callback, or for its user data.
    pub(super) fn callback_argument(&self, variable: VariableId) -> String {
        let entry = |index: CallbackId| self.called[index].entry.clone();
        callback_argument(self.names, variable, entry, |callback| self.is_absent(callback))
    }
}
