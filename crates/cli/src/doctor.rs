//! `fishplate doctor`

use crate::hosts::InstallationOptions;
use fishplate_driver::{BuildOptions, Environment, HOSTS, build_file, usual_toolchain};
use serde_json::json;

const HELP: &str = "\
Looks for installations of the host languages and for compilers, and builds a module of one function. \
Exit status 0 if that worked.";

/// Arguments of `doctor`.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    #[command(flatten)]
    installations: InstallationOptions,
}

const TRIAL: &str = "[module]\nname = \"trial\"\nheaders = [\"<math.h>\"]\n\n[function.root]\n\
                     proto = \"double sqrt(double x)\"\n";

pub(crate) fn run(arguments: &Arguments, as_json: bool) -> bool {
    let mut lines = vec![format!("fishplate {}", fishplate_driver::VERSION)];
    let wanted = &arguments.installations.0;
    let environment = Environment::current();
    lines.extend(HOSTS.iter().flat_map(|host| host.survey(&environment, wanted.of(*host))));
    lines.push("compilers:".to_owned());
    for looked in usual_toolchain(wanted).survey() {
        lines.push(format!("  {looked}"));
    }
    let works = trial(&arguments.installations, &mut lines);
    lines.push(if works {
        "a module can be built".to_owned()
    } else {
        "a module cannot be built".to_owned()
    });
    if as_json {
        crate::report::print_json(&json!({"ok": works, "found": lines}));
    } else {
        println!("{}", lines.join("\n"));
    }
    works
}

/// Builds a module of one function; errors are added to `lines`.
fn trial(installations: &InstallationOptions, lines: &mut Vec<String>) -> bool {
    let folder = match tempfile::tempdir() {
        Ok(folder) => folder,
        Err(error) => {
            lines.push(format!("no temporary folder: {error}"));
            return false;
        }
    };
    let file = folder.path().join("trial.toml");
    if let Err(error) = std::fs::write(&file, TRIAL) {
        lines.push(format!("cannot write {}: {error}", file.display()));
        return false;
    }
    let options = BuildOptions {
        file,
        host: installations.host(),
        installations: installations.0.clone(),
        out: folder.path().to_owned(),
        stable_abi: false,
    };
    let built = build_file(&options, &mut |_| {});
    for diagnostic in &built.diagnostics {
        let label = &diagnostic.primary.text;
        let separator = if label.is_empty() { "" } else { ": " };
        lines.push(format!("{}{separator}{label}", diagnostic.message));
        if !diagnostic.hint.contains("doctor") {
            lines.push(format!("  {}", diagnostic.hint));
        }
    }
    built.value.is_some()
}
