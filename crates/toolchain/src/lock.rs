//! One build at a time in a work folder.
//!
//! An advisory lock of the system's on an open file: it goes with the process that holds it,
//! however that ends, so that a killed build never leaves anything locked. Compilers do not
//! inherit it, since Rust opens files close-on-exec.

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::Path;

use crate::build::Event;
use crate::error::{BuildError, Doing};

/// A held lock; released when dropped.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    /// Acquires the lock at `path`; waits while another process holds it.
    pub fn take(path: &Path, observe: &mut dyn FnMut(Event)) -> Result<Self, BuildError> {
        let mut waited = false;
        loop {
            let file = open(path).doing("open the lock", path)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    if !waited {
                        observe(Event::WaitingForLock { path: path.to_owned() });
                        waited = true;
                    }
                    file.lock().doing("lock", path)?;
                }
                Err(TryLockError::Error(error)) => return Err(error).doing("lock", path),
            }
            // The whole folder may have been removed during the wait: a lock on a deleted file
            // excludes no other process.
            if is_at(&file, path) {
                return Ok(Self { _file: file });
            }
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder).doing("create the folder", folder)?;
            }
        }
    }
}

fn open(path: &Path) -> io::Result<File> {
    let writable = File::options().create(true).truncate(false).write(true).open(path);
    match writable {
        // A finished module in a folder that cannot be written can still be found up to date.
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem
            ) =>
        {
            File::open(path).map_err(|_| error)
        }
        result => result,
    }
}

#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), path.metadata()) {
        (Ok(held), Ok(there)) => (held.dev(), held.ino()) == (there.dev(), there.ino()),
        (_, Err(error)) => error.kind() != ErrorKind::NotFound,
        (Err(_), _) => true,
    }
}

/// On other systems an open file cannot be removed.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}
