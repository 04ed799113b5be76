//! Callbacks as arguments, and the code around a call of C that may call them.

use super::{ArgumentKind, Passed, PassedKind};
use crate::callbacks::Called;
use crate::handles::class;
use crate::params::stack_index;
use crate::steps::Printer;
use fishplate_emit::{
    Body, Names, callback_argument, declare_callback, fill_struct, kept_until, key_arguments,
    pass_user_data, put_user_data, set_key, store_outer_scope,
};
use fishplate_model::{CallbackForm, CallbackId, VariableId};
use fishplate_plan::{
    Absent, Acquire, CallbackPlan, CheckedCallback, Data, FromC, Keeper, List, Listed, OuterScope,
    Variable,
};

impl ArgumentKind for CheckedCallback {
    fn declare(&self, names: &Names, index: VariableId, body: &mut Body) {
        declare_callback(names, index, "fp_callback", body);
    }

    fn acquire(&self, printer: &mut Printer, step: &Acquire) {
        let &Acquire { variable: index, parameter, ref absent, .. } = step;
        let (local, param) = (printer.names.local(index), printer.names.param(index));
        let callback = printer.names.callback(index);
        let (number, kept) = (callback.index, callback.checked.is_kept());
        let (slot, run, key) = (
            stack_index(parameter),
            &printer.called[number].run,
            key_arguments(printer.names, index, &callback.checked.retention),
        );
        set_key(printer.names, index, &callback.checked.retention, &mut printer.body);
        if kept {
            let room = match callback.checked.form {
                CallbackForm::Struct { .. } => format!("sizeof({local})"),
                CallbackForm::Function => "0".to_owned(),
            };
            let new =
                format!("fp_new_callback(fp_L, &fp_calls, {slot}, {run}, {room}, {key}, &{param})");
            let value = match absent {
                Absent::Never => new,
                _ => format!("{} ? {new} : NULL", printer.is_given(parameter)),
            };
            printer.body.line(format!("{local}kept = {value};"));
            return;
        }
        let place = format!("&fp_callbacks[{number}]");
        let take = format!("fp_take_callback(fp_L, {place}, &fp_calls, {slot}, {run}, &{param});");
        let none = format!("fp_no_callback({place}, &{param});");
        printer.given(parameter, &[take], absent, |printer, _| printer.body.line(none));
    }

    /// Released by the collector, but for objects that C has used.
    fn release(&self, printer: &mut Printer, index: VariableId) {
        if pins_objects(self) {
            let place = printer.names.callback(index).index;
            printer.body.line(format!("fp_release_used(fp_L, &fp_callbacks[{place}]);"));
        }
    }

    fn argument(&self, printer: &Printer, index: VariableId) -> String {
        printer.callback_argument(index)
    }
}

/// The call pins what the function returns to C.
fn pins_objects(callback: &CheckedCallback) -> bool {
    !callback.is_kept() && callback.returns_used_object()
}

/// The user data that C passes to a callback.
pub(super) struct UserData;

impl ArgumentKind for UserData {
    fn declare(&self, _: &Names, _: VariableId, _: &mut Body) {}

    fn argument(&self, printer: &Printer, index: VariableId) -> String {
        printer.callback_argument(index)
    }
}

/// Lua's function does not see it.
impl PassedKind for UserData {
    fn is_seen(&self) -> bool {
        false
    }

    fn pass(&self, _: &Passed) -> String {
        String::new()
    }
}

impl PassedKind for List {
    fn has_objects(&self) -> bool {
        matches!(self.of, Listed::Objects(_))
    }

    fn pass(&self, passed: &Passed) -> String {
        let Passed { local, param, k, .. } = passed;
        match &self.of {
            Listed::Objects(of) => format!(
                "fp_pass_handles(fp_L, (void *const *){local}, {local}shape[0], &{}, {k}, &{param});",
                class(&of.name)
            ),
            Listed::Strings => format!(
                "fp_pass_strings(fp_L, (const char *const *){local}, {local}shape[0], {k}, &{param});"
            ),
        }
    }

    fn type_name(&self, _: &Variable<FromC>) -> String {
        match &self.of {
            Listed::Objects(class) => format!("({}|false)[]", class.name),
            Listed::Strings => "(string|false)[]".to_owned(),
        }
    }
}

impl<'a> Printer<'a, '_> {
    /// A C condition that is true if the caller passed none.
    fn is_absent(&self, callback: &CallbackPlan) -> String {
        match callback.checked.is_kept() {
            true => format!("{}kept == NULL", self.names.local(callback.variable)),
            false => format!("fp_callbacks[{}].slot == 0", callback.index),
        }
    }

    /// The owner of a retained callback, as the name of runtime functions; `None` if the callback
    /// ends with the call.
    fn keeper(&self, callback: &CallbackPlan) -> Option<(&'static str, String)> {
        match &callback.checked.retention.keeper {
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

    /// The object to which the user data of a callback belongs.
    fn owner(&self, callback: &CallbackPlan) -> Option<String> {
        let owner = match callback.checked.retention.keeper {
            Keeper::Handle(handle) => format!("{}held", self.names.local(handle)),
            Keeper::Made(output) => {
                format!("((fp_handle *)lua_touserdata(fp_L, {}))", self.index(output))
            }
            Keeper::Call | Keeper::Module(_) => return None,
        };
        let is_its = self.names.call.struct_with_data(callback).is_none();
        Some(owner).filter(|_| callback.checked.is_shared && is_its)
    }

    /// C has received it; a callback that it replaces is not called any more.
    pub(crate) fn keep_callback(&mut self, variable: VariableId) {
        let names = self.names;
        let callback = self.names.callback(variable);
        let Some((place, list)) =
            self.keeper(callback).filter(|_| callback.checked.retention.replaces)
        else {
            return;
        };
        if let Keeper::Made(_) = callback.checked.retention.keeper {
            // A new object has retained no other.
            return;
        }
        let (local, param, key) = (
            names.local(variable),
            names.param(variable),
            key_arguments(names, variable, &callback.checked.retention),
        );
        if let Some(owner) =
            self.owner(callback).filter(|_| names.call.variables[variable].nullable)
        {
            // Until now, C could call the one that `nil` removes.
            self.body.line(format!("fp_share(fp_L, &{owner}->user_data, {local}kept, &{param});"));
        }
        self.body.line(format!("fp_replace_{place}(fp_L, &{list}, {local}kept, {key}, &{param});"));
    }

    /// The module releases what it retains until this function.
    pub(crate) fn drop_callbacks(&mut self, function: &str) {
        self.body.line(format!("fp_drop_in_module(fp_L, &{});", kept_until(function)));
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
            (OuterScope::Object(_), Keeper::Made(output)) => {
                format!("lua_touserdata(fp_L, {})", self.index(*output))
            }
            _ => return,
        };
        let local = names.local(callback.variable);
        let note = format!("{local}kept->seen = {seen};");
        self.body.when(format!("{local}kept != NULL"), &note);
    }

    /// Prepares for callbacks from C.
    pub(crate) fn begin_calls(&mut self) {
        let names = self.names;
        for (index, callback) in names.call.callbacks.iter_enumerated() {
            let local = names.local(callback.variable);
            let Called { entry, .. } = &self.called[index];
            self.show(callback);
            if let Some((place, list)) = self.keeper(callback) {
                self.body.line(format!("fp_keep_{place}(fp_L, &{list}, {local}kept);"));
            }
            if pins_objects(&callback.checked) {
                self.body.line(format!("fp_pin_used(&fp_callbacks[{index}]);"));
            }
            fill_struct(callback, names, entry, &mut self.body);
        }
        for callback in &names.call.callbacks {
            let kept = format!("{}kept", names.local(callback.variable));
            if let Some(put) = put_user_data(names, callback, &kept, |index| self.c_argument(index))
            {
                self.body.line(put);
            }
            let Some(owner) = self.owner(callback) else { continue };
            let (local, param) = (names.local(callback.variable), names.param(callback.variable));
            let share = format!("fp_share(fp_L, &{owner}->user_data, {local}kept, &{param});");
            self.body.when(format!("{local}kept != NULL"), &share);
        }
        // Code that raises comes before: the state that begins here ends when C has returned.
        self.pin_handles();
        let pass = pass_user_data(
            names,
            |callback| self.owner(callback),
            |object| self.c_argument(object),
        );
        pass.iter().for_each(|statement| self.body.line(statement));
        for (index, callback) in names.call.callbacks.iter_enumerated() {
            if callback.checked.data == Data::Thread {
                let (local, slot) = (names.local(callback.variable), &self.called[index].slot);
                self.body
                    .line(format!("fp_fill_slot(&{local}slot, &{slot}, &fp_callbacks[{index}]);"));
            }
        }
        self.body.line("fp_begin_calls(fp_L, &fp_calls);");
    }

    /// The call is over.
    pub(crate) fn end_calls(&mut self) {
        let names = self.names;
        for callback in names.call.callbacks.iter().rev() {
            let local = self.names.local(callback.variable);
            if callback.checked.is_kept() {
                self.body.line(format!("fp_leave_callback({local}kept);"));
            }
            if callback.checked.data == Data::Thread {
                self.body.line(format!("fp_empty_slot(&{local}slot);"));
            }
        }
        self.leave_retained();
        self.body.line("fp_end_calls(&fp_calls);");
        for (index, _) in
            names.call.callbacks.iter_enumerated().filter(|(_, one)| pins_objects(&one.checked))
        {
            self.body.line(format!("fp_unpin_used(&fp_callbacks[{index}]);"));
        }
        self.unpin_handles();
    }

    /// Raises the error of a callback, which takes precedence over C's. `made`: the objects that
    /// the call creates exist by now.
    pub(crate) fn raise_called(&mut self, made: bool) {
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

    /// The C argument for a callback, or for its user data.
    pub(super) fn callback_argument(&self, variable: VariableId) -> String {
        let entry = |index: CallbackId| self.called[index].entry.clone();
        callback_argument(self.names, variable, entry, |callback| self.is_absent(callback))
    }
}
