//! A folder of entries: finding, making, renaming into place.
//!
//! ```text
//! CACHEDIR.TAG       tells backups to leave all this out
//! entries/KEY/       an entry
//! making/KEY.XXXXXX/ an entry that is being made, or what a killed process left of one
//! locks/KEY          whose turn it is to make it
//! ```
//!
//! `making` is on the same file system as `entries`, so that renaming is atomic.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::entry::{self, Entry, Made};
use crate::error::{CacheError, Doing, MakeError};
use crate::key::Key;
use crate::lock::{self, Turn};
use crate::{room, trust};

const TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n\
                   # This folder holds what can be made again. https://bford.info/cachedir/\n";

/// A folder of entries.
#[derive(Debug)]
pub(crate) struct Shelf {
    root: PathBuf,
}

impl Shelf {
    /// A folder that need not exist yet. An existing one must be trusted.
    pub fn open(root: &Path) -> Result<Self, CacheError> {
        let shelf = match root.canonicalize() {
            Ok(root) => Self { root },
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Self { root: root.to_owned() });
            }
            Err(error) => return Err(error).doing("find", root),
        };
        shelf.check()?;
        Ok(shelf)
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    pub fn entries(&self) -> PathBuf {
        self.root.join("entries")
    }

    pub fn making(&self) -> PathBuf {
        self.root.join("making")
    }

    pub fn locks(&self) -> PathBuf {
        self.root.join("locks")
    }

    pub fn place(&self, key: &Key) -> PathBuf {
        self.entries().join(key.to_string())
    }

    /// The entry of a key, if it exists, is complete, and is trusted.
    pub fn get(&self, key: &Key) -> Option<Entry> {
        Entry::read(&self.place(key), &key.to_string()).ok().flatten()
    }

    /// Finds an entry, or makes it: once, however many ask for it at the same time.
    pub fn get_or_make<E>(
        &self,
        key: &Key,
        make: impl FnOnce(&Path) -> Result<Made, E>,
    ) -> Result<Entry, MakeError<E>> {
        self.prepare()?;
        let turn = lock::wait(&self.locks().join(key.to_string()), || self.get(key));
        let _lock = match turn {
            Turn::Found(entry) => return Ok(entry),
            Turn::Ours(lock) => lock,
        };
        // The previous holder of the lock may have created it.
        if let Some(entry) = self.get(key) {
            return Ok(entry);
        }
        let folder = self.scratch(&format!("{key}."))?;
        let made = make(folder.path()).map_err(MakeError::Make)?;
        entry::seal(folder.path(), &key.to_string(), made)?;
        Ok(self.put(key, folder)?)
    }

    /// Renames a finished entry into place. If another one exists by now, that one is used.
    fn put(&self, key: &Key, folder: TempDir) -> Result<Entry, CacheError> {
        let place = self.place(key);
        let mut attempts = 0;
        loop {
            attempts += 1;
            let renamed = fs::rename(folder.path(), &place);
            match Entry::read(&place, &key.to_string()) {
                Ok(Some(entry)) => {
                    if renamed.is_ok() {
                        let _ = folder.keep();
                    }
                    return Ok(entry);
                }
                // Files of another user are not touched.
                Err(error @ CacheError::Untrusted { .. }) => return Err(error),
                Err(error) if attempts == 8 || renamed.is_ok() => return Err(error),
                Err(_) => self.remove(&place)?,
                Ok(None) => match renamed {
                    Err(error) if attempts == 8 => return Err(error).doing("write", &place),
                    // Removed again at once: a cache that should be empty stays empty.
                    Ok(()) => {
                        let why = "was removed as soon as it was there".to_owned();
                        return Err(CacheError::NotWhole { path: place, why });
                    }
                    Err(_) => {}
                },
            }
        }
    }

    /// Removes an entry, or the remains of one: first out of everybody's sight.
    pub fn remove(&self, place: &Path) -> Result<(), CacheError> {
        let aside = self.scratch("gone.")?;
        let target = aside.path().join("entry");
        match fs::rename(place, &target) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(error).doing("remove", place)
            }
            // If it cannot be removed now, it is removed when the folder is swept.
            _ => Ok(()),
        }
    }

    /// A folder for unfinished entries; removed when dropped.
    pub fn scratch(&self, prefix: &str) -> Result<TempDir, CacheError> {
        let making = self.making();
        folder_in(&making, prefix)
    }

    /// Entries can be made here.
    pub fn usable(&self) -> Result<(), CacheError> {
        self.prepare()?;
        let trial = self.scratch("trial.")?;
        room::enough(&self.root, trial.path())
    }

    /// A folder to make something in again and again: `modules/NAME`.
    pub fn work_folder(&self, what: &str, name: &str) -> Result<PathBuf, CacheError> {
        self.usable()?;
        let folder = self.root.join(what).join(name);
        create(&folder)?;
        // It may be there and not be ours to write.
        tempfile::tempfile_in(&folder).doing("write in", &folder)?;
        Ok(folder)
    }

    /// Creates the missing folders.
    pub fn prepare(&self) -> Result<(), CacheError> {
        if self.locks().is_dir() && self.making().is_dir() && self.entries().is_dir() {
            return Ok(());
        }
        create(&self.root)?;
        self.check()?;
        for folder in [self.entries(), self.making(), self.locks()] {
            create(&folder)?;
        }
        // One line cannot be half there, and failing is no harm.
        let _ = fs::write(self.root.join("CACHEDIR.TAG"), TAG);
        Ok(())
    }

    fn check(&self) -> Result<(), CacheError> {
        let root = self.root.canonicalize().doing("find", &self.root)?;
        trust::folder(&root)?;
        for folder in [self.entries(), self.making(), self.locks()] {
            if let Ok(metadata) = folder.symlink_metadata() {
                trust::ours(&folder, &metadata)?;
            }
        }
        Ok(())
    }
}

/// A new folder that only its user can access.
pub(crate) fn folder_in(folder: &Path, prefix: &str) -> Result<TempDir, CacheError> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    builder.tempdir_in(folder).doing("create a folder in", folder)
}

/// A folder that only its user can access, with its missing parents.
fn create(folder: &Path) -> Result<(), CacheError> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).doing("create the folder", folder)
}
