//! Hashes of files' contents, read again only when a file may have changed.
//!
//! A module that includes the headers of an interpreter depends on some two hundred headers; reading them all at
//! each look would take longer than everything else. A recorded hash is believed if size and
//! times are as recorded *and* the file had been left alone for a while when it was hashed: on
//! a file system with coarse times, a second edit within the same tick looks like no edit.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, Metadata};
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// How long a file must have been left alone for its times to be believed: the coarsest times
/// are FAT's, of two seconds.
const SETTLED_AFTER: Duration = Duration::from_secs(2);

/// The delay of the times of new files: Linux takes them from the last timer tick, 10 ms apart at
/// worst.
const TICK: Duration = Duration::from_millis(20);

/// The properties of a file that change when it is written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Stamp {
    size: u64,
    modified: Duration,
    /// The inode's own time, which no tool can set back. Zero if unsupported.
    changed: Duration,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Known {
    stamp: Stamp,
    hash: String,
    settled: bool,
}

/// The known hashes of files' contents.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Contents {
    known: BTreeMap<String, Known>,
    #[serde(skip)]
    used: BTreeSet<String>,
    #[serde(skip)]
    learned: bool,
}

impl Contents {
    /// The hash of a file's contents now.
    pub fn hash(&mut self, path: &Path) -> io::Result<String> {
        let name = name(path);
        self.used.insert(name.clone());
        let stamp = Stamp::of(&fs::metadata(path)?);
        if let Some(known) = self.known.get(&name)
            && known.settled
            && known.stamp == stamp
        {
            return Ok(known.hash.clone());
        }
        let now = since_epoch(SystemTime::now());
        let hash = hash_file(path)?;
        let settled = stamp.latest() + SETTLED_AFTER < now;
        let known = Known { stamp, hash: hash.clone(), settled };
        self.learned |= self.known.get(&name) != Some(&known);
        self.known.insert(name, known);
        Ok(hash)
    }

    /// Whether a file's content has this hash; a file that cannot be read has not.
    pub fn is(&mut self, path: &Path, hash: &str) -> bool {
        self.hash(path).is_ok_and(|now| now == hash)
    }

    /// Whether there are new hashes to save.
    pub fn learned(&self) -> bool {
        self.learned
    }

    /// Removes the files that were not looked up.
    pub fn prune(&mut self) {
        self.known.retain(|name, _| self.used.contains(name));
    }
}

/// Whether a file may have been written since `start`. One that is gone has no contents to
/// mistake.
pub(crate) fn written_since(path: &Path, start: SystemTime) -> bool {
    let Ok(metadata) = fs::metadata(path) else { return false };
    let latest = Stamp::of(&metadata).latest();
    // Whole seconds: the file system keeps no finer ones, and the truncated part is unknown.
    let slack = if latest.subsec_nanos() == 0 { SETTLED_AFTER } else { TICK };
    latest + slack > since_epoch(start)
}

/// A path as it is written in the manifest. One that is not Unicode comes out changed and is
/// then never found: its file counts as changed, which is slow and right.
pub(crate) fn name(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

impl Stamp {
    fn of(metadata: &Metadata) -> Self {
        let modified = metadata.modified().map(since_epoch).unwrap_or_default();
        Self { size: metadata.len(), modified, changed: changed(metadata) }
    }

    fn latest(&self) -> Duration {
        self.modified.max(self.changed)
    }
}

#[cfg(unix)]
fn changed(metadata: &Metadata) -> Duration {
    use std::os::unix::fs::MetadataExt;
    let seconds = u64::try_from(metadata.ctime()).unwrap_or_default();
    let nanoseconds = u32::try_from(metadata.ctime_nsec()).unwrap_or_default();
    Duration::new(seconds, nanoseconds)
}

#[cfg(not(unix))]
fn changed(_: &Metadata) -> Duration {
    Duration::ZERO
}

fn since_epoch(time: SystemTime) -> Duration {
    time.duration_since(UNIX_EPOCH).unwrap_or_default()
}

fn hash_file(path: &Path) -> io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    io::copy(&mut File::open(path)?, &mut hasher)?;
    Ok(hasher.finalize().to_hex().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_is_seen_though_size_and_time_are_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.h");
        let time = SystemTime::now();
        let write = |text: &str| {
            fs::write(&path, text).unwrap();
            File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
        };
        let mut contents = Contents::default();
        write("#define N 1");
        let before = contents.hash(&path).unwrap();
        write("#define N 2");
        assert_ne!(contents.hash(&path).unwrap(), before);
        assert!(!contents.is(&path, &before));
    }

    #[test]
    fn a_settled_file_is_not_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.h");
        fs::write(&path, "old").unwrap();
        let mut contents = Contents::default();
        contents.hash(&path).unwrap();
        // Pretend that it was hashed long after it was written, and came out otherwise.
        let known = contents.known.get_mut(&name(&path)).unwrap();
        assert!(!known.settled);
        (known.settled, known.hash) = (true, "remembered".to_owned());
        assert_eq!(contents.hash(&path).unwrap(), "remembered");
    }

    #[test]
    fn written_since_is_on_the_safe_side() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.h");
        let start = SystemTime::now();
        fs::write(&path, "").unwrap();
        assert!(written_since(&path, start));
        assert!(!written_since(&path, start + Duration::from_secs(5)));
        assert!(!written_since(&folder.path().join("gone.h"), start));
    }
}
