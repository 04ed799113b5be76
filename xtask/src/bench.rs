//! `cargo xtask bench`: measurements, and the tables of `docs/benchmarks/`.

mod calls;
mod cpp;
mod generate;
mod graph;
mod interfaces;
mod kernels;
mod lua;
mod lua_modules;
mod tensors;

use crate::venv::Venv;
use crate::{Result, base_python, place, process};
use std::path::{Path, PathBuf};

/// The benchmarks.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// The time of a call into C, compared with other tools
    Calls {
        /// Measure the calls with this version of Python, and store them in tables of their own
        #[arg(long, value_name = "VERSION", value_parser = version)]
        python: Option<(u32, u32)>,
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
        /// Instead of these: tensors, compared with those of torch7, whose checkout this is
        #[arg(long, value_name = "FOLDER")]
        torch: Option<PathBuf>,
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
        Command::Calls { python, quick } => calls::run(*python, *quick),
        Command::Cpp { quick } => cpp::run(*quick),
        Command::Kernels { quick } => kernels::run(*quick),
        Command::Graph { quick } => graph::run(*quick),
        Command::Lua { quick, torch: Some(checkout) } => tensors::run(checkout, *quick),
        Command::Lua { quick, torch: None } => {
            lua::run(*quick).and_then(|()| lua_modules::run(*quick))
        }
        Command::Generate { quick } => generate::run(*quick),
    }
}

/// A version of Python, such as `3.13`.
fn version(text: &str) -> Result<(u32, u32)> {
    let parts = text.split_once('.').and_then(|(major, minor)| {
        let parse = |part: &str| part.parse().ok();
        Some((parse(major)?, parse(minor)?))
    });
    parts.ok_or_else(|| "a version has a form such as 3.13".to_owned())
}

/// The processor's name, if the system reports it.
fn machine() -> String {
    let model = std::fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    });
    model.unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

/// Prints a page, and writes it to `docs/benchmarks` except in a smoke run.
fn publish(page: &str, name: &str, quick: bool) -> Result<()> {
    println!("{page}");
    if quick {
        return Ok(());
    }
    let file = place::root().join("docs/benchmarks").join(name);
    place::make_folder_of(&file)?;
    std::fs::write(&file, page)
        .map_err(|error| format!("cannot write {}: {error}", place::shown(&file)))
}

/// The Python for benchmarks, with other tools.
fn venv() -> Result<Venv> {
    let venv = Venv::benchmark("benches/requirements.txt");
    venv.prepare(None)?;
    Ok(venv)
}

/// The Python of a version, with the tools of `benches/calls` that can be installed for it.
fn venv_of(version: (u32, u32)) -> Result<Venv> {
    let base = base_python::of_version(version)?;
    let folder = format!("bench-venv-{}.{}", version.0, version.1);
    let venv = Venv::separate(&folder, "benches/calls/requirements.txt");
    if let Err(message) = venv.prepare(Some(&base.executable)) {
        println!("{message}");
        venv.install_possible()?;
    }
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
