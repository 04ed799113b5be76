//! The input of a build: the files, and all options that determine the result.
//!
//! A [`Request`] is plain data and complete: two equal requests on an unchanged machine give the
//! same library. The cache key can therefore be computed from it.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use crate::BuildError;

/// The language of a unit, determined by its extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SourceLanguage {
    /// `.c`
    C,
    /// `.cc`, `.cpp`, `.cxx`, `.c++`, `.C`
    Cxx,
    /// `.f`, `.for`, `.f90`, `.f95`, `.f03`, `.f08`, and in upper case
    Fortran,
}

impl SourceLanguage {
    /// The language of a file by its extension, `None` if it is not supported.
    pub fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?;
        // Compilers take an upper-case `.C` for C++, so the case counts here and nowhere else.
        if extension == "C" {
            return Some(Self::Cxx);
        }
        match extension.to_ascii_lowercase().as_str() {
            "c" => Some(Self::C),
            "cc" | "cpp" | "cxx" | "c++" => Some(Self::Cxx),
            "f" | "for" | "f77" | "f90" | "f95" | "f03" | "f08" => Some(Self::Fortran),
            _ => None,
        }
    }

    /// Its name in a sentence: `C`, `C++`, `Fortran`.
    pub fn name(self) -> &'static str {
        match self {
            Self::C => "C",
            Self::Cxx => "C++",
            Self::Fortran => "Fortran",
        }
    }
}

/// One file: generated (with its content here) or the user's (at `path`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// A user's file, relative to the current folder or absolute; for a generated one, only the
    /// file name counts.
    pub path: PathBuf,
    /// The content of a generated file, which is written into the work folder.
    pub contents: Option<String>,
}

impl Unit {
    /// A generated file with that name.
    pub fn generated(name: impl Into<PathBuf>, contents: impl Into<String>) -> Self {
        Self { path: name.into(), contents: Some(contents.into()) }
    }

    /// A source of the user's.
    pub fn source(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), contents: None }
    }
}

/// Options for generated units only: a user's own sources compile as they would without Fishplate.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GeneratedFlags {
    /// Searched after the request's own folders, and as system folders: a warning inside
    /// an interpreter's headers is not one that the user could do anything about.
    pub include_dirs: Vec<PathBuf>,
    /// Flags before the user's `cflags`.
    pub flags: Vec<String>,
    /// The header that those of its language include first, already compiled.
    pub precompiled: Option<PrecompiledHeader>,
}

/// A header that [`precompile`](crate::precompile) has compiled, with the flags of the units that include it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrecompiledHeader {
    /// The language of the units that include it.
    pub language: SourceLanguage,
    /// Where the compiler has stored it.
    pub path: PathBuf,
    /// The hash of its content.
    pub hash: String,
}

/// A library to be built.
///
/// Relative paths are relative to the current folder of the process.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Request {
    /// Names the default work folder, `OUT/.fishplate/NAME`. Libraries that are built side by side into
    /// one folder (the same module for two interpreters, say) need different names, else each build
    /// discards the other's objects.
    pub name: String,
    /// The folder for the library; it is created.
    pub out: PathBuf,
    /// The folder for work files, not shared with another library; by default
    /// `OUT/.fishplate/NAME`. It may be on another file system than the output folder.
    pub work: Option<PathBuf>,
    /// The library's file name, without a folder: `stats.so`.
    pub file_name: String,
    /// Compiled and linked in this order.
    pub units: Vec<Unit>,
    /// Generated headers, written next to the generated units; every unit finds them.
    pub headers: Vec<Unit>,
    /// Folders for `#include`, for all units.
    pub include_dirs: Vec<PathBuf>,
    /// `NAME` or `NAME=VALUE`, for all units.
    pub defines: Vec<String>,
    /// The user's flags for C and C++, last on the command line. A `-std=` goes to the units of
    /// its own language only.
    pub cflags: Vec<String>,
    /// The user's flags for Fortran, last on the command line.
    pub fflags: Vec<String>,
    /// Additional options for generated units.
    pub generated: GeneratedFlags,
    /// The units are headers, which are compiled for units of this language that include them.
    pub headers_of: Option<SourceLanguage>,
    /// Object files of another build, linked after those of the units.
    pub objects: Vec<PathBuf>,
    /// Names for `-l`, or paths of library files.
    pub libraries: Vec<String>,
    /// Folders for `-L`; also where the finished library looks for its own libraries.
    pub library_dirs: Vec<PathBuf>,
    /// Flags for the linker driver, last on the command line.
    pub link_flags: Vec<String>,
    /// If given, a symbol that nothing defines is a [`BuildError::Link`] instead of an import
    /// error later, unless it begins with one of these: the prefixes of symbols that the process
    /// defines (`Py`, `_Py`). Then libraries that "just work" because the process has them
    /// loaded (libm) must be listed too. Only checked where GNU's or LLVM's linker is at work.
    pub undefined_ok: Option<Vec<String>>,
    /// On Windows: the library of the interpreter, which defines the symbols with the prefixes of `undefined_ok`:
    /// `NAME.dll`.
    pub imports_from: Option<String>,
    /// File names and contents, written next to the library.
    pub extra_files: Vec<(String, String)>,
    /// Other inputs of the key: Fishplate's version, the installation for which the library is
    /// built.
    pub identity: Vec<String>,
}

impl Request {
    /// An empty request.
    pub fn new(
        name: impl Into<String>,
        out: impl Into<PathBuf>,
        file_name: impl Into<String>,
    ) -> Self {
        Self { name: name.into(), out: out.into(), file_name: file_name.into(), ..Self::default() }
    }

    /// The language of a unit.
    pub(crate) fn language_of(&self, unit: &Unit) -> Option<SourceLanguage> {
        self.headers_of.or_else(|| SourceLanguage::of(&unit.path))
    }

    /// Rejects requests that would write outside of the build's folders, or overwrite inputs.
    pub(crate) fn check(&self) -> Result<(), BuildError> {
        let bad = |problem: String| Err(BuildError::Request { problem });
        let names = [("name", &self.name), ("file name", &self.file_name)];
        let extras = self.extra_files.iter().map(|(name, _)| ("extra file", name));
        for (what, name) in names.into_iter().chain(extras) {
            if !is_plain(Path::new(name)) {
                return bad(format!("the {what} `{name}` is not a plain file name"));
            }
        }
        if self.units.is_empty() {
            return bad(format!("nothing to compile for `{}`: it has no sources", self.file_name));
        }
        let mut beside = BTreeSet::from([self.file_name.as_str()]);
        for (name, _) in &self.extra_files {
            if !beside.insert(name) {
                return bad(format!("two files are called `{name}`"));
            }
        }
        for unit in &self.units {
            if self.language_of(unit).is_none() {
                return bad(format!(
                    "cannot tell the language of `{}`: sources end in .c, .cc, .cpp, .cxx, .f, \
                     .f90 or .f95",
                    unit.path.display()
                ));
            }
        }
        if let Some(header) = self.headers.iter().find(|header| header.contents.is_none()) {
            return bad(format!(
                "the header `{}` is not generated: name its folder in `include_dirs`",
                header.path.display()
            ));
        }
        let mut paths = BTreeSet::new();
        for unit in self.units.iter().chain(&self.headers) {
            let path = match &unit.contents {
                Some(_) => PathBuf::from(generated_name(unit)?),
                // Absolute, so that it cannot be taken for a generated file's bare name.
                None => std::path::absolute(&unit.path).unwrap_or_else(|_| unit.path.clone()),
            };
            if !paths.insert(path) {
                return bad(format!("`{}` is listed twice", unit.path.display()));
            }
        }
        Ok(())
    }
}

/// The file name of a generated unit.
pub(crate) fn generated_name(unit: &Unit) -> Result<OsString, BuildError> {
    unit.path.file_name().map(OsString::from).ok_or_else(|| BuildError::Request {
        problem: format!("the generated file `{}` has no file name", unit.path.display()),
    })
}

fn is_plain(path: &Path) -> bool {
    let mut components = path.components();
    matches!((components.next(), components.next()), (Some(Component::Normal(name)), None)
        if name == path.as_os_str() && name != ".fishplate")
}
