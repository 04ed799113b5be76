//! `fishplate check FILE`

use crate::{Host, report};
use fishplate_driver::check_file;
use serde_json::json;
use std::path::PathBuf;

const HELP: &str = "\
All mistakes are shown at once, each with its place, a code and a hint; docs/diagnostics.md explains
the codes. Nothing is compiled: whether prototypes agree with the headers is found by `build`.

    fishplate check stats.toml
    fishplate --json check stats.toml";

/// Arguments of `check`.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// The interface file.
    file: PathBuf,
    /// The host language to check for.
    #[arg(long, value_enum, default_value_t)]
    host: Host,
}

pub(crate) fn run(arguments: &Arguments, as_json: bool) -> bool {
    let found = check_file(&arguments.file, arguments.host.into());
    let functions = found.value.as_ref().map_or(0, |checked| checked.functions().len());
    if as_json {
        report::print_json(&report::as_json(&found, json!({"functions": functions})));
    } else {
        report::show(&found);
        if found.value.is_some() {
            let s = if functions == 1 { "" } else { "s" };
            println!("{}: {functions} function{s}, no errors", arguments.file.display());
        }
    }
    found.value.is_some()
}
