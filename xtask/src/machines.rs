//! `cargo xtask setup --machines`, `cargo xtask test --machine NAME`: modules on other machines.
//!
//! Purpose: a Python with NumPy for other processors, which qemu emulates, one for musl, and PyPy, in folders.
//! Invariant: everything is below `target/machines`; the machine itself gets `mmdebstrap` alone, if it lacks it.
//! Reason: byte orders, unsigned characters, alignment, another C library and another implementation of Python cannot be
//! tested by the Python of an x86-64 Debian. Emulation takes minutes, so that no other command does it.

mod emulated;
mod musl;
mod pypy;

use crate::fishplate::{self, Profile};
use crate::{Result, package, place, process, setup, stand_ins};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// A machine whose programs this one runs.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Machine {
    /// ARM with 64 bits, little-endian; a plain `char` has no sign
    Aarch64,
    /// IBM Z, big-endian
    S390x,
    /// This processor with musl as its C library, as in Alpine
    Musl,
    /// ARM with musl
    MuslAarch64,
    /// This processor with PyPy, which releases objects some time after their last use
    #[value(name = "pypy")]
    PyPy,
}

impl Machine {
    const ALL: [Machine; 5] =
        [Machine::Aarch64, Machine::S390x, Machine::Musl, Machine::MuslAarch64, Machine::PyPy];

    fn name(self) -> &'static str {
        match self {
            Machine::Aarch64 => "aarch64",
            Machine::S390x => "s390x",
            Machine::Musl => "musl",
            Machine::MuslAarch64 => "musl-aarch64",
            Machine::PyPy => "pypy",
        }
    }

    /// Its name for compilers.
    fn target(self) -> &'static str {
        match self {
            Machine::Aarch64 => "aarch64-linux-gnu",
            Machine::S390x => "s390x-linux-gnu",
            Machine::Musl => musl::X86_64.target,
            Machine::MuslAarch64 => musl::AARCH64.target,
            Machine::PyPy => pypy::TARGET,
        }
    }

    /// The path of its Python, below the folder of its files.
    fn interpreter(self) -> &'static str {
        match self {
            Machine::PyPy => pypy::INTERPRETER,
            _ => "usr/bin/python3",
        }
    }

    /// The version of its Python, that of Debian's release.
    pub(crate) fn python(self) -> &'static str {
        emulated::PYTHON
    }

    /// The folder of its files.
    fn sysroot(self) -> PathBuf {
        folder().join(self.name())
    }

    fn is_ready(self) -> bool {
        match self {
            Machine::Aarch64 | Machine::S390x => emulated::is_ready(&self.sysroot()),
            Machine::Musl | Machine::MuslAarch64 => musl::is_ready(&self.sysroot()),
            Machine::PyPy => pypy::is_ready(&self.sysroot()),
        }
    }

    /// A program that runs one of the machine.
    fn starter(self) -> Result<PathBuf> {
        let path = folder().join(format!("run-{}", self.name()));
        let command = match self {
            Machine::Aarch64 | Machine::S390x => {
                emulated::starter(&self.sysroot(), self.name(), self.target())
            }
            Machine::Musl => musl::X86_64.starter(&self.sysroot()),
            Machine::MuslAarch64 => musl::AARCH64.starter(&self.sysroot()),
            Machine::PyPy => pypy::starter(&self.sysroot()),
        };
        write_script(&path, &command)?;
        Ok(path)
    }
}

/// Makes every machine that is missing.
pub(crate) fn prepare() -> Result<()> {
    let venv = setup::ensure()?;
    stand_ins::zig(&venv)?;
    emulated::unpack_qemu()?;
    let musl = |machine: Machine, processor: musl::Processor| {
        let helper = Machine::Musl.sysroot().join(Machine::Musl.interpreter());
        processor.make(&machine.sysroot(), &machine.starter()?, &helper, &venv)
    };
    // The Python for musl on this processor helps to build the one for ARM.
    for machine in Machine::ALL {
        match machine {
            Machine::Aarch64 => emulated::unpack(&machine.sysroot(), "arm64")?,
            Machine::S390x => emulated::unpack(&machine.sysroot(), "s390x")?,
            Machine::Musl => musl(machine, musl::X86_64)?,
            Machine::MuslAarch64 => musl(machine, musl::AARCH64)?,
            Machine::PyPy => pypy::make(&machine.sysroot(), &venv)?,
        }
    }
    println!("{} holds the machines", place::shown(&folder()));
    Ok(())
}

fn folder() -> PathBuf {
    place::target("machines")
}

/// Programs for a wheel that is tried on a machine.
pub(crate) struct Programs {
    /// Runs the machine's Python.
    pub python: PathBuf,
    /// The value of CC, with which that Python compiles.
    pub compiler: String,
}

impl Programs {
    /// Writes the programs into a folder: Python finds the packages in another folder, and compiles by the `ziglang` of a
    /// Python of this machine. `None` if the machine is missing.
    pub(crate) fn write(
        machine: Machine,
        packages: &Path,
        ziglang: &Path,
        into: &Path,
    ) -> Result<Option<Programs>> {
        if !machine.is_ready() {
            return Ok(None);
        }
        let [python, compiler] = ["python", "zig"].map(|file| into.join(file));
        let (root, start) = (machine.sysroot(), machine.starter()?);
        let root = root.display();
        write_script(
            &python,
            &format!(
                "exec env PYTHONHOME='{root}/usr' PYTHONPATH='{}' '{}' '{root}/{}' \"$@\"\n",
                packages.display(),
                start.display(),
                machine.interpreter()
            ),
        )?;
        // The processor of this machine is not that of the other one.
        write_script(
            &compiler,
            &format!(
                "for word; do shift; case $word in -march=native) ;; *) set -- \"$@\" \"$word\" ;; esac; done\n\
                 exec env -u PYTHONHOME -u PYTHONPATH -u LD_LIBRARY_PATH '{}' -m ziglang \"$@\"\n",
                ziglang.display()
            ),
        )?;
        let (compiler, target) = (compiler.display(), machine.target());
        let headers = match machine {
            Machine::Aarch64 | Machine::S390x => format!(" -idirafter {root}/usr/include"),
            // The compiler has those of musl.
            _ => String::new(),
        };
        let compiler = format!("{compiler} cc -target {target}{headers}");
        Ok(Some(Programs { python, compiler }))
    }
}

fn write_script(path: &Path, lines: &str) -> Result<()> {
    fs::write(path, format!("#!/bin/sh\n{lines}"))
        .and_then(|()| fs::set_permissions(path, fs::Permissions::from_mode(0o755)))
        .map_err(|error| format!("cannot write {}: {error}", place::shown(path)))
}

/// Runs the tests of a machine; `args` are for pytest.
pub(crate) fn test(machine: Machine, args: &[std::ffi::OsString]) -> Result<()> {
    if !machine.is_ready() {
        return Err("the machine is missing: run `cargo xtask setup --machines`".to_owned());
    }
    let venv = setup::ensure()?;
    stand_ins::zig(&venv)?;
    let command = fishplate::build(Profile::Dev)?;
    let package = package::build(Profile::Dev)?;
    process::heading(&format!("modules on {}", machine.name()));
    let mut pytest = process::command(venv.python());
    pytest.args(["-m", "pytest", "--numprocesses", "auto", "--dist", "worksteal"]);
    pytest.arg(place::root().join("tests/machines")).args(args);
    pytest.env("FISHPLATE_MACHINE", machine.target()).env("FISHPLATE", command);
    pytest.env("FISHPLATE_SYSROOT", machine.sysroot());
    pytest.env("FISHPLATE_STARTER", machine.starter()?);
    pytest.env("FISHPLATE_INTERPRETER", machine.sysroot().join(machine.interpreter()));
    pytest.env("PYTHONPATH", package).env("PATH", env::var_os("PATH").unwrap_or_default());
    process::run(&mut pytest)
}
