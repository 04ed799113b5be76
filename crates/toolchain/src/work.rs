//! The work folder of a library, and atomic writing of files.
//!
//! ```text
//! OUT/stats.so               the library, renamed into place
//! WORK/lock
//!      manifest.json
//!      src/  generated units and headers
//!      obj/  object files
//!      tmp-XXXXXX/  one build's unfinished files
//! ```
//!
//! The request names the work folder; by default it is `OUT/.fishplate/NAME`, with a `.gitignore` that keeps
//! it out of the user's commits.
//!
//! Unfinished files are in a separate folder for each build: the compilers of a build that was
//! killed may still be running, and must not write into a later one's. If the output folder is on
//! another file system, a finished file is copied next to its destination and renamed there.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::error::{BuildError, Doing};
use crate::request::{Request, generated_name};

const UNFINISHED: &str = "tmp-";

/// The paths of one library's work folder, all absolute.
#[derive(Debug)]
pub(crate) struct Work {
    /// The output folder.
    pub out: PathBuf,
    root: PathBuf,
    /// Generated units and headers.
    pub sources: PathBuf,
    /// Object files.
    pub objects: PathBuf,
}

impl Work {
    /// Creates the root if it is missing, for the lock.
    pub fn open(request: &Request) -> Result<Self, BuildError> {
        let out = std::path::absolute(&request.out).doing("find", &request.out)?;
        let root = match &request.work {
            Some(work) => std::path::absolute(work).doing("find", work)?,
            None => out.join(".fishplate").join(&request.name),
        };
        let work = Self { out, sources: root.join("src"), objects: root.join("obj"), root };
        fs::create_dir_all(&work.out).doing("create the folder", &work.out)?;
        fs::create_dir_all(&work.root).doing("create the folder", &work.root)?;
        Ok(work)
    }

    /// Creates the rest. The lock must be held: during the wait, everything may have been removed.
    pub fn prepare(&self) -> Result<(), BuildError> {
        for folder in [&self.sources, &self.objects] {
            fs::create_dir_all(folder).doing("create the folder", folder)?;
        }
        let ours = self.out.join(".fishplate");
        let ignore = ours.join(".gitignore");
        if self.root.starts_with(&ours) && !ignore.exists() {
            // A single line is written at once, and a failure is harmless.
            let _ = fs::write(&ignore, "*\n");
        }
        Ok(())
    }

    pub fn lock(&self) -> PathBuf {
        self.root.join("lock")
    }

    pub fn manifest(&self) -> PathBuf {
        self.root.join("manifest.json")
    }

    /// This build's folder for unfinished files. The lock must be held.
    pub fn scratch(&self) -> Scratch<'_> {
        Scratch { root: &self.root, folder: OnceCell::new() }
    }

    /// The generated files that are missing or different: `(path, text)`.
    pub fn outdated_sources<'a>(
        &self,
        request: &'a Request,
    ) -> Result<Vec<(PathBuf, &'a str)>, BuildError> {
        let mut outdated = Vec::new();
        let units = request.units.iter().map(|unit| (unit, false));
        for (unit, is_header) in units.chain(request.headers.iter().map(|unit| (unit, true))) {
            if let Some(text) = &unit.contents {
                // A header may have a folder, as in `#include <fishplate/interrupt.h>`.
                let path = match is_header && unit.path.is_relative() {
                    true => self.sources.join(&unit.path),
                    false => self.sources.join(generated_name(unit)?),
                };
                if !holds(&path, text.as_bytes()) {
                    outdated.push((path, text.as_str()));
                }
            }
        }
        Ok(outdated)
    }

    /// The extra files that are missing or different: `(path, text)`.
    pub fn outdated_extras<'a>(&self, request: &'a Request) -> Vec<(PathBuf, &'a str)> {
        let files = request.extra_files.iter();
        files
            .map(|(name, text)| (self.out.join(name), text.as_str()))
            .filter(|(path, text)| !holds(path, text.as_bytes()))
            .collect()
    }

    /// Removes sources and objects that are not in these lists: an old generated header must not be
    /// found by an `#include`. A failure is harmless.
    pub fn sweep(&self, sources: &BTreeSet<OsString>, objects: &BTreeSet<OsString>) {
        for (folder, keep) in [(&self.sources, sources), (&self.objects, objects)] {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                if !keep.contains(&entry.file_name()) {
                    let _ = fs::remove_file(entry.path());
                }
            }
        }
    }
}

/// One build's folder for unfinished files: created at first use, so that a module in a read-only
/// folder can be found up to date; removed when dropped.
#[derive(Debug)]
pub(crate) struct Scratch<'a> {
    root: &'a Path,
    folder: OnceCell<TempDir>,
}

impl Scratch<'_> {
    /// The folder.
    pub fn folder(&self) -> Result<&Path, BuildError> {
        if let Some(folder) = self.folder.get() {
            return Ok(folder.path());
        }
        self.remove_abandoned()?;
        let folder = tempfile::Builder::new()
            .prefix(UNFINISHED)
            .tempdir_in(self.root)
            .doing("create a folder in", self.root)?;
        Ok(self.folder.get_or_init(|| folder).path())
    }

    /// Removes the folders of killed builds; because of the lock, only this one is running.
    fn remove_abandoned(&self) -> Result<(), BuildError> {
        for entry in fs::read_dir(self.root).doing("list", self.root)?.flatten() {
            if entry.file_name().as_encoded_bytes().starts_with(UNFINISHED.as_bytes()) {
                // A compiler that outlived its build may be writing there; the next build tries
                // again.
                let _ = fs::remove_dir_all(entry.path());
            }
        }
        Ok(())
    }

    /// Writes a file and moves it to its destination, replacing an existing one.
    pub fn place(&self, contents: &[u8], path: &Path) -> Result<(), BuildError> {
        let unfinished = self.folder()?.join("unfinished");
        fs::write(&unfinished, contents).doing("write", path)?;
        finish(&unfinished, path)
    }
}

/// Moves a finished file to its destination, replacing an existing one: a process that has the old
/// one open or mapped keeps it.
pub(crate) fn finish(unfinished: &Path, path: &Path) -> Result<(), BuildError> {
    // Another build, which has created the folder and has failed, may have removed it.
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).doing("create the folder", folder)?;
    }
    match fs::rename(unfinished, path) {
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => copy_over(unfinished, path),
        done => done,
    }
    .doing("write", path)
}

/// The same from another file system.
fn copy_over(unfinished: &Path, path: &Path) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let beside = tempfile::Builder::new().prefix(".fishplate-").tempfile_in(folder)?;
    // With its permissions, which temporary files do not have.
    fs::copy(unfinished, beside.path())?;
    beside.persist(path)?;
    fs::remove_file(unfinished)
}

/// Whether a file has these contents; false if it cannot be read.
fn holds(path: &Path, contents: &[u8]) -> bool {
    let as_long = |metadata: fs::Metadata| metadata.len() == contents.len() as u64;
    fs::metadata(path).is_ok_and(as_long) && fs::read(path).is_ok_and(|found| found == contents)
}
