//! `fishplate explain FILE [FUNCTION]`

use crate::hosts::{self, HostName};
use crate::report;
use fishplate_driver::{explain, plan_file};
use serde_json::{Value, json};
use std::path::PathBuf;

const HELP: &str = "\
Shows, step by step, what is borrowed, copied, allocated and checked, and in which order overloads
are tried:

    fishplate explain stats.toml
    fishplate explain stats.toml mean";

/// Arguments of `explain`.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// The interface file.
    file: PathBuf,
    /// One function; by default all of them.
    function: Option<String>,
    /// The host language.
    #[arg(long, value_parser = hosts::parser(), default_value_t)]
    host: HostName,
}

pub(crate) fn run(arguments: &Arguments, as_json: bool) -> bool {
    let plan = plan_file(&arguments.file, arguments.host.0);
    let mut explained: Vec<(&str, String)> = Vec::new();
    for function in plan.value.iter().flat_map(|plan| &plan.functions) {
        if arguments.function.as_ref().is_none_or(|wanted| *wanted == function.name) {
            explained.push((&function.name, explain(function, arguments.host.0)));
        }
    }
    let found = arguments.function.is_none() || !explained.is_empty();
    if as_json {
        let texts: Vec<Value> =
            explained.iter().map(|(name, text)| json!({"function": name, "text": text})).collect();
        report::print_json(&report::as_json(&plan, json!({"functions": texts})));
    } else {
        report::show(&plan);
        let texts: Vec<&str> = explained.iter().map(|(_, text)| text.as_str()).collect();
        print!("{}", texts.join("\n"));
    }
    if let (Some(plan), false) = (&plan.value, found) {
        let names: Vec<&str> = plan.functions.iter().map(|f| f.name.as_str()).collect();
        anstream::eprintln!(
            "error: {} has no function `{}`; it has {}",
            arguments.file.display(),
            arguments.function.as_deref().unwrap_or(""),
            names.join(", ")
        );
    }
    plan.value.is_some() && found
}
