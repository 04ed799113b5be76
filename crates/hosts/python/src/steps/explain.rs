//! Where `function.explain(...)` ends a call, and what it is told there.

use super::Printer;
use crate::params::param;
use fishplate_plan::{BatchStep, Step};

impl Printer<'_, '_> {
    /// Where an explanation ends the call: before memory of the caller's changes.
    pub(super) fn explain(&mut self) {
        if std::mem::replace(&mut self.explained, true) {
            return;
        }
        let names = self.names;
        let call = names.call;
        // Over lists, `fp_args` are what they hold.
        let values = if self.ragged.is_some() { "fp_given" } else { "fp_args" };
        let rows: Vec<String> = call
            .values()
            .filter(|(index, variable)| call.parameter_of(*index).is_some() || variable.rank() > 0)
            .filter(|(index, _)| names.has_param(*index))
            .map(|(index, variable)| {
                let is_array = variable.rank() > 0 || self.map.is_some() && variable.own;
                let array =
                    if is_array { format!("&{}", names.local(index)) } else { "NULL".to_owned() };
                let given = call
                    .parameter_of(index)
                    .map_or("NULL".to_owned(), |slot| format!("{values}[{slot}]"));
                format!("{{&{}, {array}, {given}}}", param(names, index))
            })
            .collect();
        let once = self.batch_steps().unwrap_or_default().iter().find_map(|step| match step {
            BatchStep::Items { release } => Some(self.releases(release)),
            _ => None,
        });
        let single = || {
            call.steps.iter().find_map(|step| match step {
                Step::Call { release } => Some(self.releases(release)),
                _ => None,
            })
        };
        let releases = once.or_else(single);
        let mut releases = releases.unwrap_or_else(|| "0".to_owned());
        if self.map.is_some() {
            self.body.line(format!("fp_releases = {releases};"));
            releases = "fp_releases".to_owned();
        }
        let map = self.map.map_or("NULL".to_owned(), |_| format!("&{}", self.map_name()));
        let lists = self.ragged.is_some();
        let failure = self.failure();
        let signature = names.signature.clone();
        self.body.block("if (FP_UNLIKELY(fp_explaining != NULL))", |body| {
            let table = if rows.is_empty() {
                "NULL".to_owned()
            } else {
                body.line(format!("const fp_row fp_rows[] = {{{}}};", rows.join(", ")));
                "fp_rows".to_owned()
            };
            let explain =
                format!("fp_explain(&{signature}, {table}, {}, {releases}, {map})", rows.len());
            if lists {
                body.block(format!("if ({explain})"), |body| {
                    body.line("fp_explain_lists(&fp_ragged_);");
                    body.line(&failure);
                });
            } else {
                body.when(explain, &failure);
            }
        });
    }
}
