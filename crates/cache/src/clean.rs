//! The rules for removal: the size limit, unused entries, broken entries, remains of killed
//! processes.
//!
//! Invariant: a running process is not disturbed. A loaded library stays loaded when its file
//! is removed, and unfinished entries are left alone for as long as anybody could be making them.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::entry::{Entry, USED};
use crate::error::{CacheError, Doing};
use crate::key::Key;
use crate::lock::{self, Attempt};
use crate::private;
use crate::shelf::Shelf;
use crate::tally;

/// An unfinished folder that is older than this was left by a killed process.
const ABANDONED: Duration = Duration::from_secs(24 * 60 * 60);
const SWEEPING: &str = "sweep";

/// One thing among the entries.
#[derive(Debug)]
pub struct Listed {
    /// Its path.
    pub folder: PathBuf,
    /// How many bytes it takes, whole or not.
    pub size: u64,
    /// When it was last used, to the day.
    pub used: SystemTime,
    /// The entry, or the reason why it cannot be used.
    pub entry: Result<Entry, CacheError>,
}

/// The entries to remove.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Clean {
    /// Everything.
    pub all: bool,
    /// Entries that were not used for so long.
    pub older_than: Option<Duration>,
}

/// The removed entries.
#[derive(Debug, Default)]
pub struct Cleaned {
    /// The number of removed entries.
    pub removed: usize,
    /// Their size in bytes.
    pub bytes: u64,
    /// The size of the remaining entries in bytes.
    pub left: u64,
    /// Entries that could not be removed.
    pub problems: Vec<CacheError>,
}

impl Listed {
    fn of(folder: PathBuf) -> Self {
        let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let entry = match name.parse::<Key>() {
            Ok(_) => Entry::open(&folder, name),
            Err(_) => Ok(None),
        };
        let entry = entry.and_then(|entry| {
            let why = || CacheError::NotWhole { path: folder.clone(), why: "is no entry".into() };
            entry.ok_or_else(why)
        });
        let (size, used) = weigh(&folder);
        Self { folder, size, used, entry }
    }

    pub(crate) fn verified(self) -> Self {
        let entry = self.entry.and_then(|entry| entry.verify().map(|()| entry));
        Self { entry, ..self }
    }
}

/// How many bytes something takes, and when it was last used.
fn weigh(folder: &Path) -> (u64, SystemTime) {
    let modified = |path: &Path| path.symlink_metadata().and_then(|metadata| metadata.modified());
    let used = modified(&folder.join(USED)).or_else(|_| modified(folder));
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let size = files.filter_map(|file| file.metadata().ok()).map(|metadata| metadata.len()).sum();
    (size, used.unwrap_or(SystemTime::UNIX_EPOCH))
}

impl Shelf {
    pub fn list(&self) -> Result<Vec<Listed>, CacheError> {
        Ok(self.folders()?.into_iter().map(Listed::of).collect())
    }

    fn folders(&self) -> Result<Vec<PathBuf>, CacheError> {
        let entries = self.entries();
        match fs::read_dir(&entries) {
            Ok(items) => Ok(items.flatten().map(|item| item.path()).collect()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(error).doing("list", &entries),
        }
    }

    /// To be called when an entry was made: keeps the cache within its limit. A removal that fails
    /// is tried again when the next entry is made.
    pub fn made(&self, entry: &Entry, limit: u64) {
        if tally::add(self.root(), entry.size()).is_some_and(|total| total <= limit) {
            return;
        }
        let Attempt::Locked(_lock) = lock::try_lock(&self.locks().join(SWEEPING)) else { return };
        let Ok(folders) = self.folders() else { return };
        let mut weighed: Vec<_> = folders
            .into_iter()
            .map(|folder| {
                let (size, used) = weigh(&folder);
                (used, size, folder)
            })
            .collect();
        weighed.sort();
        let mut total = weighed.iter().map(|(_, size, _)| size).sum();
        // Somewhat below the limit, so that the next entry does not count all of them again.
        let target = if total > limit { limit / 8 * 7 } else { limit };
        for (_, size, folder) in weighed {
            if total <= target {
                break;
            }
            if folder != entry.folder() && self.remove_ours(&folder).is_ok() {
                total -= size;
            }
        }
        let _ = tally::counted(self.root(), total);
        self.sweep(ABANDONED);
    }

    pub fn clean(&self, what: Clean, limit: u64) -> Result<Cleaned, CacheError> {
        let mut cleaned = Cleaned::default();
        let mut listed = self.list()?;
        if listed.is_empty() && !self.making().exists() {
            return Ok(cleaned);
        }
        listed.sort_by_key(|listed| listed.used);
        let mut left: u64 = listed.iter().map(|listed| listed.size).sum();
        let now = SystemTime::now();
        for one in listed {
            // Entries that are removed in any case are not read.
            let one = if what.all { one } else { one.verified() };
            let age = now.duration_since(one.used).unwrap_or_default();
            let old = what.older_than.is_some_and(|limit| age >= limit);
            if what.all || old || one.entry.is_err() || left > limit {
                match self.remove_ours(&one.folder) {
                    Ok(()) => {
                        cleaned.removed += 1;
                        cleaned.bytes += one.size;
                        left -= one.size;
                    }
                    Err(error) => cleaned.problems.push(error),
                }
            }
        }
        cleaned.left = left;
        tally::counted(self.root(), left).doing("write into", self.root())?;
        self.sweep(if what.all { Duration::from_secs(60 * 60) } else { ABANDONED });
        Ok(cleaned)
    }

    /// Removes an entry, unless it is another user's.
    fn remove_ours(&self, folder: &Path) -> Result<(), CacheError> {
        let metadata = folder.symlink_metadata().doing("look at", folder)?;
        crate::trust::owned(folder, &metadata)?;
        self.remove(folder)
    }

    /// Removes the remains of killed processes.
    fn sweep(&self, abandoned: Duration) {
        let now = SystemTime::now();
        for item in fs::read_dir(self.making()).into_iter().flatten().flatten() {
            let modified = item.metadata().and_then(|metadata| metadata.modified());
            let old = modified
                .is_ok_and(|time| now.duration_since(time).is_ok_and(|age| age >= abandoned));
            let process =
                item.file_name().as_encoded_bytes().starts_with(private::PREFIX.as_bytes());
            if old && !(process && private::is_alive(&item.path())) {
                let _ = fs::remove_dir_all(item.path());
            }
        }
        for item in fs::read_dir(self.locks()).into_iter().flatten().flatten() {
            // A lock file that can be locked is removed when the lock is released.
            drop(lock::try_lock(&item.path()));
        }
    }
}
