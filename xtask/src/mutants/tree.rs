//! A copy of the repository for the bugs.
//!
//! Purpose: the copy, with the command and the package that were built from it.
//! Invariant: it equals the repository when it was copied, except while `with` runs; outside of
//! `target/mutants` nothing is written.
//! Reason: the command and the package contain the runtime's headers unchanged, so that a bug of
//! the same length can be written into both, and only the modules that tests generate are compiled.

use super::Mutant;
use crate::fishplate::Profile;
use crate::{Result, fishplate, package, place, process};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A file that was built, which may contain headers.
struct Built {
    path: PathBuf,
    bytes: Vec<u8>,
}

pub(super) struct Tree {
    root: PathBuf,
    command: Built,
    native: Built,
    /// The folder for `PYTHONPATH`.
    package: PathBuf,
}

impl Tree {
    /// Copies the files of the repository, and builds the command and the package.
    pub(super) fn copy() -> Result<Tree> {
        let root = place::target("mutants").join("tree");
        if root.exists() {
            fs::remove_dir_all(&root).map_err(|error| cannot("remove", &root, &error))?;
        }
        let mut list = process::command("git");
        list.args(["ls-files", "--cached", "--others", "--exclude-standard"]);
        for file in process::capture(&mut list)?.lines() {
            let (from, to) = (place::root().join(file), root.join(file));
            // Git lists files that were deleted as well.
            if from.is_file() {
                place::make_folder_of(&to)?;
                fs::copy(&from, &to).map_err(|error| cannot("copy", &from, &error))?;
            }
        }
        let built = |from: PathBuf, name: &str| -> Result<Built> {
            let bytes = fs::read(&from).map_err(|error| cannot("read", &from, &error))?;
            Ok(Built { path: place::target("mutants").join(name), bytes })
        };
        let command = built(fishplate::build(Profile::Dev)?, "fishplate")?;
        let native = built(package::build_native(Profile::Dev)?, "_native.so")?;
        let package = root.join("target/python/debug");
        package::lay_out(&root.join(package::SOURCES), &native.path, &package.join("fishplate"))
            .map_err(|error| cannot("lay out", &package, &error))?;
        command.write(&command.bytes)?;
        native.write(&native.bytes)?;
        Ok(Tree { root, command, native, package })
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    pub(super) fn command(&self) -> &Path {
        &self.command.path
    }

    pub(super) fn package(&self) -> &Path {
        &self.package
    }

    /// The content of the mutant's file without the bug and with it.
    pub(super) fn read(&self, mutant: &Mutant) -> Result<(String, String)> {
        let path = self.root.join(&mutant.file);
        let text = fs::read_to_string(&path).map_err(|error| cannot("read", &path, &error))?;
        let changed = mutant.change(&text)?;
        let is_built_in = mutant.file.starts_with("crates") && mutant.package.is_none();
        if is_built_in && !self.command.holds(&text) && !self.native.holds(&text) {
            let file = mutant.file.display();
            return Err(format!(
                "{}: neither the command nor the package holds {file}",
                mutant.name
            ));
        }
        Ok((text, changed))
    }

    /// Introduces the bug while `tried` runs.
    pub(super) fn with<T>(&self, mutant: &Mutant, tried: impl FnOnce() -> Result<T>) -> Result<T> {
        let (text, changed) = self.read(mutant)?;
        let path = self.root.join(&mutant.file);
        write(&path, changed.as_bytes())?;
        for built in [&self.command, &self.native] {
            if built.holds(&text) {
                built.write(&built.replaced(&text, &changed))?;
            }
        }
        let result = tried();
        write(&path, text.as_bytes())?;
        self.command.write(&self.command.bytes)?;
        self.native.write(&self.native.bytes)?;
        result
    }
}

impl Built {
    fn holds(&self, text: &str) -> bool {
        memchr::memmem::find(&self.bytes, text.as_bytes()).is_some()
    }

    /// Its bytes with another string of the same length for every occurrence of the first.
    fn replaced(&self, text: &str, other: &str) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        for place in memchr::memmem::find_iter(&self.bytes, text.as_bytes()) {
            bytes[place..place + text.len()].copy_from_slice(other.as_bytes());
        }
        bytes
    }

    fn write(&self, bytes: &[u8]) -> Result<()> {
        write(&self.path, bytes)?;
        fs::set_permissions(&self.path, fs::Permissions::from_mode(0o755))
            .map_err(|error| cannot("change", &self.path, &error))
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(path, bytes).map_err(|error| cannot("write", path, &error))
}

fn cannot(what: &str, path: &Path, error: &std::io::Error) -> String {
    format!("cannot {what} {}: {error}", place::shown(path))
}
