//! The Python package under development, importable without installation.
//!
//! Purpose: a folder for `PYTHONPATH` with a `fishplate` as pip would install it.
//! Invariant: every file in it is a link to the sources, or to the native part of the last build by this code. Cargo
//! removes its own output whenever a process builds, also while tests import it.
//! Reason: building and installing a wheel takes seconds. `tests/test_wheel.py` tests the wheel.

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
    let kept = folder.join("native");
    keep(&native, &kept)
        .and_then(|()| lay_out(&place::root().join(SOURCES), &kept, &folder.join("fishplate")))
        .map_err(|error| format!("cannot lay out {}: {error}", place::shown(&folder)))?;
    write_metadata(&folder)?;
    Ok(folder)
}

/// Builds the package's native part, and returns its path.
pub(crate) fn build_native(profile: Profile) -> Result<PathBuf> {
    process::run(&mut profile.build("fishplate-python"))?;
    Ok(place::cargo_target().join(profile.folder()).join(format!(
        "{}_native{}",
        std::env::consts::DLL_PREFIX,
        std::env::consts::DLL_SUFFIX
    )))
}

/// Gives a file another name, by which it remains when the first one is replaced.
fn keep(file: &Path, name: &Path) -> io::Result<()> {
    if let Some(folder) = name.parent() {
        fs::create_dir_all(folder)?;
    }
    if name.exists() {
        fs::remove_file(name)?;
    }
    fs::hard_link(file, name).or_else(|_| fs::copy(file, name).map(drop))
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

/// Writes the metadata of the package next to it, as an installation has it: build systems find its plug-ins there.
fn write_metadata(folder: &Path) -> Result<()> {
    let project: toml::Table = fs::read_to_string(place::root().join("pyproject.toml"))
        .map_err(|error| format!("cannot read pyproject.toml: {error}"))?
        .parse()
        .map_err(|error| format!("pyproject.toml: {error}"))?;
    let mut groups = String::new();
    let entry_points = project["project"]["entry-points"].as_table().into_iter().flatten();
    for (group, entries) in entry_points {
        groups += &format!("[{group}]\n{}\n", toml::to_string(entries).unwrap_or_default());
    }
    let version = env!("CARGO_PKG_VERSION");
    let metadata = format!("Metadata-Version: 2.1\nName: fishplate\nVersion: {version}\n");
    let info = folder.join(format!("fishplate-{version}.dist-info"));
    let write = |name: &str, text: String| fs::write(info.join(name), text);
    fs::create_dir_all(&info)
        .and_then(|()| write("METADATA", metadata))
        // Names and objects without the quotes of TOML.
        .and_then(|()| write("entry_points.txt", groups.replace('"', "")))
        .map_err(|error| format!("cannot write {}: {error}", place::shown(&info)))
}
