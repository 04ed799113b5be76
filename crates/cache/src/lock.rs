//! Taking turns at making one entry.
//!
//! An advisory lock of the system's on an open file: it goes with the process that holds it,
//! however that ends. It only saves work: what keeps an entry right is that it is renamed into
//! place. So where there are no locks, and where a turn does not come, we go on without.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long we wait for somebody who may hang: longer than any compiler should take.
const PATIENCE: Duration = Duration::from_secs(120);
const FIRST_PAUSE: Duration = Duration::from_millis(1);
const LONGEST_PAUSE: Duration = Duration::from_millis(16);

/// A held lock; let go when dropped.
#[derive(Debug)]
pub(crate) struct Lock {
    file: File,
    path: PathBuf,
}

/// How waiting ended.
pub(crate) enum Turn<T> {
    /// What we wanted was there first.
    Found(T),
    /// It is our turn, with the lock where there are locks.
    Ours(Option<Lock>),
}

/// Waits for our turn, or for what another's turn made.
pub(crate) fn wait<T>(path: &Path, mut look: impl FnMut() -> Option<T>) -> Turn<T> {
    let end = Instant::now() + PATIENCE;
    let mut pause = FIRST_PAUSE;
    loop {
        match try_lock(path) {
            Attempt::Taken => {}
            Attempt::Locked(lock) => return Turn::Ours(Some(lock)),
            Attempt::Impossible => return Turn::Ours(None),
        }
        if let Some(found) = look() {
            return Turn::Found(found);
        }
        if Instant::now() >= end {
            return Turn::Ours(None);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

/// What came of one attempt.
pub(crate) enum Attempt {
    Locked(Lock),
    /// Somebody else has it.
    Taken,
    /// The file system has no locks, or nothing can be written.
    Impossible,
}

pub(crate) fn try_lock(path: &Path) -> Attempt {
    loop {
        let opened = File::options().create(true).truncate(false).write(true).open(path);
        let Ok(file) = opened else { return Attempt::Impossible };
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Attempt::Taken,
            Err(TryLockError::Error(_)) => return Attempt::Impossible,
        }
        // Its last holder removed it: a lock on a file that is no longer there keeps nobody out.
        if is_at(&file, path) {
            return Attempt::Locked(Lock { file, path: path.to_owned() });
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // First the file, while nobody else can hold it; failing leaves an empty file.
        let _ = std::fs::remove_file(&self.path);
        // A process that was forked meanwhile has the file open too, so closing is not enough.
        let _ = self.file.unlock();
    }
}

#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), path.metadata()) {
        (Ok(held), Ok(there)) => (held.dev(), held.ino()) == (there.dev(), there.ino()),
        (_, Err(error)) => error.kind() != std::io::ErrorKind::NotFound,
        (Err(_), _) => true,
    }
}

/// Elsewhere a file that is open cannot be removed.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}
