//! Folders that a build creates for its output.
//!
//! Purpose: a build that fails leaves no folder that it has created.
//! Invariant: only empty folders are removed.
//! Reason: an empty folder can be imported as a package, so that one with a module's name hides its absence.

use std::fs;
use std::path::{Path, PathBuf};

/// The folders that do not exist yet, the innermost first.
pub(crate) struct NewFolders(Vec<PathBuf>);

impl NewFolders {
    /// Those of this folder and the ones that contain it.
    pub(crate) fn of(folder: &Path) -> Self {
        let is_new = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
        Self(folder.ancestors().take_while(is_new).map(Path::to_owned).collect())
    }

    /// Removes those that are empty. A failure is harmless.
    pub(crate) fn remove(self) {
        for folder in self.0 {
            let _ = fs::remove_dir(folder);
        }
    }
}
