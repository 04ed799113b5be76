//! `fishplate build FILE`

use crate::{Host, report};
use fishplate_driver::{BuildOptions, Event, build_file};
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
    /// The host language; by default python, and lua with --lua.
    #[arg(long, value_enum)]
    host: Option<Host>,
    /// The Python to build for: a path, a name on PATH, or a version such as 3.12. By default the one that
    /// runs this command, if one does, else the one in use ($VIRTUAL_ENV, then PATH).
    #[arg(long)]
    python: Option<PathBuf>,
    /// The Lua to build for: lua5.1, luajit, lua5.2, lua5.3, lua5.4; by default the one that `lua` on PATH
    /// is, else the newest that is here.
    #[arg(long, value_name = "NAME")]
    lua: Option<String>,
    /// The folder for the module; it is created.
    #[arg(short, long, value_name = "DIR", default_value = ".")]
    out: PathBuf,
}

impl Arguments {
    /// Whoever names a Lua wants a module for it.
    fn host(&self) -> Host {
        let usual = if self.lua.is_some() { Host::Lua } else { Host::Python };
        self.host.unwrap_or(usual)
    }

    /// What of the command line contradicts the host.
    pub(crate) fn contradiction(&self) -> Option<&'static str> {
        match self.host() {
            Host::Python if self.lua.is_some() => {
                Some("--lua contradicts `--host python`: write `--host lua`")
            }
            Host::Lua if self.host.is_none() && self.python.is_some() => {
                Some("--lua and --python contradict each other: a module is for one of them")
            }
            _ => None,
        }
    }
}

pub(crate) fn run(arguments: &Arguments, as_json: bool) -> bool {
    let options = BuildOptions {
        file: arguments.file.clone(),
        host: arguments.host().into(),
        python: arguments.python.clone(),
        lua: arguments.lua.clone(),
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
