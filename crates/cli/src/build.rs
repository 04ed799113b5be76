//! `fishplate build FILE`

use crate::hosts::{self, HostName, InstallationOptions, name};
use crate::machine::MachineOptions;
use crate::progress::{Progress, Verbosity};
use crate::report;
use crate::watch::{Change, Watch};
use fishplate_driver::{
    BuildOptions, Event, Host, Module, Report, build_file, default_host, named_files,
};
use serde_json::json;
use std::collections::BTreeSet;
use std::path::PathBuf;

const HELP: &str = "\
The compiler is $CC, else gcc or clang, else the PyPI package `ziglang`. A build is skipped when \
nothing it depends on has changed: sources, headers, flags, compiler, Python, Fishplate itself.

    fishplate build stats.toml
    fishplate build stats.toml --python .venv/bin/python --out src/mypackage
    fishplate build stats.toml --python 3.12 --stable-abi
    fishplate build stats.toml --host lua --lua lua5.4 --out build
    fishplate build stats.toml --target aarch64-linux-gnu.2.17
    fishplate build stats.toml --watch
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
    #[command(flatten)]
    machine: MachineOptions,
    /// The folder for the module; it is created.
    #[arg(short, long, value_name = "DIR", default_value = ".")]
    out: PathBuf,
    /// Use only Python's stable ABI: one module for every CPython from 3.12 on, NAME.abi3.so.
    #[arg(long)]
    stable_abi: bool,
    /// Stay, and build again whenever a file changes that the module depends on.
    #[arg(short, long)]
    watch: bool,
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
        installations: arguments.machine.applied_to(arguments.installations.0.clone()),
        out: arguments.out.clone(),
        stable_abi: arguments.stable_abi,
    };
    // A mistyped name would be waited for without end.
    if arguments.watch && options.file.exists() {
        return watch(arguments, &options, as_json);
    }
    let (built, _) = build(arguments, &options);
    show(&built, as_json);
    built.value.is_some()
}

/// Builds once; returns the files that were read, too.
fn build(arguments: &Arguments, options: &BuildOptions) -> (Report<Module>, BTreeSet<PathBuf>) {
    let mut progress = Progress::new(arguments.verbosity);
    let mut read = BTreeSet::new();
    let built = build_file(options, &mut |event| {
        progress.on(&event);
        if let Event::Read { files } = event {
            read.extend(files);
        }
    });
    progress.finish();
    (built, read)
}

fn show(built: &Report<Module>, as_json: bool) {
    if as_json {
        let module =
            built.value.as_ref().map(|module| json!({"path": module.path, "fresh": module.fresh}));
        report::print_json(&report::as_json(built, json!({"module": module})));
    } else {
        report::show(built);
        if let Some(module) = &built.value {
            if !module.fresh {
                anstream::eprintln!("nothing changed");
            }
            println!("{}", module.path.display());
        }
    }
}

/// Builds after each change, until the process is interrupted.
fn watch(arguments: &Arguments, options: &BuildOptions, as_json: bool) -> bool {
    let mut watch = match Watch::new() {
        Ok(watch) => watch,
        Err(error) => {
            anstream::eprintln!("error: files cannot be watched: {error}");
            return false;
        }
    };
    let mut shown: Option<String> = None;
    let mut change = Change::File;
    let mut known = BTreeSet::new();
    loop {
        let (built, read) = build(arguments, options);
        let is_built = built.value.is_some();
        // After an error, the files of the last build that had none are watched too.
        known = if is_built { read } else { known.into_iter().chain(read).collect() };
        let files = known.iter().cloned().chain(named_files(options));
        let has_new_folders = watch.set(files);
        // A module that was up to date is news only after an error, and an error after an edit.
        let outcome = report::plain(&built);
        let is_news = match &built.value {
            Some(module) => module.fresh,
            None => change == Change::File,
        };
        if is_news || shown.as_ref() != Some(&outcome) {
            show(&built, as_json);
        }
        if shown.replace(outcome).is_none() {
            anstream::eprintln!("watching {} files; Ctrl-C ends it", watch.len());
        }
        change = match has_new_folders {
            true => Change::Other,
            false => match watch.wait(!is_built) {
                Some(change) => change,
                None => return false,
            },
        };
    }
}
