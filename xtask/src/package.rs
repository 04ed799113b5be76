//! The Python package under development, importable without installation.
//!
//! Purpose: a folder for `PYTHONPATH` with a `fishplate` as pip would install it.
//! Invariant: every file in it is a link to the sources or to Cargo's output, so that after a
//! change `cargo build` is enough.
//! Reason: building and installing a wheel takes seconds. `tests/test_package.py` tests the wheel.

use crate::fishplate::Profile;
use crate::{Result, place, process};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The package's own files, relative to the root of the repository.
pub(crate) const SOURCES: &str = "bindings/python/fishplate";

/// Builds the package for the Python in `target/venv`, and returns the folder for `PYTHONPATH`.
pub(crate) fn build(profile: Profile) -> Result<PathBuf> {
    let native = build_native(profile)?;
    let folder = place::target("python").join(profile.folder());
    lay_out(&place::root().join(SOURCES), &native, &folder.join("fishplate"))
        .map_err(|error| format!("cannot lay out {}: {error}", place::shown(&folder)))?;
    Ok(folder)
}

/// Builds the package's native part, and returns its path.
pub(crate) fn build_native(profile: Profile) -> Result<PathBuf> {
    let mut command = process::cargo();
    command.args(["build", "--package", "fishplate-python"]);
    command.args(profile.arguments());
    process::run(&mut command)?;
    Ok(place::cargo_target().join(profile.folder()).join(format!(
        "{}_native{}",
        std::env::consts::DLL_PREFIX,
        std::env::consts::DLL_SUFFIX
    )))
}

/// The package's own files, and its native part, as links.
pub(crate) fn lay_out(sources: &Path, native: &Path, package: &Path) -> io::Result<()> {
    if package.exists() {
        fs::remove_dir_all(package)?;
    }
    fs::create_dir_all(package)?;
    for entry in fs::read_dir(sources)? {
        let entry = entry?;
        if entry.file_name() != "__pycache__" {
            std::os::unix::fs::symlink(entry.path(), package.join(entry.file_name()))?;
        }
    }
    std::os::unix::fs::symlink(native, package.join("_native.so"))
}
