//! The results of the last build, and their inputs.
//!
//! The manifest is always compared with the files themselves: one that is missing, damaged or older
//! than the files only costs a compilation. It is written after the files that it describes, so
//! that it is correct even if a build is killed.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::contents::Contents;
use crate::error::{BuildError, Doing};
use crate::message::CompilerMessage;
use crate::searched::{Places, Searched};
use crate::work::Scratch;

/// A manifest in another format is ignored: everything is compiled again.
const FORMAT: u32 = 3;

/// The results of the last build.
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
    /// The key of its inputs, without the dependencies.
    pub key: String,
    /// Its file name in the folder of objects.
    pub file: String,
    /// Its content's hash.
    pub hash: String,
    /// Every file that the compiler read for it, and its content's hash at that time.
    pub dependencies: Vec<(String, String)>,
    /// The other places where headers were looked up.
    pub searched: Searched,
    /// The compiler's messages; shown again whenever the object is used.
    pub warnings: Vec<CompilerMessage>,
}

/// The finished library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Library {
    /// The key of its inputs, including the objects.
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

    /// The manifest at `path`; an empty one if it is missing or invalid.
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

/// The files that objects depend on, as they are now. Each is looked at once for all objects.
#[derive(Debug, Default)]
pub(crate) struct Seen<'a> {
    hashes: HashMap<&'a str, Option<String>>,
    places: Places<'a>,
}

impl Object {
    /// Whether compiling would still give this object.
    pub fn is_current<'a>(
        &'a self,
        key: &str,
        objects: &Path,
        contents: &mut Contents,
        seen: &mut Seen<'a>,
    ) -> bool {
        let Seen { hashes, places } = seen;
        let mut is_same = |(path, hash): &'a (String, String)| {
            let now = hashes.entry(path).or_insert_with(|| contents.hash(Path::new(path)).ok());
            now.as_ref() == Some(hash)
        };
        let files = self.dependencies.iter().map(|(path, _)| Path::new(path));
        self.key == key
            && self.dependencies.iter().all(&mut is_same)
            && contents.is(&objects.join(&self.file), &self.hash)
            && self.searched.is_current(files, places)
    }
}
