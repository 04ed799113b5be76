//! A folder for this process alone, for entries that must not or cannot be stored.
//!
//! Invariant: it is removed by the process that made it, and only by that one: a forked child must
//! not remove its parent's.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use crate::error::{CacheError, Doing};
use crate::shelf::folder_in;

pub(crate) const PREFIX: &str = "process.";
/// Locked as long as the process lives, so that a sweep can recognise folders of killed processes.
const ALIVE: &str = "alive";

/// The folder; removed when dropped.
#[derive(Debug)]
pub(crate) struct Private {
    path: PathBuf,
    owner: u32,
    _alive: Option<File>,
}

impl Private {
    /// Makes it in this folder, or where that cannot be written, in the system's folder for
    /// temporary files. That one comes last: programs are often not allowed to load from it.
    pub fn create(folder: Option<&Path>) -> Result<Self, CacheError> {
        let make = |folder: &Path| folder_in(folder, PREFIX);
        let folder = match folder.and_then(|folder| make(folder).ok()) {
            Some(folder) => folder,
            None => make(&std::env::temp_dir())?,
        };
        // The system's folder may be a link, and entries are trusted by their real path.
        let path = folder.path().canonicalize().doing("find", folder.path())?;
        let alive = File::create(folder.path().join(ALIVE));
        let alive = alive.ok().filter(|file| file.try_lock().is_ok());
        let _ = folder.keep();
        Ok(Self { path, owner: std::process::id(), _alive: alive })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether this process made it, and not one that it was forked from.
    pub fn is_ours(&self) -> bool {
        self.owner == std::process::id()
    }
}

impl Drop for Private {
    fn drop(&mut self) {
        if self.is_ours() {
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

/// Whether the process of a private folder lives, as far as locks can tell.
pub(crate) fn is_alive(folder: &Path) -> bool {
    let Ok(file) = File::open(folder.join(ALIVE)) else { return false };
    matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}
