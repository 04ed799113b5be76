//! The cache for this process's environment.
//!
//! Invariant: temporary entries of the process are removed by [`remove_unkept`], and by no process
//! that was forked from it.

use fishplate_cache::{CacheError, Entry, Key, Made, MakeError, Settings, Store};
use fishplate_toolchain::Environment;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::{fs, io};
use tempfile::TempDir;

/// Stores stay open: they own the temporary entries of the process.
static OPEN: Mutex<Vec<(Settings, Arc<Store>)>> = Mutex::new(Vec::new());

/// The folder for builds if the cache is read-only, and the process that created it.
static UNKEPT: Mutex<Option<(u32, TempDir)>> = Mutex::new(None);

/// The store of an environment.
pub(crate) fn store(environment: &Environment) -> Result<Arc<Store>, CacheError> {
    let settings = Settings::read(|name| environment.get(name).map(ToOwned::to_owned))?;
    let mut open = lock(&OPEN);
    if let Some((_, store)) = open.iter().find(|(one, _)| *one == settings) {
        return Ok(store.clone());
    }
    let store = Arc::new(Store::open(&settings)?);
    open.push((settings, store.clone()));
    Ok(store)
}

/// Finds or creates an entry. If that uses up the space of the cache, it is created for this
/// process alone; `no_space` extracts that reason from an error.
pub(crate) fn get_or_make<E>(
    store: &Store,
    key: &Key,
    mut make: impl FnMut(&Path) -> Result<Made, E>,
    no_space: impl Fn(&E) -> Option<String>,
) -> Result<Entry, MakeError<E>> {
    let made = store.get_or_make(key, &mut make);
    let Err(MakeError::Make(error)) = &made else { return made };
    let Some(reason) = no_space(error) else { return made };
    // The help is printed elsewhere, and is not needed here.
    store.give_up(reason.lines().next().unwrap_or_default());
    store.get_or_make_unkept(key, make)
}

/// A folder for repeated builds: next to the entries, or, if that is read-only, for this process
/// alone.
pub(crate) fn work_folder(store: &Store, what: &str, name: &str) -> io::Result<PathBuf> {
    if let Some(folder) = store.work_folder(what, name) {
        return Ok(folder);
    }
    unkept_folder(name)
}

/// A folder for this process alone.
fn unkept_folder(name: &str) -> io::Result<PathBuf> {
    let mut unkept = lock(&UNKEPT);
    let ours = std::process::id();
    // A forked child does not remove its parent's folder.
    if let Some((_, parents)) = unkept.take_if(|(owner, _)| *owner != ours) {
        let _ = parents.keep();
    }
    if unkept.is_none() {
        *unkept = Some((ours, tempfile::Builder::new().prefix("fishplate.").tempdir()?));
    }
    let folder = unkept.as_ref().map(|(_, folder)| folder.path().join(name)).unwrap_or_default();
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// A folder for this process alone in place of this work folder of the cache, on a full file
/// system.
pub(crate) fn work_elsewhere(folder: &Path, reason: &str) -> Option<PathBuf> {
    let elsewhere = unkept_folder(&folder.file_name()?.to_string_lossy()).ok()?;
    // The help is printed elsewhere, and is not needed here.
    let reason = reason.lines().next().unwrap_or_default();
    store(&Environment::current()).ok()?.give_up(reason);
    (elsewhere != folder).then_some(elsewhere)
}

/// The folder for the work files of a library with this output folder: in the cache, so that
/// packages contain no objects. Without a cache, it is for this process alone.
pub(crate) fn build_folder(out: &Path, file_name: &str) -> Option<PathBuf> {
    fs::create_dir_all(out).ok()?;
    let out = out.canonicalize().ok()?;
    let key = Key::of("build").part(&out).part(file_name).finish().to_string();
    let Ok(store) = store(&Environment::current()) else { return unkept_folder(&key[..24]).ok() };
    let folder = work_folder(&store, "builds", &key[..24]).ok()?;
    let note = folder.join(OUTPUT);
    if !note.exists() {
        if let Some(all) = folder.parent() {
            remove_orphans(all);
        }
        fs::write(&note, out.as_os_str().as_encoded_bytes()).ok()?;
    }
    Some(folder)
}

/// In the folder for a library's work files: the path of the output folder.
const OUTPUT: &str = "output";

/// Removes the work files of libraries whose output folder is gone. A failure is harmless.
fn remove_orphans(all: &Path) {
    for entry in fs::read_dir(all).into_iter().flatten().flatten() {
        let noted = fs::read(entry.path().join(OUTPUT));
        let out = noted.ok().and_then(|bytes| String::from_utf8(bytes).ok());
        if out.is_some_and(|out| !Path::new(&out).exists()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Removes the temporary entries of this process, at its end. Loaded libraries stay loaded.
pub fn remove_unkept() {
    for (_, store) in lock(&OPEN).iter() {
        store.remove_unkept();
    }
    if let Some((owner, folder)) = lock(&UNKEPT).take()
        && owner != std::process::id()
    {
        let _ = folder.keep();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The process's environment. Compilers and interpreters need not be started in every process to identify them: their
/// descriptions are cached next to the entries.
pub(crate) fn environment() -> Environment {
    let environment = Environment::current();
    match store(&environment) {
        Ok(store) => match store.writable_folder() {
            Some(folder) => environment.remembering(folder),
            None => environment,
        },
        Err(_) => environment,
    }
}
