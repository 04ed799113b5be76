//! Callbacks that a caller gives, and what stands around a call of C that may call back.

use super::Printer;
use crate::callbacks::{Called, kept_until};
use crate::params::stack_index;
use fishplate_emit::{callback_argument, file, filed, fill_struct, note_seen};
use fishplate_model::{CallbackForm, CallbackId, ParameterId, VariableId};
use fishplate_plan::{Absent, CallbackPlan, Data, Keeper, Sees};

impl<'a> Printer<'a, '_> {
    /// C that is true where the caller gave none.
    fn is_absent(&self, callback: &CallbackPlan) -> String {
        match callback.is_kept() {
            true => format!("{}kept == NULL", self.names.local(callback.variable)),
            false => format!("fp_callbacks[{}].slot == 0", callback.index),
        }
    }

    pub(super) fn take_callback(
        &mut self,
        variable: VariableId,
        parameter: ParameterId,
        absent: &Absent,
    ) {
        let (local, param) = (self.names.local(variable), self.names.param(variable));
        let callback = self.names.callback(variable);
        let (index, kept) = (callback.index, callback.is_kept());
        let (slot, run, filed) =
            (stack_index(parameter), &self.called[index].run, filed(callback, self.names));
        let (take, none) = if kept {
            let room = match callback.form {
                CallbackForm::Struct { .. } => format!("sizeof({local})"),
                CallbackForm::Function => "0".to_owned(),
            };
            (
                format!(
                    "{local}kept = fp_new_callback(fp_L, &fp_calls, {slot}, {run}, {room}, {filed}, &{param});"
                ),
                format!("{local}kept = NULL;"),
            )
        } else {
            let place = format!("&fp_callbacks[{index}]");
            (
                format!("fp_take_callback(fp_L, {place}, &fp_calls, {slot}, {run}, &{param});"),
                format!("fp_no_callback({place}, &{param});"),
            )
        };
        file(callback, self.names, &mut self.body);
        self.given(parameter, &[take], absent, |printer, _| printer.body.line(none));
    }

    /// What keeps a callback, as runtime functions are called for it; `None` where it ends with the call.
    fn keeper(&self, callback: &CallbackPlan) -> Option<(&'static str, String)> {
        match &callback.keeper {
            Keeper::Handle(handle) => {
                Some(("in_handle", format!("{}held->callbacks", self.names.local(*handle))))
            }
            Keeper::Made(output) => {
                let made = format!("(fp_handle *)lua_touserdata(fp_L, {})", self.index(*output));
                Some(("in_handle", format!("({made})->callbacks")))
            }
            Keeper::Module(function) => Some(("in_module", kept_until(function))),
            Keeper::Call => None,
        }
    }

    /// C has it; what it replaces is not called any more.
    pub(super) fn keep_callback(&mut self, variable: VariableId) {
        let names = self.names;
        let callback = self.names.callback(variable);
        let Some((place, list)) = self.keeper(callback).filter(|_| callback.replaces) else {
            return;
        };
        if let Keeper::Made(_) = callback.keeper {
            // What is new has kept no other.
            return;
        }
        let (local, param, filed) =
            (names.local(variable), names.param(variable), filed(callback, names));
        self.body
            .line(format!("fp_replace_{place}(fp_L, &{list}, {local}kept, {filed}, &{param});"));
    }

    /// The module keeps no callback any more that ends with this function.
    pub(super) fn drop_callbacks(&mut self, function: &str) {
        self.body.line(format!("fp_unregister(fp_L, &{});", kept_until(function)));
    }

    /// What C called where a callback has failed sees of the call.
    fn show(&mut self, callback: &CallbackPlan) {
        let names = self.names;
        for line in note_seen(callback, names, |index| self.c_argument(index)) {
            self.body.line(line);
        }
        if callback.sees == Sees::Object {
            let object = match &callback.keeper {
                Keeper::Handle(handle) => format!("{}held", names.local(*handle)),
                Keeper::Made(output) => format!("lua_touserdata(fp_L, {})", self.index(*output)),
                Keeper::Call | Keeper::Module(_) => return,
            };
            let local = names.local(callback.variable);
            let note = format!("{local}kept->seen = {object};");
            self.body.when(format!("{local}kept != NULL"), &note);
        }
    }

    /// Gets ready for C to call back.
    pub(super) fn begin_calls(&mut self) {
        let names = self.names;
        for (index, callback) in names.call.callbacks.iter_enumerated() {
            let local = names.local(callback.variable);
            let Called { entry, .. } = &self.called[index];
            self.show(callback);
            if let Some((place, list)) = self.keeper(callback) {
                self.body.line(format!("fp_keep_{place}(fp_L, &{list}, {local}kept);"));
            }
            fill_struct(callback, names, entry, &mut self.body);
        }
        // What raises comes before: what is begun here ends where C has returned.
        self.pin_handles();
        for (index, callback) in names.call.callbacks.iter_enumerated() {
            if callback.data == Data::Thread {
                let (local, slot) = (names.local(callback.variable), &self.called[index].slot);
                self.body
                    .line(format!("fp_fill_slot(&{local}slot, &{slot}, &fp_callbacks[{index}]);"));
            }
        }
        self.body.line("fp_begin_calls(fp_L, &fp_calls);");
    }

    /// The call is over.
    pub(super) fn end_calls(&mut self) {
        for callback in self.names.call.callbacks.iter().rev() {
            let local = self.names.local(callback.variable);
            if callback.is_kept() {
                self.body.line(format!("fp_leave_callback({local}kept);"));
            }
            if callback.data == Data::Thread {
                self.body.line(format!("fp_empty_slot(&{local}slot);"));
            }
        }
        self.body.line("fp_end_calls(&fp_calls);");
        self.unpin_handles();
    }

    /// Raises what a callback has raised, which comes before what C says. `made` says that what the call makes is
    /// there by now.
    pub(super) fn raise_called(&mut self, made: bool) {
        if !self.names.call.calls_back {
            return;
        }
        self.nested("if (FP_UNLIKELY(fp_has_failed(&fp_calls)))", |printer| {
            if made {
                printer.release_handles();
            }
            printer.release();
            printer.body.line("fp_raise_called(fp_L, &fp_calls);");
        });
    }

    /// What C gets of a callback, or as the data of one.
    pub(super) fn callback_argument(&self, variable: VariableId) -> String {
        let entry = |index: CallbackId| self.called[index].entry.clone();
        callback_argument(self.names, variable, entry, |callback| self.is_absent(callback))
    }
}
