//! Explanations by `function.explain(...)`: where they end the call, and which rows they list.

use super::Printer;
use fishplate_emit::Names;
use fishplate_model::VariableId;
use fishplate_plan::{BatchStep, Step};

/// The rows of a function's explanations, as static data: parameter, slot, and the form of the
/// value.
pub(crate) fn define_rows(names: &Names, table: &str) -> String {
    let rows: Vec<String> = rows(names)
        .map(|index| {
            let variable = names.call.variable(index);
            let slot = names.call.parameter_of(index);
            let slot = slot.map_or("-1".to_owned(), |slot| slot.to_string());
            let array = match variable.rank() {
                0 if variable.any_array().is_some() => "FP_IN_ARRAY",
                0 if variable.own && names.call.mapped.is_some() => "FP_PER_ITEM",
                0 => "FP_SINGLE",
                _ => "FP_IN_ARRAY",
            };
            format!("{{&{}, {slot}, {array}}}", names.any_table(index))
        })
        .collect();
    if rows.is_empty() {
        return String::new();
    }
    format!("static const fp_row {table}[] = {{{}}};\n", rows.join(", "))
}

/// The arguments that explanations list.
pub(crate) fn rows<'n>(names: &'n Names) -> impl Iterator<Item = VariableId> + 'n {
    let call = names.call;
    call.values()
        .filter(move |(index, variable)| {
            (call.parameter_of(*index).is_some()
                || variable.rank() > 0
                || variable.any_array().is_some())
                && names.has_param(*index)
        })
        .map(|(index, _)| index)
}

impl Printer<'_, '_> {
    /// Prints the end of the call for an explanation: before memory of the caller changes.
    pub(super) fn explain(&mut self) {
        if std::mem::replace(&mut self.explained, true) {
            return;
        }
        let names = self.names;
        let call = names.call;
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
            let map = self.map_name();
            self.must(&format!("fp_set_release(&{map}, {releases})"));
            releases = format!("{map}.releases");
        }
        // Over lists, `fp_args` are the values in the lists.
        let values = if self.ragged.is_some() { "fp_given" } else { "fp_args" };
        let map = self.map.map_or("NULL".to_owned(), |_| format!("&{}", self.map_name()));
        let arrays: String = rows(names)
            .filter(|index| {
                let variable = call.variable(*index);
                variable.rank() > 0
                    || variable.any_array().is_some()
                    || self.map.is_some() && variable.own
            })
            .map(|index| format!(", &{}", names.local(index)))
            .collect();
        let lists = if self.ragged.is_some() { " && fp_explain_lists(&fp_batch)" } else { "" };
        let failure = self.failure();
        let explains = format!(
            "FP_EXPLAINS(&{}, {values}, {releases}, {map}{arrays}){lists}",
            names.signature
        );
        self.body.when(explains, &failure);
    }
}
