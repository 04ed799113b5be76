//! Steps as C: one or two statements each, with one goto for each failure.

mod call;
pub(crate) mod explain;
mod items;
mod results;

use crate::callbacks::Called;
use crate::handles::release_locks;
use crate::items::MapNames;
use crate::kinds::kind;
use fishplate_emit::{Body, Names, kept_until, negated};
use fishplate_model::{CallbackId, Expr, ParameterId, TiSlice, VariableId};
use fishplate_plan::{Absent, BatchStep, Ragged, Step, Undo};
use std::cell::Cell;

/// The resources that are released at a label.
pub(crate) enum Cleanup {
    /// The resource of one step.
    Of(Undo),
    /// All resources of a batched call.
    EndBatch,
}

/// Prints a call's steps, from reading its slots to releasing what was acquired.
pub(crate) struct Printer<'a, 'b> {
    pub(crate) names: &'b Names<'a>,
    /// The names of the call's callbacks.
    pub(crate) called: &'b TiSlice<CallbackId, Called>,
    /// The names of a batched call.
    pub(crate) map: Option<&'b MapNames<'b, 'a>>,
    /// The lists of a ragged call.
    pub(crate) ragged: Option<&'a Ragged>,
    pub(crate) body: Body,
    /// Labels of the cleanups so far, with the resources that they release, and whether there is a
    /// goto to them.
    pub(crate) undos: Vec<(String, Cleanup, Cell<bool>)>,
    explained: bool,
    /// The handles whose borrowed arrays and handles the call closes.
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

    /// Creates a printer for the steps of a batched call.
    pub(crate) fn mapped(map: &'b MapNames<'b, 'a>) -> Self {
        let mut printer =
            Printer { map: Some(map), ..Printer::new(&map.in_call, TiSlice::from_ref(&[])) };
        printer.undos.push(("undo_fp_batch".to_owned(), Cleanup::EndBatch, Cell::new(true)));
        printer
    }

    /// Creates a printer for the steps of a call over lists.
    pub(crate) fn ragged(map: &'b MapNames<'b, 'a>, ragged: &'a Ragged) -> Self {
        Printer { ragged: Some(ragged), ..Printer::mapped(map) }
    }

    /// The steps of a batched call.
    pub(crate) fn batch_steps(&self) -> Option<&'a [BatchStep]> {
        match (self.ragged, self.map) {
            (Some(ragged), _) => Some(&ragged.steps),
            (None, map) => map.map(|map| map.mapped.steps.as_slice()),
        }
    }

    /// The same, after the first statements of such a call.
    pub(crate) fn print_after(mut self, begin: Body) -> String {
        self.body = begin;
        self.print()
    }

    /// The statements of the whole call; `fp_args` are its slots, `fp_result` is what it returns.
    pub(crate) fn print(mut self) -> String {
        match self.batch_steps() {
            Some(steps) => steps.iter().for_each(|step| self.batch_step(step)),
            None => self.names.call.steps.iter().for_each(|step| self.once(step)),
        }
        self.results();
        let undos = std::mem::take(&mut self.undos);
        for (at, (label, undo, _)) in undos.iter().enumerate().rev() {
            let is_first = undos.get(at + 1).is_none_or(|(next, ..)| next != label);
            if is_first && undos.iter().any(|(other, _, used)| other == label && used.get()) {
                self.body.label(label);
            }
            match undo {
                Cleanup::EndBatch => {
                    let (ops, count) = self.map.map_or(("NULL", 0), MapNames::operand_list);
                    self.body.line(match self.ragged {
                        Some(_) => format!("fp_ragged_end(&fp_batch, {ops}, {count});"),
                        None => format!("fp_release_operands({ops}, {count});"),
                    });
                }
                Cleanup::Of(Undo::Unlock) => release_locks(self.names.call, &mut self.body),
                Cleanup::Of(Undo::Release(variable)) => {
                    let (_, release) = self.release(*variable);
                    self.body.line(release);
                }
                Cleanup::Of(Undo::ReleaseRows(variable)) => {
                    let rows = self.rows(*variable);
                    self.body.line(format!("fp_release_rows(&{rows});"));
                }
                Cleanup::Of(Undo::Forget(variable)) => {
                    let local = self.names.local(*variable);
                    self.body.line(format!("fp_leave_callback({local}kept);"));
                }
                Cleanup::Of(Undo::ReleaseOutPointer(out_pointer)) => {
                    self.release_out_pointer(*out_pointer)
                }
            }
        }
        self.body.line("return fp_result;");
        self.body.into_text()
    }

    /// True if the end of a batch releases the resource: it releases the operands, and workers own
    /// scratch memory.
    fn ends_with_batch(&self, undo: Undo) -> bool {
        match (self.map, undo) {
            (Some(map), Undo::Release(variable)) => {
                map.operands().contains(&variable) || self.names.call.variable(variable).is_array()
            }
            _ => false,
        }
    }

    /// True if the resource of a cleanup may be released before it is acquired.
    fn begins_released(&self, undo: Undo) -> bool {
        match undo {
            Undo::Unlock | Undo::Forget(_) => true,
            Undo::Release(variable) => kind(self.names.call.variable(variable)).begins_released(),
            Undo::ReleaseRows(_) | Undo::ReleaseOutPointer(_) => false,
        }
    }

    /// The `fp_array` that a cleanup releases.
    fn held(&self, undo: Undo) -> String {
        match undo {
            Undo::ReleaseOutPointer(out_pointer) => match self.names.out_pointer(out_pointer) {
                Some(one) => one.object.clone(),
                None => self.made(out_pointer),
            },
            Undo::Unlock => "fp_locks".to_owned(),
            Undo::ReleaseRows(variable) => self.rows(variable),
            Undo::Forget(variable) => format!("{}kept", self.names.local(variable)),
            Undo::Release(variable) => self.release(variable).0,
        }
    }

    /// The resource of a variable, and the statement that releases it.
    fn release(&self, variable: VariableId) -> (String, String) {
        kind(self.names.call.variable(variable)).release(self.names.stem(variable))
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

    /// Prints a step, and adds its cleanup to its failure and all later ones.
    fn once(&mut self, step: &Step) {
        if let Step::Lock { .. } = step {
            // An explanation must not wait for a lock, and has no lock to release.
            self.explain();
        }
        if let Some(undo) = step.undo().filter(|undo| !self.ends_with_batch(*undo)) {
            // The cleanup of an acquiring function is valid whatever state that leaves. A resource
            // that may be released before it is acquired needs no separate label.
            let label = match self.undos.last() {
                Some((label, ..)) if self.begins_released(undo) => label.clone(),
                _ => {
                    let held = self.held(undo);
                    self.unique_label(format!("undo_{}", held.trim_end_matches('_')))
                }
            };
            self.undos.push((label, Cleanup::Of(undo), Cell::default()));
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
            Step::Retain { variable } => self.retain(*variable),
            Step::Replace { variable } => self.replace(*variable),
            Step::DropRetained { function } => {
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
            Step::FindLengths { variable, rows } => self.find_lengths(*variable, rows),
            Step::FindShape { variable, array } => self.find_shape(*variable, *array),
            Step::PointToRows { variable } => self.point_to_rows(*variable),
            Step::CheckDimension { variable, axis, expected } => {
                self.check_dimension(*variable, *axis, expected);
            }
            Step::CheckValues { variable, rule } => self.check_values(*variable, rule),
            Step::Query { query, test } => self.query(query, *test),
            Step::Expect { out_pointer } => self.expect(*out_pointer),
            Step::Receive { out_pointer } => self.receive(*out_pointer),
            Step::Truncate { variable, length } => self.truncate(*variable, length),
            Step::Lock { variables, module } => self.lock(variables, *module),
            Step::Invalidate { variable } => self.invalidate(*variable),
            Step::Consume { variables, destroys } => self.consume(variables, *destroys),
            Step::Restore { variable, test } => self.restore(*variable, *test),
            Step::Call { release } => self.call(release),
            Step::CheckStatus { test } => self.check_status(*test),
            Step::FillArray { variable, value } => {
                self.explain();
                self.fill(*variable, value);
            }
            // In a batched call, values that vary per item are arrays.
            Step::WriteBack { variable } if self.map.is_some() => self.write_back_array(*variable),
            Step::WriteBack { variable } => {
                kind(names.call.variable(*variable)).write_back(self, *variable);
            }
        }
    }

    /// Prints a test that is a failure if the argument is present. `otherwise` prints the code for
    /// an absent argument, with the default if there is one.
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
        let deeper = Body::at_depth(self.body.depth() + 1);
        let outer = std::mem::replace(&mut self.body, deeper);
        otherwise(self, default);
        let inner = std::mem::replace(&mut self.body, outer);
        let given = format!("fp_is_present(fp_args[{parameter}])");
        if inner.is_empty() {
            self.body.when(format!("{given} && {test}"), &failure);
            return;
        }
        let either =
            inner.only_test(&failure).and_then(|other| Some((negated(test)?, negated(other)?)));
        if let Some((test, other)) = either {
            self.body.when(format!("!({given} ? {test} : {other})"), &failure);
            return;
        }
        if let Some(statement) = inner.only_setting() {
            self.body.line(statement);
            let test = if test.contains("||") { format!("({test})") } else { test.to_owned() };
            self.body.when(format!("{given} && {test}"), &failure);
            return;
        }
        self.body.open(&format!("if (!{given})"));
        self.body.append(inner);
        self.body.close();
        self.body.else_when(test, &failure);
    }

    /// Prints `head { ... }`, whose inner steps may fail and set variables too.
    pub(crate) fn nested(&mut self, head: &str, inside: impl FnOnce(&mut Self)) {
        self.body.open(head);
        inside(self);
        self.body.close();
    }
}
