//! Paths of the repository and of its build output.

use crate::Result;
use std::path::{Path, PathBuf};

/// The root of the repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask/ has a folder above it")
}

/// `name` below `target/` in the repository, whatever Cargo's own target folder is: that one may
/// be shared with other checkouts, whose virtual environments would be taken for ours.
pub(crate) fn target(name: &str) -> PathBuf {
    root().join("target").join(name)
}

/// Cargo's target folder.
pub(crate) fn cargo_target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => root().join(folder),
        None => root().join("target"),
    }
}

/// A path as it is shown: relative to the repository if it is inside.
pub(crate) fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

/// Creates the folder of a file to be written.
pub(crate) fn make_folder_of(file: &Path) -> Result<()> {
    match file.parent().map(std::fs::create_dir_all) {
        Some(Err(error)) => Err(format!("cannot make the folder of {}: {error}", shown(file))),
        _ => Ok(()),
    }
}

/// A folder that exists and is empty.
pub(crate) fn make_empty(folder: &Path) -> Result<()> {
    let made = match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        _ => std::fs::create_dir_all(folder),
    };
    made.map_err(|error| format!("cannot make {} anew: {error}", shown(folder)))
}
