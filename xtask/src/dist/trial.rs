//! A wheel, installed and tried where nothing else is: a first module, a graph, and the command.

use super::platform::Platform;
use super::tools::Tools;
use crate::base_python::BasePython;
use crate::machines::{Machine, Programs};
use crate::{Result, place, process};
use std::path::Path;
use std::process::Command;

/// Fails at the first thing that does not work.
const SCRIPT: &str = include_str!("trial.py");

/// The behaviour of `fishplate lua`.
#[derive(Clone, Copy)]
pub(super) enum Lua {
    /// It runs scripts.
    Runs,
    /// It reports how to get an interpreter: pip has compiled Fishplate without it.
    IsLeftOut,
}

/// Installs a distribution into a new environment of a Python, with what it requires, and tries it.
pub(super) fn install_and_try(python: &BasePython, file: &Path, lua: Lua) -> Result<()> {
    let (major, minor) = python.version;
    let folder = place::target("wheels-build").join(format!("python{major}.{minor}"));
    place::make_empty(&folder)?;
    let venv = folder.join("venv");
    process::run(process::command(&python.executable).args(["-m", "venv"]).arg(&venv))?;
    let mut pip = process::command(venv.join("bin/python"));
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).arg(file);
    // Nothing is kept: the archive's files are all of the year 2006, so that Cargo would not see which have changed.
    process::run(clean(pip.env("CARGO_TARGET_DIR", folder.join("cargo"))))?;
    let script = folder.join("trial.py");
    std::fs::write(&script, SCRIPT).map_err(|error| format!("cannot write trial.py: {error}"))?;
    let mut run = process::command(venv.join("bin/python"));
    run.current_dir(&folder).arg("-P").arg(&script).arg(match lua {
        Lua::Runs => "lua",
        Lua::IsLeftOut => "no-lua",
    });
    process::run(clean(run.env("FISHPLATE_CACHE_DIR", folder.join("cache"))))
}

/// Tries a wheel with the Python of another machine, if there is one, together with NumPy from the index.
pub(super) fn try_on(
    machine: Machine,
    tools: &Tools,
    platform: &Platform,
    wheel: &Path,
) -> Result<()> {
    let folder = place::target("wheels-build").join("other");
    place::make_empty(&folder)?;
    let packages = folder.join("packages");
    let Some(Programs { python, compiler }) =
        Programs::write(machine, &packages, &tools.python(), &folder)?
    else {
        println!("not tried: `cargo xtask setup --machines` makes the machine");
        return Ok(());
    };
    tools.install_for(machine, &platform.tags(), wheel, &packages)?;
    let script = folder.join("trial.py");
    std::fs::write(&script, SCRIPT).map_err(|error| format!("cannot write trial.py: {error}"))?;
    let mut run = process::command(&python);
    run.current_dir(&folder).arg("-P").arg(&script).arg("lua").arg(&python);
    run.env("CC", compiler).env("FISHPLATE_CACHE_DIR", folder.join("cache"));
    process::run(clean(&mut run))
}

/// Without the settings of a checkout.
fn clean(command: &mut Command) -> &mut Command {
    for name in ["PYTHONPATH", "PYO3_PYTHON", "VIRTUAL_ENV", "FISHPLATE", "RUSTFLAGS"] {
        command.env_remove(name);
    }
    command
}
