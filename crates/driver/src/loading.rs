//! Modules for a Python that is running: built out of sight, and found again.
//!
//! Purpose: from an interface file, or from C in a string, to a library that can be imported now.
//! Invariant: a library that was handed out is never written to again; a change gives another one,
//! at another path.
//! Reason: Python and the dynamic linker know a library by its path: under a path that it has loaded
//! before, a process would get the old one.

use crate::compiler_errors::environment;
use crate::target::Target;
use crate::{Event, HostName, PythonInstallation, Report, build, check_for, check_read, headers};
use fishplate_check::Checked;
use fishplate_model::{Code, Source, Span, Spanned};
use fishplate_plan::plan;
use fishplate_readers::header;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// A library that can be imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loadable {
    /// Where it is.
    pub path: PathBuf,
    /// The name to import it by.
    pub name: String,
}

/// C with annotations, and what `[module]` would say of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Inline {
    /// Definitions of functions; those that are `static` are the code's own.
    pub code: String,
    /// The module's name; by default one that the code decides.
    pub name: Option<String>,
    /// Headers to include before the code.
    pub headers: Vec<String>,
    /// Folders for `#include`.
    pub include_dirs: Vec<String>,
    /// Names for `-l`, or paths.
    pub libraries: Vec<String>,
    /// Folders for `-L`.
    pub library_dirs: Vec<String>,
    /// Flags of the compiler.
    pub cflags: Vec<String>,
    /// `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
}

/// What people call code that is in no file.
const INLINE: &str = "<inline>";

/// What code in a string may use without saying so.
const HEADERS: [&str; 4] = ["<math.h>", "<stddef.h>", "<stdint.h>", "<stdbool.h>"];

/// Builds the module of an interface file, or finds it built.
pub fn load_file(
    file: &Path,
    python: &PythonInstallation,
    observe: &mut dyn FnMut(Event),
) -> Report<Loadable> {
    let cache = &cache_folder();
    let place = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let work = cache.join("modules").join(key(&[place.as_os_str().as_encoded_bytes()], python));
    load(check_for(file, HostName::Python, Some(&python.executable)), python, &work, cache, observe)
}

/// Builds the module of code in a string, or finds it built.
pub fn load_inline(
    inline: &Inline,
    python: &PythonInstallation,
    observe: &mut dyn FnMut(Event),
) -> Report<Loadable> {
    let cache = &cache_folder();
    let key = key(&[format!("{inline:?}").as_bytes()], python);
    let work = cache.join("inline").join(&key);
    let name = inline.name.clone().unwrap_or_else(|| format!("inline_{}", &key[..8]));
    // No name of the user's, lest a header of theirs be taken for it, or it for theirs.
    let source = Source { path: work.join("code.inline.h"), text: inline.code.clone() };
    let mut report = match keep(&source.path, inline.code.as_bytes()) {
        Ok(()) => {
            let checked = check_inline(inline, &name, source, &python.executable);
            load(checked, python, &work, cache, observe)
        }
        Err(error) => {
            let said = format!("could not write {}: {error}", source.path.display());
            Report { source, diagnostics: vec![environment(&said)], value: None }
        }
    };
    report.source.path = INLINE.into();
    report
}

fn check_inline(inline: &Inline, name: &str, source: Source, python: &Path) -> Report<Checked> {
    let mut diagnostics = Vec::new();
    let mut preamble = header::preamble(&source, name, &mut diagnostics);
    for found in &mut diagnostics {
        if found.code == Code::BAD_NAME && found.primary.span == Span::default() {
            found.hint = "a name has letters, digits and `_`, and is no keyword".to_owned();
        }
    }
    preamble.is_annotated = true;
    preamble.static_is_private = true;
    let before: Vec<String> =
        HEADERS.iter().map(|&header| header.to_owned()).chain(inline.headers.clone()).collect();
    let spanned = |text: &String| Spanned::new(text.clone(), Span::default());
    let module = &mut preamble.module;
    let own = source.path.to_string_lossy().into_owned();
    let all = [headers::NAME.to_owned()].into_iter().chain(before.clone()).chain([own]);
    module.headers = all.map(|header| spanned(&header)).collect();
    for (list, more) in [
        (&mut module.include_dirs, &inline.include_dirs),
        (&mut module.libraries, &inline.libraries),
        (&mut module.library_dirs, &inline.library_dirs),
        (&mut module.cflags, &inline.cflags),
        (&mut module.defines, &inline.defines),
    ] {
        list.extend(more.iter().map(spanned));
    }
    let mut reading = headers::read_with(source, preamble, &before, INLINE, Some(python));
    reading.diagnostics.extend(diagnostics);
    check_read(reading.into(), HostName::Python, Some(python))
}

fn load(
    checked: Report<Checked>,
    python: &PythonInstallation,
    work: &Path,
    cache: &Path,
    observe: &mut dyn FnMut(Event),
) -> Report<Loadable> {
    checked.and_then(|source, checked, diagnostics| {
        let plan = plan(&checked);
        let target = Target::python(python.clone())
            .map_err(|error| diagnostics.push(environment(&error.to_string())))
            .ok()?;
        let module = build(&plan, HostName::Python, &target, work, source, diagnostics, observe)?;
        let path = publish(&module.path, &cache.join("loaded"))
            .map_err(|error| {
                let said = format!("could not keep {}: {error}", module.path.display());
                diagnostics.push(environment(&said));
            })
            .ok()?;
        Some(Loadable { path, name: plan.name.clone() })
    })
}

/// `FISHPLATE_CACHE_DIR`, else the user's folder for caches.
fn cache_folder() -> PathBuf {
    let folder =
        |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    folder("FISHPLATE_CACHE_DIR")
        .or_else(|| folder("XDG_CACHE_HOME").map(|caches| caches.join("fishplate")))
        .or_else(|| folder("HOME").map(|home| home.join(".cache/fishplate")))
        .unwrap_or_else(|| std::env::temp_dir().join("fishplate"))
}

/// A short name for the parts and for the Python.
fn key(parts: &[&[u8]], python: &PythonInstallation) -> String {
    let mut hasher = blake3::Hasher::new();
    let identity = python.identity();
    for part in parts.iter().copied().chain(identity.iter().map(String::as_bytes)) {
        hasher.update(&part.len().to_le_bytes()).update(part);
    }
    hasher.finalize().to_hex()[..24].to_owned()
}

/// Copies a library to a place that its contents decide.
fn publish(library: &Path, folder: &Path) -> io::Result<PathBuf> {
    let contents = fs::read(library)?;
    let name = library.file_name().unwrap_or_default();
    let path = folder.join(&blake3::hash(&contents).to_hex()[..32]).join(name);
    keep(&path, &contents)?;
    Ok(path)
}

/// Writes a file at once, unless it is there already.
fn keep(path: &Path, contents: &[u8]) -> io::Result<()> {
    if path.is_file() {
        return Ok(());
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    io::Write::write_all(&mut file, contents)?;
    file.persist(path)?;
    Ok(())
}
