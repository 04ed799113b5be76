//! `cargo xtask bench`: measurements, and the tables of `docs/benchmarks/`.

mod calls;
mod cpp;
mod generate;
mod graph;
mod interfaces;
mod kernels;
mod lua;
mod lua_modules;

use crate::venv::Venv;
use crate::{Result, place, process};
use std::path::Path;

/// The benchmarks.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// The time of a call into C, compared with other tools
    Calls {
        /// A smoke run, whose numbers are meaningless and are not stored
        #[arg(long)]
        quick: bool,
    },
    /// C++ libraries, compared with nanobind: lines, build times, sizes, calls, messages and stubs
    Cpp {
        /// A smoke run, whose numbers are meaningless and are not stored
        #[arg(long)]
        quick: bool,
    },
    /// Modules for Lua, and the wrappers of `wrap`: calls, bytes, and the time of a script
    Lua {
        /// A smoke run, whose numbers are meaningless and are not stored
        #[arg(long)]
        quick: bool,
    },
    /// The time of batched calls, and of the copies that arrays need
    Kernels {
        /// A smoke run, whose numbers are meaningless and are not stored
        #[arg(long)]
        quick: bool,
    },
    /// Graphs compared with hand-written loops, PyTensor, JAX, Numba, numexpr and NumPy
    Graph {
        /// A smoke run, whose numbers are meaningless and are not stored
        #[arg(long)]
        quick: bool,
    },
    /// The time of `fishplate emit` and `fishplate build`, the amount of C, and the size of modules
    Generate {
        /// A smoke run, whose numbers are meaningless and are not stored
        #[arg(long)]
        quick: bool,
    },
}

pub(crate) fn run(command: &Command) -> Result<()> {
    match command {
        Command::Calls { quick } => calls::run(*quick),
        Command::Cpp { quick } => cpp::run(*quick),
        Command::Kernels { quick } => kernels::run(*quick),
        Command::Graph { quick } => graph::run(*quick),
        Command::Lua { quick } => lua::run(*quick).and_then(|()| lua_modules::run(*quick)),
        Command::Generate { quick } => generate::run(*quick),
    }
}

/// The processor's name, if the system reports it.
fn machine() -> String {
    let model = std::fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    });
    model.unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

/// The Python for benchmarks, with other tools.
fn venv() -> Result<Venv> {
    let venv = Venv::benchmark("benches/requirements.txt");
    venv.prepare(None)?;
    Ok(venv)
}

/// A Python program of a benchmark: it finds the common modules, and its own tools (Cython, SWIG)
/// before the machine's.
fn script(venv: &Venv, path: &Path) -> std::process::Command {
    let mut command = process::command(venv.python());
    command.arg("-B").arg(path).env("VIRTUAL_ENV", venv.folder());
    command.env("PYTHONPATH", place::root().join("benches/shared"));
    let own = venv.folder().join("bin");
    let rest = std::env::var_os("PATH").unwrap_or_default();
    let all = std::iter::once(own).chain(std::env::split_paths(&rest));
    if let Ok(path) = std::env::join_paths(all) {
        command.env("PATH", path);
    }
    command
}
