//! Whether another user could have written something.
//!
//! A library that is loaded has all rights of the user. Therefore a folder or file is used only if
//! this user owns it and no other user may write it, and a folder only if no other user could have
//! replaced it.

use std::fs::Metadata;
use std::path::Path;

use crate::error::{CacheError, Doing};

/// A folder and everything above it. `path` must be canonical.
pub(crate) fn folder(path: &Path) -> Result<(), CacheError> {
    let metadata = path.symlink_metadata().doing("look at", path)?;
    if !metadata.is_dir() {
        return Err(CacheError::Untrusted { path: path.into(), why: "is not a folder".into() });
    }
    ours(path, &metadata)?;
    for above in path.ancestors().skip(1) {
        let metadata = above.symlink_metadata().doing("look at", above)?;
        not_replaceable(above, &metadata)?;
    }
    Ok(())
}

/// One folder or file: owned by this user, and not writable for others.
#[cfg(unix)]
pub(crate) fn ours(path: &Path, metadata: &Metadata) -> Result<(), CacheError> {
    use std::os::unix::fs::MetadataExt;
    owned(path, metadata)?;
    if metadata.mode() & 0o022 != 0 {
        let mode = metadata.mode() & 0o7777;
        let why = format!("can be written by others (mode {mode:o})");
        return Err(CacheError::Untrusted { path: path.into(), why });
    }
    Ok(())
}

/// One folder or file: ours.
#[cfg(unix)]
pub(crate) fn owned(path: &Path, metadata: &Metadata) -> Result<(), CacheError> {
    use std::os::unix::fs::MetadataExt;
    let us = rustix::process::geteuid().as_raw();
    if metadata.uid() != us {
        let why = format!("is owned by user {}, and we are user {us}", metadata.uid());
        return Err(CacheError::Untrusted { path: path.into(), why });
    }
    Ok(())
}

/// A parent folder, in which no other user can rename entries.
#[cfg(unix)]
fn not_replaceable(path: &Path, metadata: &Metadata) -> Result<(), CacheError> {
    use std::os::unix::fs::MetadataExt;
    let untrusted = |why| Err(CacheError::Untrusted { path: path.into(), why });
    let us = rustix::process::geteuid().as_raw();
    if metadata.uid() != us && metadata.uid() != 0 {
        return untrusted(format!("above it is owned by user {}", metadata.uid()));
    }
    let sticky = metadata.mode() & 0o1000 != 0;
    // Many systems give each user a group of the same number and let it write: it has no other
    // members. The same applies to root's.
    let own_group = metadata.gid() == 0 || metadata.gid() == us;
    let writable = metadata.mode() & if own_group { 0o002 } else { 0o022 } != 0;
    if writable && !sticky {
        let mode = metadata.mode() & 0o7777;
        return untrusted(format!("above it can be written by others (mode {mode:o})"));
    }
    Ok(())
}

/// Elsewhere the user's folders are private to begin with.
#[cfg(not(unix))]
pub(crate) fn ours(_: &Path, _: &Metadata) -> Result<(), CacheError> {
    Ok(())
}

#[cfg(not(unix))]
pub(crate) fn owned(_: &Path, _: &Metadata) -> Result<(), CacheError> {
    Ok(())
}

#[cfg(not(unix))]
fn not_replaceable(_: &Path, _: &Metadata) -> Result<(), CacheError> {
    Ok(())
}
