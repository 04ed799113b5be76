//! Debian's Python and NumPy for other processors, and qemu to run them.

use super::folder;
use crate::apt::Release;
use crate::{Result, machine, place, process};
use std::fs;
use std::path::{Path, PathBuf};

/// The release of Debian, the version of its Python, and the packages of a machine.
pub(super) const RELEASE: &str = "bookworm";
pub(super) const PYTHON: &str = "3.11";
const PACKAGES: &str = "libstdc++6,python3,python3-numpy,libpython3-dev";

fn qemu() -> PathBuf {
    folder().join("qemu")
}

pub(super) fn is_ready(root: &Path) -> bool {
    root.is_dir() && qemu().is_dir()
}

/// Debian with Python for an architecture, by Debian's name of it.
pub(super) fn unpack(root: &Path, architecture: &str) -> Result<()> {
    unpack_packages(root, RELEASE, architecture, PACKAGES)
}

/// Packages of a release for an architecture, with all that they need. Their scripts, which would have to run there, do not
/// run.
pub(super) fn unpack_packages(
    root: &Path,
    release: &str,
    architecture: &str,
    packages: &str,
) -> Result<()> {
    if root.exists() {
        return Ok(());
    }
    machine::install_tool("mmdebstrap")?;
    process::heading(&format!("Debian {release} for {architecture}"));
    let part = root.with_extension("part");
    place::make_folder_of(&part)?;
    let mut make = process::command("mmdebstrap");
    make.args(["--variant=extract", "--architectures", architecture]);
    make.arg(format!("--include={packages}")).arg(release);
    process::run(make.arg(&part))?;
    keep(&part, root)
}

/// The emulators, of which the package has one file each.
pub(super) fn unpack_qemu() -> Result<()> {
    let root = qemu();
    if root.exists() {
        return Ok(());
    }
    process::heading("qemu");
    let part = root.with_extension("part");
    place::make_empty(&part)?;
    Release::open(RELEASE, &folder())?.unpack("qemu-user-static", &part)?;
    keep(&part, &root)
}

fn keep(part: &Path, root: &Path) -> Result<()> {
    fs::rename(part, root).map_err(|error| format!("cannot keep {}: {error}", place::shown(root)))
}

/// The line of a script that runs a program below `root` for a processor. The folders of BLAS are those that scripts of
/// its packages, which did not run, would have chosen.
pub(super) fn starter(root: &Path, processor: &str, target: &str) -> String {
    let (root, qemu) = (root.display(), qemu());
    let below = ["usr/lib/@/blas", "usr/lib/@/lapack", "usr/lib/@", "lib/@"];
    let libraries = below.map(|one| format!("{root}/{}", one.replace('@', target))).join(":");
    let qemu = qemu.join(format!("usr/bin/qemu-{processor}-static"));
    format!("exec '{}' -L '{root}' -E 'LD_LIBRARY_PATH={libraries}' \"$@\"\n", qemu.display())
}
