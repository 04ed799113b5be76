//! Handles of a call: pinned while C runs, and checked again where a finalizer may have closed
//! them.
//!
//! Reason: raising is a longjmp, which would skip the end of a pin. Therefore nothing is pinned
//! where something may raise, and a handle that a finalizer has closed there is detected by a
//! check.

use super::Printer;
use crate::kinds::kind;
use fishplate_emit::failed;
use fishplate_model::{Expr, VariableId};
use fishplate_plan::{Absent, Acquire, Call, FailureTest, Step, Undo};

impl Printer<'_, '_> {
    /// Something may close a handle while C runs, or has closed it so that C can destroy it.
    pub(super) fn pins(&self) -> bool {
        let ends = |step: &Step| matches!(step, Step::Invalidate { .. } | Step::Consume { .. });
        self.names.call.calls_back || self.names.call.steps.iter().any(ends)
    }

    /// The handles that the call has acquired so far.
    fn taken(&self) -> Vec<VariableId> {
        let handles = self.undos.iter().filter_map(|undo| match undo {
            Undo::Release(variable) => {
                let is_object = |one: &VariableId| self.names.call.variables[*one].has_objects();
                Some(*variable).filter(is_object)
            }
            _ => None,
        });
        handles.collect()
    }

    /// The ending of the runtime's function, and C for its argument: a handle, an array of them, or those of a nested value.
    fn held(&self, variable: VariableId) -> (&'static str, String) {
        let local = self.names.local(variable);
        let of = &self.names.call.variables[variable];
        match (of.is_array(), of.crossing.nested()) {
            (true, _) => ("s", format!("&{local}")),
            (false, Some(_)) => ("s_of_nested", format!("&{local}")),
            (false, None) => ("", format!("{local}held")),
        }
    }

    fn check_open(&mut self, variable: VariableId) {
        let what = if self.has_called { "object" } else { "handle" };
        let (s, held) = self.held(variable);
        let param = self.names.param(variable);
        self.body.line(format!("fp_check_{what}{s}(fp_L, {held}, &{param});"));
    }

    /// Checks that all of them are still open.
    pub(super) fn check_handles(&mut self) {
        if self.has_collected {
            self.taken().into_iter().for_each(|variable| self.check_open(variable));
            self.has_collected = false;
        }
    }

    /// Checks that the objects in a step's expressions still exist.
    pub(super) fn check_handles_of(&mut self, step: &Step) {
        if !self.has_collected {
            return;
        }
        for variable in self.taken() {
            let name = &self.names.call.variables[variable].name;
            let uses = |expr: &Expr| expr.names().iter().any(|(used, _)| used == name);
            if expressions(step, self.names.call).iter().any(uses) {
                self.check_open(variable);
            }
        }
    }

    pub(crate) fn pin_handles(&mut self) {
        for variable in self.ended.clone() {
            let (local, param) = (self.names.local(variable), self.names.param(variable));
            self.body.line(format!("fp_check_borrowed(fp_L, {local}held, &{param});"));
        }
        let rows = self.consumed_rows();
        if !rows.is_empty() {
            let count = self.consumed.len();
            self.nested("", |printer| {
                printer.body.line(&rows);
                printer.body.line(format!("fp_check_consumed(fp_L, fp_taken, {count});"));
            });
        }
        self.has_collected = true;
        self.check_handles();
        for variable in self.taken() {
            let (s, held) = self.held(variable);
            self.body.line(format!("fp_pin_handle{s}({held});"));
        }
        if !rows.is_empty() {
            self.consume(&rows);
        }
        self.close_borrowed(0);
    }

    /// The table of the arguments that C takes over; empty if there are none.
    fn consumed_rows(&self) -> String {
        let destroys = u8::from(self.destroys);
        let rows: Vec<String> = self
            .consumed
            .iter()
            .map(|variable| {
                let (local, param) = (self.names.local(*variable), self.names.param(*variable));
                let param = param.trim_end_matches(".param");
                let of = &self.names.call.variables[*variable];
                match (of.is_array(), of.crossing.nested()) {
                    (true, _) => format!("{{NULL, &{local}, &{param}.param, {destroys}}}"),
                    (_, Some(_)) => format!("{{NULL, {local}.taken, &{param}.param, {destroys}}}"),
                    (_, None) => format!("{{{local}held, NULL, &{param}.param, {destroys}}}"),
                }
            })
            .collect();
        if rows.is_empty() {
            return String::new();
        }
        format!("const fp_consumed fp_taken[] = {{{}}};", rows.join(", "))
    }

    /// Takes objects away from the caller, or unpins all and raises.
    fn consume(&mut self, rows: &str) {
        let count = self.consumed.len();
        let unpins: Vec<String> = self
            .taken()
            .into_iter()
            .map(|variable| {
                let (s, held) = self.held(variable);
                format!("fp_unpin_handle{s}({held});")
            })
            .collect();
        self.nested("", |printer| {
            printer.body.line(rows);
            printer
                .body
                .line(format!("fp_not_consumed fp_refused = fp_consume(fp_L, fp_taken, {count});"));
            printer.body.block("if (FP_UNLIKELY(fp_refused.why != NULL))", |body| {
                unpins.iter().for_each(|unpin| body.line(unpin));
                body.line("fp_refuse_consumed(fp_L, &fp_refused);");
            });
        });
    }

    /// Returns objects to the caller if C has failed.
    pub(super) fn restore(&mut self, variable: VariableId, test: Option<FailureTest>) {
        let (s, held) = self.held(variable);
        let restore = match s {
            "" => format!("fp_restore({held});"),
            "s_of_nested" => format!("fp_restore_all(({held})->taken);"),
            _ => format!("fp_restore_all({held});"),
        };
        self.body.when(format!("FP_UNLIKELY({})", failed(self.names, test)), &restore);
    }

    /// Closes the handles that the C call invalidates.
    fn close_borrowed(&mut self, has_returned: u8) {
        for variable in self.ended.clone() {
            let local = self.names.local(variable);
            self.body.line(format!("fp_close_borrowed(fp_L, {local}held, {has_returned});"));
        }
    }

    pub(crate) fn unpin_handles(&mut self) {
        for variable in self.taken() {
            let (s, held) = self.held(variable);
            self.body.line(format!("fp_unpin_handle{s}({held});"));
        }
        if self.names.call.calls_back {
            self.close_borrowed(1);
        }
        self.has_collected = true;
    }

    /// Releases at once the objects that a callback has closed.
    pub(crate) fn release_pinned(&mut self, variable: VariableId) {
        if self.pins() {
            let (s, held) = self.held(variable);
            let what = if s.is_empty() { "" } else { "_handle" };
            self.body.line(format!("fp_release_pinned{what}{s}(fp_L, {held});"));
        }
    }
}

/// The author's C code that a step evaluates.
fn expressions(step: &Step, call: &Call) -> Vec<Expr> {
    match step {
        Step::SetScalar { value, .. } => value.iter().cloned().collect(),
        Step::FillArray { value, .. } => vec![value.clone()],
        Step::CheckDimension { expected, .. } => vec![expected.clone()],
        Step::CheckValues { rule, .. } => rule.expressions().cloned().collect(),
        Step::Truncate { length, .. } => vec![length.clone()],
        Step::MakeArray { variable, .. } => {
            call.variables[*variable].shape().unwrap_or_default().to_vec()
        }
        Step::Acquire(Acquire { absent: Absent::Value(value), .. }) => vec![value.clone()],
        Step::Receive { out_pointer } => {
            let shape = call.out_pointer(*out_pointer).and_then(|(_, pointer)| pointer.shape());
            shape.unwrap_or_default().to_vec()
        }
        _ => Vec::new(),
    }
}

/// Lua may collect in this step: it allocates.
pub(super) fn may_collect(step: &Step, call: &Call) -> bool {
    match step {
        Step::Acquire(Acquire { variable, .. }) => {
            let variable = &call.variables[*variable];
            kind(variable).may_collect(variable)
        }
        Step::WriteBack { variable } => !call.variables[*variable].is_array(),
        Step::SetScalar { .. }
        | Step::FindDimension { .. }
        | Step::FillArray { .. }
        | Step::CheckDimension { .. }
        | Step::CheckValues { .. }
        | Step::Truncate { .. } => false,
        _ => true,
    }
}
