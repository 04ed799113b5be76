//! Whether a file system can hold entries: there is room, and libraries can be loaded from it.
//!
//! Checked before anything is made: a compiler without space fails half-way in many ways, and a
//! library that was made where none can be loaded is found out too late.

use std::path::Path;

use crate::error::{CacheError, Doing};

/// Less than this is as good as full: a module's sources, objects and library take a few megabytes.
#[cfg(unix)]
const LEAST: u64 = 8 << 20;
/// So many files and folders are made at least.
#[cfg(unix)]
const LEAST_FILES: u64 = 16;

/// The file system reports enough space in this folder; `trial` is a folder of the cache in it.
#[cfg(unix)]
pub(crate) fn enough(folder: &Path, trial: &Path) -> Result<(), CacheError> {
    let status = status(folder)?;
    let bytes = status.f_bavail.saturating_mul(status.f_frsize);
    // Some file systems do not count files.
    let files = if status.f_files == 0 { u64::MAX } else { status.f_favail };
    if bytes < LEAST || files < LEAST_FILES {
        return Err(std::io::Error::from(std::io::ErrorKind::StorageFull))
            .doing("write in", folder);
    }
    reserve(trial).doing("write in", folder)
}

/// Allocates the space and the files for a moment: only a use shows how much of a quota is left.
#[cfg(target_os = "linux")]
fn reserve(trial: &Path) -> std::io::Result<()> {
    use rustix::fs::{FallocateFlags, fallocate};
    use rustix::io::Errno;
    use rustix::process::{Resource, getrlimit};
    // A file beyond the process's own limit is refused with a signal, which does not mean a full disk.
    let least = getrlimit(Resource::Fsize).current.map_or(LEAST, |limit| limit.min(LEAST));
    for number in 0..LEAST_FILES {
        let file = std::fs::File::create(trial.join(number.to_string()))?;
        if number == 0 {
            match fallocate(&file, FallocateFlags::empty(), 0, least) {
                // Not every file system can, and emulating it would write all of these bytes.
                Err(Errno::OPNOTSUPP | Errno::NOSYS) => {}
                reserved => reserved?,
            }
        }
    }
    Ok(())
}

#[cfg(all(unix, not(target_os = "linux")))]
fn reserve(_: &Path) -> std::io::Result<()> {
    Ok(())
}

/// Libraries can be loaded from this folder, which need not exist yet.
#[cfg(target_os = "linux")]
pub(crate) fn loads(folder: &Path) -> Result<(), CacheError> {
    if status(folder)?.f_flag.contains(rustix::fs::StatVfsMountFlags::NOEXEC) {
        return Err(CacheError::NoExec { path: folder.to_owned() });
    }
    Ok(())
}

#[cfg(unix)]
fn status(folder: &Path) -> Result<rustix::fs::StatVfs, CacheError> {
    let there = folder.ancestors().find(|above| above.exists()).unwrap_or(folder);
    rustix::fs::statvfs(there).map_err(std::io::Error::from).doing("look at", there)
}

#[cfg(not(unix))]
pub(crate) fn enough(_: &Path, _: &Path) -> Result<(), CacheError> {
    Ok(())
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn loads(_: &Path) -> Result<(), CacheError> {
    Ok(())
}
