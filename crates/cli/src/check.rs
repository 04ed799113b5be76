//! `fishplate check FILE...`

use crate::hosts::{self, HostName, InstallationOptions};
use crate::init::whole_name;
use crate::report;
use fishplate_driver::{DriftOptions, Report, check_drift, check_file};
use regex::Regex;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

const HELP: &str = "\
All mistakes are shown at once, each with its place, a code and a hint; `fishplate explain CODE` explains \
the codes. Nothing is compiled, unless --headers or --against is given: these compare prototypes with the \
headers and names with a library, as `build` does, for continuous integration.

    fishplate check stats.toml
    fishplate check *.toml
    fishplate check zlib.toml --headers --against /usr/lib/libz.so.1
    fishplate --json check stats.toml";

/// Arguments of `check`.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// The interface files.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Also compare each interface with its headers: prototypes that differ, functions that are gone, functions that
    /// are new. Needs a C compiler.
    #[arg(long)]
    headers: bool,
    /// Also check that this library defines the functions.
    #[arg(long, value_name = "LIBRARY")]
    against: Option<PathBuf>,
    /// With --headers: no functions whose whole name matches this regular expression are reported as new.
    #[arg(long, value_name = "REGEX", value_parser = whole_name, requires = "headers")]
    exclude: Option<Regex>,
    /// The host language to check for; by default the one whose installation is named, else the first.
    #[arg(long, value_parser = hosts::parser())]
    host: Option<HostName>,
    #[command(flatten)]
    installations: InstallationOptions,
}

impl Arguments {
    /// Checks a file; returns the number of its functions.
    fn check(&self, file: &Path) -> Report<usize> {
        let host = self.host.map_or_else(|| self.installations.host(), |host| host.0);
        if !self.headers && self.against.is_none() {
            return check_file(file, host).map(|checked| checked.functions().len());
        }
        let wanted = |name: &str| !self.exclude.as_ref().is_some_and(|not| not.is_match(name));
        check_drift(&DriftOptions {
            file: file.to_owned(),
            host,
            installations: self.installations.0.clone(),
            library: self.against.clone(),
            wanted: self.headers.then_some(&wanted),
        })
    }
}

pub(crate) fn run(arguments: &Arguments, as_json: bool) -> bool {
    let mut total = 0;
    let mut values = Vec::new();
    let mut ok = true;
    for file in &arguments.files {
        let found = arguments.check(file);
        let functions = found.value.unwrap_or(0);
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
