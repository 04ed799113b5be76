//! What the last build left behind, and from what.
//!
//! The manifest is a claim that is always checked against the files themselves: one that is
//! missing, damaged or older than the files costs a compilation and nothing else. It is written
//! after the files that it speaks of, so that a killed build never claims too much.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::contents::Contents;
use crate::error::{BuildError, Doing};
use crate::message::CompilerMessage;
use crate::searched::Searched;
use crate::work::Scratch;

/// Another format is not read: everything is compiled once more.
const FORMAT: u32 = 2;

/// What the last build left behind.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Manifest {
    format: u32,
    /// By the unit's path.
    pub objects: BTreeMap<String, Object>,
    pub library: Option<Library>,
    pub contents: Contents,
}

/// An object file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Object {
    /// The key of what made it, without the dependencies.
    pub key: String,
    /// Its file name in the folder of objects.
    pub file: String,
    /// Its content's hash.
    pub hash: String,
    /// Every file that the compiler read for it, and its content's hash then.
    pub dependencies: Vec<(String, String)>,
    /// Where headers were looked for besides.
    pub searched: Searched,
    /// What the compiler said; shown again whenever the object is used.
    pub warnings: Vec<CompilerMessage>,
}

/// The finished library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Library {
    /// The key of what made it, objects and all.
    pub key: String,
    /// Its file name in the output folder.
    pub file: String,
    /// Its content's hash.
    pub hash: String,
}

impl Manifest {
    fn empty() -> Self {
        Self {
            format: FORMAT,
            objects: BTreeMap::new(),
            library: None,
            contents: Contents::default(),
        }
    }

    /// The manifest at `path`, an empty one if it is not there or cannot be made out.
    pub fn load(path: &Path) -> Self {
        fs::read(path)
            .ok()
            .and_then(|text| serde_json::from_slice(&text).ok())
            .filter(|manifest: &Self| manifest.format == FORMAT)
            .unwrap_or_else(Self::empty)
    }

    /// Writes it to `path`.
    pub fn save(&mut self, path: &Path, scratch: &Scratch<'_>) -> Result<(), BuildError> {
        self.contents.prune();
        let text =
            serde_json::to_vec_pretty(self).map_err(std::io::Error::other).doing("write", path)?;
        scratch.place(&text, path)
    }
}

impl Object {
    /// Whether this is still what compiling would give.
    pub fn is_current(&self, key: &str, objects: &Path, contents: &mut Contents) -> bool {
        self.key == key
            && contents.is(&objects.join(&self.file), &self.hash)
            && self.dependencies.iter().all(|(path, hash)| contents.is(Path::new(path), hash))
            && self.searched.is_current(self.dependencies.iter().map(|(path, _)| Path::new(path)))
    }
}
