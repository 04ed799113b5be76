//! Arguments, other than callbacks, that C uses after the call.
//!
//! The entry for one is created before C is called, since raising is a longjmp.

use crate::kinds::kind;
use crate::steps::Printer;
use fishplate_emit::{Body, Names, declare_key, kept_until, key_arguments, set_key};
use fishplate_model::VariableId;
use fishplate_plan::{RetainedArgument, Retainer};

/// Declares the entries for the lists of their owners.
pub(crate) fn declare(names: &Names, body: &mut Body) {
    for one in &names.call.retained {
        body.line(format!("fp_callback *{}kept;", names.local(one.variable)));
        declare_key(names, one.variable, &one.retention, body);
    }
}

impl Printer<'_, '_> {
    /// The owner, as the ending of the runtime's functions, and C for it.
    fn retainer(&self, one: &RetainedArgument) -> (&'static str, String) {
        match &one.owner {
            Retainer::Object(handle) => ("in_handle", format!("{}held", self.names.local(*handle))),
            Retainer::Made(output) => {
                let made = self.index(*output);
                ("in_new", format!("(fp_handle *)lua_touserdata(fp_L, {made})"))
            }
            Retainer::Module(function) => ("in_module", format!("&{}", kept_until(function))),
        }
    }

    /// Creates the entry of one.
    pub(crate) fn retain(&mut self, variable: VariableId) {
        let names = self.names;
        let RetainedArgument { owner, retention, .. } = names.call.retained_argument(variable);
        set_key(names, variable, retention, &mut self.body);
        let by = match owner {
            Retainer::Object(handle) => format!("{}held", names.local(*handle)),
            Retainer::Made(_) | Retainer::Module(_) => "NULL".to_owned(),
        };
        let running = if names.call.calls_back { "&fp_calls" } else { "NULL" };
        let (what, given) = kind(&names.call.variables[variable]).retained(self, variable, &by);
        let (local, param) = (names.local(variable), names.param(variable));
        let key = key_arguments(names, variable, retention);
        self.body.line(format!(
            "{local}kept = fp_retain_{what}(fp_L, {running}, {given}, {key}, &{param});"
        ));
    }

    /// Adds the entries to the lists: C is called next.
    pub(crate) fn keep_retained(&mut self) {
        for one in &self.names.call.retained {
            let ((place, owner), local) = (self.retainer(one), self.names.local(one.variable));
            self.body.line(format!("fp_begin_retaining_{place}(fp_L, {owner}, {local}kept);"));
        }
        self.has_collected |= !self.names.call.retained.is_empty();
    }

    /// The call is over: a later one may replace them.
    pub(crate) fn leave_retained(&mut self) {
        for one in &self.names.call.retained {
            let local = self.names.local(one.variable);
            self.body.line(format!("fp_leave_callback({local}kept);"));
        }
    }

    /// Releases those of earlier calls.
    pub(crate) fn replace(&mut self, variable: VariableId) {
        let names = self.names;
        let one = names.call.retained_argument(variable);
        let (local, param) = (names.local(variable), names.param(variable));
        let list = match self.retainer(one) {
            ("in_handle", owner) => format!("&{owner}->callbacks"),
            (_, until) => until,
        };
        let (place, _) = self.retainer(one);
        let key = key_arguments(names, variable, &one.retention);
        self.body.line(format!(
            "fp_replace_{place}(fp_L, {list}, {local}kept, {key}, FP_AS_KEPT(&{param}));"
        ));
    }
}
