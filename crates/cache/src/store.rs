//! The store: the user's folder of entries, followed by one for this process alone.
//!
//! The second is for entries that must not outlive the process, and for all if the first cannot be
//! written: a read-only home that has entries is still read from.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::clean::{Clean, Cleaned, Listed};
use crate::entry::{Entry, Made};
use crate::error::{CacheError, MakeError};
use crate::key::Key;
use crate::private::Private;
use crate::room;
use crate::settings::Settings;
use crate::shelf::Shelf;

/// How often something may be removed while it is used.
const ATTEMPTS: usize = 3;

/// Compiled libraries, each made once and kept.
#[derive(Debug)]
pub struct Store {
    kept: Option<Shelf>,
    named: bool,
    limit: u64,
    private: Mutex<PrivateShelf>,
}

#[derive(Debug, Default)]
struct PrivateShelf {
    folder: Option<Private>,
    /// The reason why entries that should be stored are not.
    reason: Option<String>,
    unkept: u64,
}

impl Store {
    /// Opens the store; nothing is written until something is made.
    ///
    /// # Errors
    ///
    /// [`CacheError::Untrusted`] if the folder was named and another user could have written to it.
    /// The usual folder is then not used, and [`not_kept`](Self::not_kept) says why.
    pub fn open(settings: &Settings) -> Result<Self, CacheError> {
        let mut private = PrivateShelf::default();
        let open = |folder| {
            Shelf::open(folder).and_then(|shelf| room::loads(shelf.root()).map(|()| shelf))
        };
        let kept = match settings.folder.as_deref().map(open) {
            Some(Ok(shelf)) => Some(shelf),
            Some(Err(error)) if error.is_no_place() || !settings.named => {
                private.reason = Some(error.to_string());
                None
            }
            Some(Err(error)) => return Err(error),
            None => {
                private.reason = Some("no home folder for a cache".to_owned());
                None
            }
        };
        let Settings { named, limit, .. } = *settings;
        Ok(Self { kept, named, limit, private: Mutex::new(private) })
    }

    /// The folder, if entries are kept.
    pub fn folder(&self) -> Option<&Path> {
        self.kept.as_ref().map(Shelf::root)
    }

    /// How many bytes the entries may take.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// The folder of the entries, in which only this user can write, for small files of the caller's; `None` if nothing
    /// is stored. It is created for them.
    pub fn writable_folder(&self) -> Option<&Path> {
        let shelf = self.kept.as_ref()?;
        let there = shelf.prepare().is_ok() || shelf.root().is_dir();
        there.then(|| shelf.root())
    }

    /// A folder of the caller's next to the entries, for repeated builds, which only this user can
    /// read; `None` if nothing can be stored, and [`not_kept`](Self::not_kept) then returns the
    /// reason.
    pub fn work_folder(&self, what: &str, name: &str) -> Option<PathBuf> {
        let made = self.kept.as_ref()?.work_folder(what, name);
        made.map_err(|error| self.lock().reason.get_or_insert_with(|| error.to_string()).clone())
            .ok()
    }

    /// Why new entries are deleted with this process, if they are: the folder is read-only, or
    /// cannot be trusted. This may be detected only when an entry is made.
    pub fn not_kept(&self) -> Option<String> {
        self.lock().reason.clone()
    }

    /// Stores the reason why an entry is made for this process alone.
    pub fn give_up(&self, reason: &str) {
        self.lock().reason.get_or_insert_with(|| reason.to_owned());
    }

    /// The entry of a key, if it exists, is complete, and trusted. Takes no lock of the system and
    /// writes nothing, but once a day the time of its use.
    pub fn get(&self, key: &Key) -> Option<Entry> {
        let kept = self.kept.as_ref().and_then(|shelf| shelf.get(key));
        let entry = kept.or_else(|| self.private_shelf()?.get(key))?;
        entry.touch();
        Some(entry)
    }

    /// Finds the entry of a key, or makes it: once, however many threads and processes ask for it
    /// at the same time. `make` receives an empty folder that only this user can read.
    ///
    /// # Errors
    ///
    /// [`MakeError::Make`] with the error of `make`, and [`MakeError::Cache`] if the entry
    /// could not be written, or its place is taken by a file of another user.
    pub fn get_or_make<E>(
        &self,
        key: &Key,
        make: impl FnOnce(&Path) -> Result<Made, E>,
    ) -> Result<Entry, MakeError<E>> {
        if let Some(entry) = self.get(key) {
            return Ok(entry);
        }
        if let Some(shelf) = &self.kept {
            match shelf.usable() {
                Ok(()) => {
                    let entry = shelf.get_or_make(key, make)?;
                    shelf.made(&entry, self.limit);
                    return Ok(entry);
                }
                Err(error) if error.is_no_place() || !self.named => {
                    self.lock().reason.get_or_insert_with(|| error.to_string());
                }
                Err(error) => return Err(error.into()),
            }
        }
        self.make_private_shelf()?.get_or_make(key, make)
    }

    /// Finds or makes the entry of a key, and loads it. Another process may remove the entry before
    /// it is loaded, for the limit of size or because somebody cleans, and a third may make it
    /// again: so whatever keeps it from being loaded, it is tried again, in the end with one that
    /// is made for this process alone.
    ///
    /// # Errors
    ///
    /// As [`get_or_make`](Self::get_or_make), and [`MakeError::Make`] with `load`'s last error.
    /// last time.
    pub fn load_or_make<T, E>(
        &self,
        key: &Key,
        mut make: impl FnMut(&Path) -> Result<Made, E>,
        mut load: impl FnMut(&Entry) -> Result<T, E>,
    ) -> Result<T, MakeError<E>> {
        for _ in 0..ATTEMPTS {
            let entry = match self.get_or_make(key, &mut make) {
                Err(MakeError::Cache(CacheError::NotWhole { .. })) => continue,
                entry => entry?,
            };
            if let Ok(loaded) = load(&entry) {
                return Ok(loaded);
            }
        }
        let entry = self.make_unkept(make)?;
        load(&entry).map_err(MakeError::Make)
    }

    /// Makes something for this process alone; no other call finds it.
    ///
    /// # Errors
    ///
    /// As [`get_or_make`](Self::get_or_make).
    pub fn make_unkept<E>(
        &self,
        make: impl FnOnce(&Path) -> Result<Made, E>,
    ) -> Result<Entry, MakeError<E>> {
        let shelf = self.make_private_shelf()?;
        let number = {
            let mut private = self.lock();
            private.unkept += 1;
            private.unkept
        };
        let key = Key::of("unkept").part(number.to_string()).finish();
        shelf.get_or_make(&key, make)
    }

    /// Makes something for this process alone, once for a key.
    ///
    /// # Errors
    ///
    /// As [`get_or_make`](Self::get_or_make).
    pub fn get_or_make_unkept<E>(
        &self,
        key: &Key,
        make: impl FnOnce(&Path) -> Result<Made, E>,
    ) -> Result<Entry, MakeError<E>> {
        self.make_private_shelf()?.get_or_make(key, make)
    }

    /// Removes the entries of this process alone, as dropping the store does; for the end of a
    /// process that never drops it. Loaded libraries stay loaded.
    pub fn remove_unkept(&self) {
        self.lock().folder = None;
    }

    /// All stored entries, from their descriptions, without reading their other files.
    ///
    /// # Errors
    ///
    /// [`CacheError::Io`] where the folder cannot be listed.
    pub fn list(&self) -> Result<Vec<Listed>, CacheError> {
        self.kept.as_ref().map_or(Ok(Vec::new()), Shelf::list)
    }

    /// The same, with every file read and compared with its hash.
    ///
    /// # Errors
    ///
    /// As [`list`](Self::list).
    pub fn verify(&self) -> Result<Vec<Listed>, CacheError> {
        Ok(self.list()?.into_iter().map(Listed::verified).collect())
    }

    /// Removes entries, incomplete ones in any case, and the remains of killed processes.
    ///
    /// # Errors
    ///
    /// As [`list`](Self::list); entries that cannot be removed are reported in [`Cleaned`].
    pub fn clean(&self, what: Clean) -> Result<Cleaned, CacheError> {
        self.kept.as_ref().map_or(Ok(Cleaned::default()), |shelf| shelf.clean(what, self.limit))
    }

    fn private_shelf(&self) -> Option<Shelf> {
        let private = self.lock();
        Shelf::open(private.folder.as_ref()?.path()).ok()
    }

    fn make_private_shelf(&self) -> Result<Shelf, CacheError> {
        let is_usable = |shelf: &&Shelf| self.not_kept().is_none() && shelf.usable().is_ok();
        let making = self.kept.as_ref().filter(is_usable).map(Shelf::making);
        let mut private = self.lock();
        // A forked child has its parent's, which is removed with the parent.
        let folder = match private.folder.take().filter(Private::is_ours) {
            Some(folder) => folder,
            None => Private::create(making.as_deref())?,
        };
        let shelf = Shelf::open(folder.path());
        private.folder = Some(folder);
        shelf
    }

    fn lock(&self) -> MutexGuard<'_, PrivateShelf> {
        self.private.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
