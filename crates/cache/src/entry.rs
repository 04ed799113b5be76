//! One entry: a folder with a library, the files next to it, and the inputs of the build.
//!
//! ```text
//! library.so   under the name that its maker gave it
//! source.c     and other files of the maker's
//! meta.json    description, and size and hash of each file
//! used         empty; its time of change says when the entry was last used
//! ```
//!
//! Invariant: an [`Entry`] that is returned was complete when it was read. The library is
//! compared by its hash, since it is going to be run: a few tens of kilobytes take microseconds.
//! The other files are compared by size.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::error::{CacheError, Doing};
use crate::trust;

const META: &str = "meta.json";
pub(crate) const USED: &str = "used";
const FORMAT: u32 = 1;

/// The marker is not written more often than this: finding an entry should write nothing.
const FRESH: Duration = Duration::from_secs(24 * 60 * 60);

/// The output of a maker, in the folder that was passed to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Made {
    /// The file name of the library.
    pub library: String,
    /// Description for people: compiler, flags. It is stored in `meta.json`; its `name`, if it has
    /// one, is the entry's name in `fishplate cache list`.
    pub about: serde_json::Value,
}

impl Made {
    /// A library of this file name, without a description.
    pub fn library(name: impl Into<String>) -> Self {
        Self { library: name.into(), about: serde_json::Value::Null }
    }

    /// The same with a description.
    #[must_use]
    pub fn about(self, about: serde_json::Value) -> Self {
        Self { about, ..self }
    }
}

/// `meta.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Meta {
    format: u32,
    /// An entry that was moved to another name is invalid.
    key: String,
    /// Of Fishplate.
    version: String,
    /// In seconds since 1970.
    created: u64,
    library: String,
    files: BTreeMap<String, Contents>,
    about: serde_json::Value,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Contents {
    size: u64,
    blake3: String,
}

/// An existing entry.
///
/// Another process may remove it at any time, when the cache has grown too large or the user
/// cleans it. A loaded library stays loaded; if loading fails because the file is gone, request
/// the entry again.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    folder: PathBuf,
    meta: Meta,
}

impl Entry {
    /// Its key.
    pub fn key(&self) -> &str {
        &self.meta.key
    }

    /// The library's path.
    pub fn library(&self) -> PathBuf {
        self.folder.join(&self.meta.library)
    }

    /// The path of a file of the maker's; `None` if it made no such file.
    pub fn file(&self, name: &str) -> Option<PathBuf> {
        self.meta.files.contains_key(name).then(|| self.folder.join(name))
    }

    /// The folder of all of it.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The maker's description.
    pub fn about(&self) -> &serde_json::Value {
        &self.meta.about
    }

    /// The version of Fishplate that it was made by.
    pub fn version(&self) -> &str {
        &self.meta.version
    }

    /// When it was made.
    pub fn created(&self) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(self.meta.created)
    }

    /// When it was last used, to the day.
    pub fn used(&self) -> SystemTime {
        let marker = self.folder.join(USED).metadata().and_then(|marker| marker.modified());
        marker.unwrap_or_else(|_| self.created())
    }

    /// How many bytes its files hold.
    pub fn size(&self) -> u64 {
        self.meta.files.values().map(|file| file.size).sum()
    }

    /// An entry that is fit to be loaded: `Ok(None)` if it does not exist.
    pub(crate) fn read(folder: &Path, key: &str) -> Result<Option<Self>, CacheError> {
        let entry = Self::open(folder, key)?;
        entry.iter().try_for_each(Self::is_loadable)?;
        Ok(entry)
    }

    /// Reads an entry's description, but not its files.
    pub(crate) fn open(folder: &Path, key: &str) -> Result<Option<Self>, CacheError> {
        let metadata = match folder.symlink_metadata() {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error).doing("look at", folder),
        };
        trust::ours(folder, &metadata)?;
        let path = folder.join(META);
        let not_whole = |why: String| Err(CacheError::NotWhole { path: path.clone(), why });
        let meta = match serde_json::from_slice::<Meta>(&read(&path)?) {
            Ok(meta) => meta,
            Err(error) => return not_whole(format!("is not whole: {error}")),
        };
        if meta.format != FORMAT {
            return not_whole("is of another version".into());
        }
        if meta.key != key {
            return not_whole("belongs to another key".into());
        }
        if !meta.files.contains_key(&meta.library) {
            return not_whole("names no library".into());
        }
        Ok(Some(Self { folder: folder.into(), meta }))
    }

    fn is_loadable(&self) -> Result<(), CacheError> {
        for (name, contents) in &self.meta.files {
            let path = self.folder.join(name);
            if *name == self.meta.library {
                self.compare(name, contents)?;
            } else if path.metadata().doing("look at", &path)?.len() != contents.size {
                let why = "has another size than it was made with".into();
                return Err(CacheError::NotWhole { path, why });
            }
        }
        Ok(())
    }

    /// Reads all files and compares them with their hashes.
    pub(crate) fn verify(&self) -> Result<(), CacheError> {
        self.meta.files.iter().try_for_each(|(name, contents)| self.compare(name, contents))
    }

    fn compare(&self, name: &str, contents: &Contents) -> Result<(), CacheError> {
        let path = self.folder.join(name);
        if Contents::of(&read(&path)?) == *contents {
            return Ok(());
        }
        Err(CacheError::NotWhole { path, why: "has changed since it was built".into() })
    }

    /// Notes that the entry is in use. A failure is harmless: it is then removed sooner.
    pub(crate) fn touch(&self) {
        let now = SystemTime::now();
        let path = self.folder.join(USED);
        let fresh = |marked: SystemTime| now.duration_since(marked).is_ok_and(|age| age < FRESH);
        if path.metadata().and_then(|marker| marker.modified()).is_ok_and(fresh) {
            return;
        }
        let marker = File::options().create(true).truncate(false).write(true).open(&path);
        let _ = marker.and_then(|marker| marker.set_modified(now));
    }
}

impl Contents {
    fn of(bytes: &[u8]) -> Self {
        Self { size: bytes.len() as u64, blake3: blake3::hash(bytes).to_hex().to_string() }
    }
}

/// Turns the folder that a maker has filled into an entry.
pub(crate) fn seal(folder: &Path, key: &str, made: Made) -> Result<(), CacheError> {
    let mut files = BTreeMap::new();
    for item in fs::read_dir(folder).doing("list", folder)? {
        let item = item.doing("list", folder)?;
        let path = item.path();
        let kind = item.file_type().doing("look at", &path)?;
        let name = item.file_name().into_string().ok().filter(|_| kind.is_file());
        let Some(name) = name else {
            let wrong = "is not a plain file with a name in UTF-8, which is all that is kept";
            return Err(CacheError::NotWhole { path, why: wrong.into() });
        };
        close_to_others(&path)?;
        files.insert(name, Contents::of(&read(&path)?));
    }
    if !files.contains_key(&made.library) {
        let path = folder.join(&made.library);
        return Err(CacheError::NotWhole { path, why: "was not made".into() });
    }
    let created = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let meta = Meta {
        format: FORMAT,
        key: key.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        created,
        library: made.library,
        files,
        about: made.about,
    };
    let path = folder.join(META);
    let text =
        serde_json::to_vec_pretty(&meta).map_err(std::io::Error::from).doing("write", &path)?;
    fs::write(&path, text).doing("write", &path)?;
    close_to_others(&path)?;
    let path = folder.join(USED);
    fs::write(&path, "").doing("write", &path)
}

/// A file's contents, if this user owns it.
fn read(path: &Path) -> Result<Vec<u8>, CacheError> {
    let mut file = File::open(path).doing("open", path)?;
    let metadata = file.metadata().doing("look at", path)?;
    trust::ours(path, &metadata)?;
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0));
    file.read_to_end(&mut bytes).doing("read", path)?;
    Ok(bytes)
}

/// Only the user may write files that are going to be loaded, with any umask.
#[cfg(unix)]
fn close_to_others(path: &Path) -> Result<(), CacheError> {
    use std::os::unix::fs::PermissionsExt;
    let permissions = path.metadata().doing("look at", path)?.permissions();
    if permissions.mode() & 0o022 == 0 {
        return Ok(());
    }
    let closed = fs::Permissions::from_mode(permissions.mode() & !0o022);
    fs::set_permissions(path, closed).doing("set the permissions of", path)
}

#[cfg(not(unix))]
fn close_to_others(_: &Path) -> Result<(), CacheError> {
    Ok(())
}
