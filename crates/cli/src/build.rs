//! `fishplate build FILE`

use crate::hosts::{self, HostName, InstallationOptions, name};
use crate::progress::{Progress, Verbosity};
use crate::report;
use fishplate_driver::{BuildOptions, Host, build_file, default_host};
use serde_json::json;
use std::path::PathBuf;

const HELP: &str = "\
The compiler is $CC, else gcc or clang, else the PyPI package `ziglang`. A build is skipped when
nothing it depends on has changed: sources, headers, flags, compiler, Python, Fishplate itself.

    fishplate build stats.toml
    fishplate build stats.toml --python .venv/bin/python --out src/mypackage
    fishplate build stats.toml --host lua --lua lua5.4 --out build
    cd $(dirname $(fishplate build stats.toml --out build | tail -n 1))";

/// Arguments of `build`.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// The interface file.
    file: PathBuf,
    /// The host language; by default the one whose installation is named, else the first.
    #[arg(long, value_parser = hosts::parser())]
    host: Option<HostName>,
    #[command(flatten)]
    installations: InstallationOptions,
    /// The folder for the module; it is created.
    #[arg(short, long, value_name = "DIR", default_value = ".")]
    out: PathBuf,
    #[command(flatten)]
    verbosity: Verbosity,
}

impl Arguments {
    fn host(&self) -> &'static dyn Host {
        self.host.map_or_else(|| self.installations.host(), |host| host.0)
    }

    /// Options that contradict the host. The installation of the default host is valid for every
    /// host, because it may define folders.
    pub(crate) fn contradiction(&self) -> Option<String> {
        let host = self.host();
        let is_allowed =
            |other: &&dyn Host| self.host.is_some() && name(*other) == name(default_host());
        let other = self.installations.others(host).find(|other| !is_allowed(other)).map(name)?;
        Some(match self.host {
            Some(_) => format!(
                "--{other} contradicts `--host {host}`: write `--host {other}`",
                host = name(host)
            ),
            None => format!(
                "--{} and --{other} contradict each other: a module is for one of them",
                name(host)
            ),
        })
    }
}

pub(crate) fn run(arguments: &Arguments, as_json: bool) -> bool {
    let options = BuildOptions {
        file: arguments.file.clone(),
        host: arguments.host(),
        installations: arguments.installations.0.clone(),
        out: arguments.out.clone(),
    };
    let mut progress = Progress::new(arguments.verbosity);
    let built = build_file(&options, &mut |event| progress.on(&event));
    progress.finish();
    if as_json {
        let module =
            built.value.as_ref().map(|module| json!({"path": module.path, "fresh": module.fresh}));
        report::print_json(&report::as_json(&built, json!({"module": module})));
    } else {
        report::show(&built);
        if let Some(module) = &built.value {
            if !module.fresh {
                anstream::eprintln!("nothing changed");
            }
            println!("{}", module.path.display());
        }
    }
    built.value.is_some()
}
