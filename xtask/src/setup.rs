//! `cargo xtask setup`: the requirements of the other commands.

use crate::fishplate::{self, Profile};
use crate::venv::Venv;
use crate::{Result, free_threaded, machine, machines, package, place, pythons, stand_ins};
use std::path::PathBuf;

/// Arguments of `setup`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Also install the compilers, sanitizers and linters for the complete tests: by apt-get as
    /// root on Debian; elsewhere, print what to install
    #[arg(long, visible_alias = "full")]
    ci: bool,
    /// Also unpack Debian for other processors, qemu and PyPy, and build a Python with musl, for `test --machine`: 1.4 GB
    #[arg(long)]
    machines: bool,
    /// Also set up every Python from 3.12 on, in target/python-3.12 and so on, for the tests of the stable ABI
    #[arg(long)]
    pythons: bool,
    /// The Python for creating target/venv; by default the newest complete one
    #[arg(long)]
    python: Option<PathBuf>,
    /// Only target/free-threaded/venv, for `cargo xtask test --free-threaded`: with the Python of --python, or one that is
    /// built from Debian's source package
    #[arg(long, conflicts_with = "ci")]
    free_threaded: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    if arguments.free_threaded {
        let venv = free_threaded::prepare(arguments.python.as_deref())?;
        println!("{} is ready", place::shown(&venv.python()));
        return Ok(());
    }
    if arguments.ci {
        machine::install_missing()?;
    }
    if arguments.machines {
        machines::prepare()?;
    }
    let venv = Venv::development();
    let changed = if arguments.ci {
        // All tests need the command.
        venv.prepare_while(arguments.python.as_deref(), || fishplate::build(Profile::Dev))?.0
    } else {
        venv.prepare(arguments.python.as_deref())?
    };
    if arguments.ci {
        stand_ins::zig(&venv)?;
    }
    let python = place::shown(&venv.python());
    println!("{python} {}", if changed { "is ready" } else { "is up to date" });
    if arguments.pythons {
        pythons::prepare();
    }
    let package = package::build(Profile::Dev)?;
    println!("{} holds the package, for PYTHONPATH", place::shown(&package));
    Ok(())
}

/// The development environment, created if it is missing.
pub(crate) fn ensure() -> Result<Venv> {
    let venv = Venv::development();
    venv.prepare(None)?;
    Ok(venv)
}
