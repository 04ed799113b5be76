//! `fishplate check FILE...`

use crate::hosts::{self, HostName};
use crate::report;
use fishplate_driver::check_file;
use serde_json::{Value, json};
use std::path::PathBuf;

const HELP: &str = "\
All mistakes are shown at once, each with its place, a code and a hint; `fishplate explain CODE` explains
the codes. Nothing is compiled: whether prototypes agree with the headers is found by `build`.

    fishplate check stats.toml
    fishplate check *.toml
    fishplate --json check stats.toml";

/// Arguments of `check`.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// The interface files.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The host language to check for.
    #[arg(long, value_parser = hosts::parser(), default_value_t)]
    host: HostName,
}

pub(crate) fn run(arguments: &Arguments, as_json: bool) -> bool {
    let mut total = 0;
    let mut values = Vec::new();
    let mut ok = true;
    for file in &arguments.files {
        let found = check_file(file, arguments.host.0);
        let functions = found.value.as_ref().map_or(0, |checked| checked.functions().len());
        ok &= found.value.is_some();
        total += functions;
        if as_json {
            values.push(report::as_json(&found, json!({})));
            continue;
        }
        report::show(&found);
        if found.value.is_some() {
            let s = if functions == 1 { "" } else { "s" };
            println!("{}: {functions} function{s}, no errors", file.display());
        }
    }
    if as_json {
        // One value, as from every command: each diagnostic names its file.
        let lists = values.into_iter().filter_map(|value| value["diagnostics"].as_array().cloned());
        let diagnostics: Vec<Value> = lists.flatten().collect();
        report::print_json(&json!({"ok": ok, "diagnostics": diagnostics, "functions": total}));
    }
    ok
}
