//! Taking turns at making one entry.
//!
//! An advisory lock of the system's on an open file: it goes with the process that holds it,
//! however that ends. It only saves work: entries are correct because they are renamed into
//! place. So if locks are unsupported, or a turn does not come, we continue without.

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
    /// The wanted entry existed first.
    Found(T),
    /// It is our turn, with the lock if locks are supported.
    Ours(Option<Lock>),
}

/// Waits for our turn, or for the entry that another process makes.
pub(crate) fn wait<T>(path: &Path, look: impl FnMut() -> Option<T>) -> Turn<T> {
    wait_for(PATIENCE, path, look)
}

fn wait_for<T>(patience: Duration, path: &Path, mut look: impl FnMut() -> Option<T>) -> Turn<T> {
    let end = Instant::now() + patience;
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

/// The result of one attempt.
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
        // Its last holder removed it: a lock on a deleted file excludes no other process.
        if is_at(&file, path) {
            return Attempt::Locked(Lock { file, path: path.to_owned() });
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // First the file, while no other process can hold it; a failure leaves an empty file.
        let _ = std::fs::remove_file(&self.path);
        // A process that was forked in the meantime has the file open too, so closing is not
        // enough.
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// The file is removed each time a lock is released, and created again by the next.
    #[test]
    fn only_one_at_a_time() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("lock");
        let (inside, turns) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    while turns.load(Ordering::SeqCst) < 600 {
                        let Attempt::Locked(lock) = try_lock(&path) else {
                            std::thread::yield_now();
                            continue;
                        };
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                        turns.fetch_add(1, Ordering::SeqCst);
                        std::thread::yield_now();
                        inside.fetch_sub(1, Ordering::SeqCst);
                        drop(lock);
                    }
                });
            }
        });
        assert!(!path.exists());
    }

    #[test]
    fn nobody_waits_for_ever() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("lock");
        let Attempt::Locked(held) = try_lock(&path) else { panic!("a lock") };
        let short = Duration::from_millis(20);
        assert!(matches!(wait_for(short, &path, || None::<()>), Turn::Ours(None)));
        assert!(matches!(wait_for(PATIENCE, &path, || Some(1)), Turn::Found(1)));
        drop(held);
        assert!(matches!(wait_for(short, &path, || None::<()>), Turn::Ours(Some(_))));
    }
}
