//! `fishplate build FILE`

use crate::hosts::{self, HostName, InstallationOptions, name};
use crate::report;
use fishplate_driver::{BuildOptions, Event, Host, build_file, default_host};
use indicatif::{ProgressBar, ProgressStyle};
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
    let mut progress = Progress::default();
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

/// A bar on a terminal once there is more than one unit to compile; nothing elsewhere.
#[derive(Default)]
struct Progress {
    bar: Option<ProgressBar>,
}

impl Progress {
    fn on(&mut self, event: &Event) {
        match event {
            Event::WaitingForLock { .. } => {
                anstream::eprintln!("waiting for another build of this module");
            }
            Event::Compiling { unit, total, .. } if *total > 1 => {
                let bar = self.bar.get_or_insert_with(|| {
                    let style =
                        ProgressStyle::with_template("compiling {bar:30} {pos}/{len} {msg}");
                    let bar = ProgressBar::new(*total as u64);
                    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
                    bar
                });
                bar.set_message(unit.display().to_string());
            }
            Event::Compiled { .. } => {
                if let Some(bar) = &self.bar {
                    bar.inc(1);
                }
            }
            _ => {}
        }
    }

    fn finish(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}
