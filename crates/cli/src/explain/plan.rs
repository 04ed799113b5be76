//! The steps of calls of a module's functions.

use crate::report;
use fishplate_driver::{Host, plan_file};
use serde_json::{Value, json};
use std::path::Path;

/// Prints the plans of all functions of an interface file, or of one.
pub(super) fn explain(file: &Path, function: Option<&str>, host: &dyn Host, as_json: bool) -> bool {
    let plan = plan_file(file, host);
    let mut explained: Vec<(&str, String)> = Vec::new();
    for planned in plan.value.iter().flat_map(|plan| &plan.functions) {
        if function.is_none_or(|wanted| *wanted == planned.name) {
            explained.push((&planned.name, fishplate_driver::explain(planned, host)));
        }
    }
    let found = function.is_none() || !explained.is_empty();
    if as_json {
        let strings: Vec<Value> =
            explained.iter().map(|(name, text)| json!({"function": name, "text": text})).collect();
        report::print_json(&report::as_json(&plan, json!({"functions": strings})));
    } else {
        report::show(&plan);
        let strings: Vec<&str> = explained.iter().map(|(_, text)| text.as_str()).collect();
        print!("{}", strings.join("\n"));
    }
    if let (Some(plan), Some(function), false) = (&plan.value, function, found) {
        let names: Vec<&str> = plan.functions.iter().map(|f| f.name.as_str()).collect();
        anstream::eprintln!(
            "error: {} has no function `{function}`; it has {}",
            file.display(),
            names.join(", ")
        );
    }
    plan.value.is_some() && found
}
