//! Arguments, other than callbacks, that C uses after the call.
//!
//! The entry for one is created before C is called, so that nothing can fail once C has received it.

use crate::kinds::kind;
use crate::steps::Printer;
use fishplate_emit::{Body, Names, declare_key, kept_until, key_arguments, set_key};
use fishplate_model::VariableId;
use fishplate_plan::{RetainedArgument, Retainer};

/// Declares the entries for the lists of their owners.
pub(crate) fn declare(names: &Names, body: &mut Body) {
    for one in &names.call.retained {
        body.line(format!("fp_kept *{}kept = NULL;", names.local(one.variable)));
        declare_key(names, one.variable, &one.retention, body);
    }
}

impl Printer<'_, '_> {
    /// The list of the owner.
    fn list(&self, one: &RetainedArgument) -> String {
        match &one.owner {
            Retainer::Object(handle) => format!("{}held->callbacks", self.names.local(*handle)),
            Retainer::Made(output) => format!("{}->callbacks", self.made(*output)),
            Retainer::Module(function) => kept_until(function),
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
        let (what, given) = kind(&names.call.variables[variable]).retained(self, variable, &by);
        let (local, param) = (names.local(variable), names.param(variable));
        let key = key_arguments(names, variable, retention);
        self.must(&format!("fp_retain_{what}(&{local}kept, {given}, {key}, &{param})"));
    }

    /// Adds the entries to the lists: C is called next.
    pub(crate) fn keep_retained(&mut self) {
        for one in &self.names.call.retained {
            let (list, local) = (self.list(one), self.names.local(one.variable));
            self.body.line(format!("fp_keep_callback(&{list}, NULL, {local}kept);"));
        }
    }

    /// Releases those of earlier calls.
    pub(crate) fn replace(&mut self, variable: VariableId) {
        let names = self.names;
        let one = names.call.retained_argument(variable);
        let (local, param, list) = (names.local(variable), names.param(variable), self.list(one));
        let key = key_arguments(names, variable, &one.retention);
        self.body.line(format!(
            "fp_replace_callbacks(&{list}, {local}kept, {key}, FP_AS_KEPT(&{param}));"
        ));
    }
}
