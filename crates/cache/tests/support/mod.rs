//! A cache in a temporary folder, and things to put into it.

#![allow(dead_code)] // each test file uses its part

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use fishplate_cache::{Key, Made, Settings, Store};

/// A folder for a cache; removed when dropped.
pub struct Place {
    _folder: tempfile::TempDir,
    pub root: PathBuf,
}

impl Place {
    pub fn new() -> Self {
        Self::named("cache")
    }

    pub fn named(name: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap().join(name);
        Self { _folder: folder, root }
    }

    pub fn settings(&self) -> Settings {
        Settings { folder: Some(self.root.clone()), named: true, limit: 1 << 30 }
    }

    pub fn store(&self) -> Store {
        Store::open(&self.settings()).unwrap()
    }

    /// The number of files in a folder of the cache.
    pub fn left_in(&self, name: &str) -> usize {
        fs::read_dir(self.root.join(name)).map_or(0, |items| items.count())
    }

    #[cfg(unix)]
    pub fn set_mode(&self, name: &str, mode: u32) {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(self.root.join(name), fs::Permissions::from_mode(mode)).unwrap();
    }
}

pub fn key(name: &str) -> Key {
    Key::of("test").part(name).finish()
}

/// A maker of a library with this text.
pub fn make(library: &str) -> impl Fn(&Path) -> io::Result<Made> {
    move |folder| {
        fs::write(folder.join("library.so"), library)?;
        fs::write(folder.join("source.c"), "int f(void) { return 1; }\n")?;
        Ok(Made::library("library.so").about(serde_json::json!({"compiler": "test"})))
    }
}
