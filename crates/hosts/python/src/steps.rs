//! Steps as C: each one statement or two, each failure one goto.

mod call;
mod explain;
mod items;
mod results;

use crate::callbacks::Called;
use crate::handles::count_locks;
use crate::items::MapNames;
use crate::kinds::kind;
use fishplate_emit::{Body, Names, kept_until};
use fishplate_model::{CallbackId, Expr, ParameterId, TiSlice, VariableId};
use fishplate_plan::{Absent, BatchStep, Ragged, Step, Undo};
use std::cell::Cell;

/// What is released at a label.
pub(crate) enum Cleanup {
    /// What a step has acquired.
    Of(Undo),
    /// The lists that a ragged call has opened before its steps.
    CloseLists,
}

/// Prints a call's steps, from reading its slots to releasing what was acquired.
pub(crate) struct Printer<'a, 'b> {
    pub(crate) names: &'b Names<'a>,
    /// What C calls for each of its callbacks.
    pub(crate) called: &'b TiSlice<CallbackId, Called>,
    /// Where the call stands for many items.
    pub(crate) map: Option<&'b MapNames<'b, 'a>>,
    /// Where these are lists.
    pub(crate) ragged: Option<&'a Ragged>,
    pub(crate) body: Body,
    /// Labels of the undos of what has been acquired so far, with what they release, and whether
    /// anything jumps there.
    pub(crate) undos: Vec<(String, Cleanup, Cell<bool>)>,
    explained: bool,
    /// The handles of which the call ends what was borrowed from them.
    pub(crate) ended: Vec<VariableId>,
}

impl<'a, 'b> Printer<'a, 'b> {
    pub(crate) fn new(names: &'b Names<'a>, called: &'b TiSlice<CallbackId, Called>) -> Self {
        let body = Body::at_depth(1);
        Printer {
            names,
            called,
            map: None,
            ragged: None,
            body,
            undos: Vec::new(),
            explained: false,
            ended: Vec::new(),
        }
    }

    /// For the steps of a call that stands for many items.
    pub(crate) fn mapped(map: &'b MapNames<'b, 'a>) -> Self {
        Printer { map: Some(map), ..Printer::new(map.names, TiSlice::from_ref(&[])) }
    }

    /// For the steps of a call over lists, which are open by then.
    pub(crate) fn ragged(map: &'b MapNames<'b, 'a>, ragged: &'a Ragged) -> Self {
        let mut printer = Printer { ragged: Some(ragged), ..Printer::mapped(map) };
        printer.undos.push(("undo_fp_lists".to_owned(), Cleanup::CloseLists, Cell::new(true)));
        printer
    }

    /// The steps of a call that stands for many items.
    fn batch_steps(&self) -> Option<&'a [BatchStep]> {
        match (self.ragged, self.map) {
            (Some(ragged), _) => Some(&ragged.steps),
            (None, map) => map.map(|map| map.mapped.steps.as_slice()),
        }
    }

    /// The statements of the whole call; `fp_args` are its slots, `fp_result` is what it returns.
    pub(crate) fn print(mut self) -> String {
        match self.batch_steps() {
            Some(steps) => steps.iter().for_each(|step| self.batch_step(step)),
            None => self.names.call.steps.iter().for_each(|step| self.once(step)),
        }
        self.results();
        for (label, undo, used) in std::mem::take(&mut self.undos).iter().rev() {
            if used.get() {
                self.body.label(label);
            }
            match undo {
                Cleanup::CloseLists => self.body.line("fp_ragged_end(&fp_ragged_);"),
                Cleanup::Of(Undo::Unlock) => {
                    let count = count_locks(self.names.call);
                    self.body.line(format!("fp_leave(fp_locks, {count});"));
                }
                Cleanup::Of(Undo::Release(variable)) => {
                    let (_, release) = self.release(*variable);
                    self.body.line(release);
                }
                Cleanup::Of(Undo::ReleaseHanded(handed)) => self.release_handed(*handed),
            }
        }
        self.body.line("return fp_result;");
        self.body.into_text()
    }

    /// The `fp_array` that an undo releases.
    fn held(&self, undo: Undo) -> String {
        match undo {
            Undo::ReleaseHanded(handed) => match self.names.handed(handed) {
                Some(one) => one.object.clone(),
                None => self.made(handed),
            },
            Undo::Unlock => "fp_locks".to_owned(),
            Undo::Release(variable) => self.release(variable).0,
        }
    }

    /// What a variable has acquired, and the statement that releases it.
    fn release(&self, variable: VariableId) -> (String, String) {
        let of = self.names.call.variable(variable);
        let local = self.names.local(variable);
        match self.map {
            // A value that all items share may have come in an array.
            Some(_) if !of.own && !of.is_whole() => kind(of).release(&format!("{local}one")),
            _ => kind(of).release(local),
        }
    }

    fn unique_label(&self, mut label: String) -> String {
        while self.undos.iter().any(|(other, ..)| *other == label) {
            label.push('_');
        }
        label
    }

    pub(crate) fn failure(&self) -> String {
        match self.undos.last() {
            Some((label, _, used)) => {
                used.set(true);
                format!("goto {label};")
            }
            None => "return NULL;".to_owned(),
        }
    }

    pub(crate) fn must(&mut self, call: &str) {
        let failure = self.failure();
        self.body.when(format!("!{call}"), &failure);
    }

    fn batch_step(&mut self, step: &BatchStep) {
        match step {
            BatchStep::Once(step) => self.once(step),
            BatchStep::Broadcast => self.broadcast(),
            BatchStep::CopyItems { variable } => self.copy_items(*variable),
            BatchStep::FitLists => self.fit_lists(),
            BatchStep::Items { .. } => {
                self.explain();
                let failure = self.failure();
                if let Some(map) = self.map {
                    map.run(self.ragged.is_some(), &mut self.body, &failure);
                }
            }
        }
    }

    /// A step, and what its failure and all later ones release.
    fn once(&mut self, step: &Step) {
        if let Step::Lock { .. } = step {
            // An explanation waits for nobody, and has nothing to leave.
            self.explain();
        }
        if let Some(undo) = step.undo() {
            // Whatever state an acquiring function leaves, its own undo fits it.
            let held = self.held(undo);
            let label = format!("undo_{}", held.trim_end_matches('_'));
            self.undos.push((self.unique_label(label), Cleanup::Of(undo), Cell::default()));
        }
        self.step(step);
    }

    fn step(&mut self, step: &Step) {
        let names = self.names;
        match step {
            Step::Acquire(step) => {
                kind(names.call.variable(step.variable)).acquire(self, step);
            }
            Step::KeepCallback { variable } => self.keep_callback(*variable),
            Step::DropCallbacks { function } => {
                let list = kept_until(function);
                self.body.line(format!("fp_replace_callbacks(&{list}, NULL, NULL, 0, NULL);"));
            }
            Step::SetScalar { variable, value } => {
                kind(names.call.variable(*variable)).set(self, *variable, value.as_ref());
            }
            Step::FindDimension { variable, places } => self.find_dimension(*variable, places),
            Step::MakeArray { variable, buffer, memory } => {
                self.make(*variable, *buffer, *memory);
            }
            Step::CheckDimension { variable, axis, expected } => {
                self.check_dimension(*variable, *axis, expected);
            }
            Step::Query { query } => self.query(query),
            Step::Expect { handed } => self.expect(*handed),
            Step::Receive { handed } => self.receive(*handed),
            Step::Cut { variable, length } => self.cut(*variable, length),
            Step::Lock { variables, module } => self.lock(variables, *module),
            Step::Invalidate { variable } => self.invalidate(*variable),
            Step::Call { release } => self.call(release),
            Step::CheckStatus => self.check_status(),
            Step::FillArray { variable, value } => {
                self.explain();
                self.fill(*variable, value);
            }
            // In a batched call, what varies per item is an array.
            Step::WriteBack { variable } if self.map.is_some() => self.write_back_array(*variable),
            Step::WriteBack { variable } => {
                kind(names.call.variable(*variable)).write_back(self, *variable);
            }
        }
    }

    /// What fails by `test`, where the caller gave a value; `otherwise`, with the default if there is
    /// one, where they did not and need not.
    pub(crate) fn given(
        &mut self,
        parameter: ParameterId,
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
    pub(crate) fn nested(&mut self, head: &str, inside: impl FnOnce(&mut Self)) {
        self.body.open(head);
        inside(self);
        self.body.close();
    }
}
