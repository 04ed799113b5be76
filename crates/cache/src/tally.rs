//! The size of the cache, without walking through it each time an entry is made.
//!
//! A file of numbers, eight bytes each: the time of the last count, the size in bytes then,
//! and the size of each new entry. It is appended to without a lock. It may be wrong because
//! of a crash or of another process's count; counting corrects it, once a day at least.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tempfile::NamedTempFile;

const NAME: &str = "tally";
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Adds a new entry; returns the total size in bytes, or `None` when it is time to count.
pub(crate) fn add(root: &Path, bytes: u64) -> Option<u64> {
    let path = root.join(NAME);
    append(&path, bytes).ok()?;
    let numbers = fs::read(&path).ok()?;
    let mut numbers = numbers
        .chunks_exact(8)
        .map(|number| u64::from_le_bytes(number.try_into().unwrap_or_default()));
    let counted = UNIX_EPOCH.checked_add(Duration::from_secs(numbers.next()?))?;
    let age = SystemTime::now().duration_since(counted).ok()?;
    (age < DAY).then(|| numbers.fold(0, u64::saturating_add))
}

fn append(path: &Path, bytes: u64) -> io::Result<()> {
    File::options().append(true).open(path)?.write_all(&bytes.to_le_bytes())
}

/// Writes the result of a count.
pub(crate) fn counted(root: &Path, bytes: u64) -> io::Result<()> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let mut file = NamedTempFile::new_in(root)?;
    file.write_all(&now.to_le_bytes())?;
    file.write_all(&bytes.to_le_bytes())?;
    file.persist(root.join(NAME))?;
    Ok(())
}
