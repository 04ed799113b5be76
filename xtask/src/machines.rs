//! `cargo xtask setup --machines`, `cargo xtask test --machine NAME`: modules on emulated machines.
//!
//! Purpose: Debian's Python and NumPy for other processors, in folders, and qemu to run them.
//! Invariant: packages are unpacked below `target/machines`; the machine itself gets `mmdebstrap` alone, if it lacks it.
//! Reason: byte orders, unsigned characters and alignment cannot be tested on x86-64. Emulation takes minutes, so that no
//! other command does it.

use crate::fishplate::{self, Profile};
use crate::{Result, machine, package, place, process, setup, stand_ins};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// A machine that qemu emulates.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Machine {
    /// ARM with 64 bits, little-endian; a plain `char` has no sign
    Aarch64,
    /// IBM Z, big-endian
    S390x,
}

impl Machine {
    const ALL: [Machine; 2] = [Machine::Aarch64, Machine::S390x];

    /// Its name in targets.
    fn name(self) -> &'static str {
        match self {
            Machine::Aarch64 => "aarch64",
            Machine::S390x => "s390x",
        }
    }

    /// Its name in Debian.
    fn architecture(self) -> &'static str {
        match self {
            Machine::Aarch64 => "arm64",
            Machine::S390x => "s390x",
        }
    }
}

/// The release of Debian, and what of it is on a machine.
const RELEASE: &str = "bookworm";
const PACKAGES: &str = "libstdc++6,python3,python3-numpy,libpython3-dev";

/// Unpacks every machine that is missing, and qemu.
pub(crate) fn prepare() -> Result<()> {
    for machine in Machine::ALL {
        unpack(machine)?;
    }
    qemu()?;
    stand_ins::zig(&setup::ensure()?)?;
    println!("{} holds the machines", place::shown(&folder()));
    Ok(())
}

fn folder() -> PathBuf {
    place::target("machines")
}

/// The folders of a machine and of qemu, if both are there.
fn unpacked(machine: Machine) -> Option<(PathBuf, PathBuf)> {
    let (root, qemu) = (folder().join(machine.name()), folder().join("qemu"));
    (root.is_dir() && qemu.is_dir()).then_some((root, qemu))
}

/// Debian for a machine. Its scripts, which would have to run there, do not run.
fn unpack(machine: Machine) -> Result<()> {
    let root = folder().join(machine.name());
    if root.exists() {
        return Ok(());
    }
    machine::install_tool("mmdebstrap")?;
    process::heading(&format!("Debian for {}", machine.name()));
    let part = folder().join(format!("{}.part", machine.name()));
    place::make_folder_of(&part)?;
    let mut make = process::command("mmdebstrap");
    make.args(["--variant=extract", "--architectures", machine.architecture()]);
    make.arg(format!("--include={PACKAGES}")).arg(RELEASE);
    process::run(make.arg(&part))?;
    fs::rename(&part, &root)
        .map_err(|error| format!("cannot keep {}: {error}", place::shown(&root)))
}

/// The emulators, of which the package has one file each.
fn qemu() -> Result<()> {
    let root = folder().join("qemu");
    if root.exists() {
        return Ok(());
    }
    process::heading("qemu");
    let part = folder().join("qemu.part");
    let failed = |error| format!("cannot write {}: {error}", place::shown(&part));
    fs::create_dir_all(&part).map_err(failed)?;
    process::run(
        process::command("apt-get").args(["download", "qemu-user-static"]).current_dir(&part),
    )?;
    for file in fs::read_dir(&part).map_err(failed)? {
        let file = file.map_err(failed)?.path();
        if file.extension().is_some_and(|ending| ending == "deb") {
            process::run(process::command("dpkg").arg("-x").arg(&file).arg(&part))?;
            fs::remove_file(&file).map_err(failed)?;
        }
    }
    fs::rename(&part, &root).map_err(failed)
}

/// Writes programs into a folder that run the Python of a machine, with the packages in another folder, and compile for
/// it by the `ziglang` of a Python; returns the first and the value of CC. `None` if the machine is missing.
pub(crate) fn programs(
    machine: Machine,
    packages: &Path,
    ziglang: &Path,
    into: &Path,
) -> Result<Option<(PathBuf, String)>> {
    let Some((root, qemu)) = unpacked(machine) else { return Ok(None) };
    let name = machine.name();
    let [python, compiler] = ["python", "zig"].map(|file| into.join(file));
    let (root, qemu) = (root.display(), qemu.display());
    write_script(
        &python,
        &format!(
            "exec env PYTHONHOME='{root}/usr' PYTHONPATH='{}' '{qemu}/usr/bin/qemu-{name}-static' -L '{root}' \
             -E 'LD_LIBRARY_PATH={root}/usr/lib/{name}-linux-gnu:{root}/lib/{name}-linux-gnu' '{root}/usr/bin/python3' \"$@\"\n",
            packages.display()
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
    let cc =
        format!("{} cc -target {name}-linux-gnu -idirafter {root}/usr/include", compiler.display());
    Ok(Some((python, cc)))
}

fn write_script(path: &Path, lines: &str) -> Result<()> {
    fs::write(path, format!("#!/bin/sh\n{lines}"))
        .and_then(|()| fs::set_permissions(path, fs::Permissions::from_mode(0o755)))
        .map_err(|error| format!("cannot write {}: {error}", place::shown(path)))
}

/// Runs the tests of a machine; `args` are for pytest.
pub(crate) fn test(machine: Machine, args: &[std::ffi::OsString]) -> Result<()> {
    if unpacked(machine).is_none() {
        return Err("the machines are missing: run `cargo xtask setup --machines`".to_owned());
    }
    let venv = setup::ensure()?;
    stand_ins::zig(&venv)?;
    let command = fishplate::build(Profile::Dev)?;
    let package = package::build(Profile::Dev)?;
    process::heading(&format!("modules on {}", machine.name()));
    let mut pytest = process::command(venv.python());
    pytest.args(["-m", "pytest", "--numprocesses", "auto", "--dist", "worksteal"]);
    pytest.arg(place::root().join("tests/machines")).args(args);
    pytest.env("FISHPLATE_MACHINE", machine.name()).env("FISHPLATE", command);
    pytest.env("PYTHONPATH", package).env("PATH", env::var_os("PATH").unwrap_or_default());
    process::run(&mut pytest)
}
