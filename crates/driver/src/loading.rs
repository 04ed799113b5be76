//! Modules for a running interpreter: built in the background, and cached.
//!
//! Purpose: from an interface file to a library that can be imported immediately.
//! Invariant: a library that was returned is never written to again; a change yields another one,
//! at another path.
//! Reason: interpreters and the dynamic linker identify a library by its path: for a path that it
//! has loaded before, a process would get the old one. Modules are therefore built in a separate
//! folder, where only changed units are compiled again, and the result is an entry of the cache.

use crate::compiler_errors::environment;
use crate::wrapped::plan;
use crate::{Event, Goal, Installations, Output, Report, build, check_for, resolve, store};
use fishplate_cache::{CacheError, Entry, Key, Made, MakeError, Store};
use fishplate_check::Checked;
use fishplate_emit::Host;
use fishplate_model::{Diagnostic, Source};
use fishplate_plan::Plan;
use fishplate_toolchain::{Environment, Target};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

/// The interpreter of this process.
#[derive(Clone)]
pub struct Running {
    /// Its host.
    pub host: &'static dyn Host,
    /// Its program.
    pub executable: PathBuf,
    /// The target for modules.
    pub target: Target,
}

impl Running {
    /// As a named installation.
    pub(crate) fn installations(&self) -> Installations {
        Installations::default().with(self.host, Some(&self.executable))
    }
}

/// A library that can be imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loadable {
    /// Its path.
    pub path: PathBuf,
    /// The name for the import.
    pub name: String,
    /// The interface, and the sources and headers that it names: all must be unchanged for the same
    /// module to be built again. Empty for one that was found by its key.
    pub sources: Vec<PathBuf>,
    /// Why it is deleted with this process, if it is.
    pub not_kept: Option<String>,
}

/// Builds the module of an interface file, unless it is in the cache.
pub fn load_file(
    file: &Path,
    running: &Running,
    observe: &mut dyn FnMut(Event),
) -> Report<Loadable> {
    let checked = check_for(file, running.host, &running.installations());
    let shelf = match Shelf::open(file, running) {
        Ok(shelf) => shelf,
        Err(message) => {
            return checked.and_then(|_, _, diagnostics| report_problem(diagnostics, &message));
        }
    };
    load(checked, running, &shelf, None, observe)
}

/// The folder for building a module, and the place of the result.
pub(crate) struct Shelf {
    pub store: Arc<Store>,
    pub work: PathBuf,
}

impl Shelf {
    /// For a module that is identified by a path. The error is a message for the user.
    pub(crate) fn open(path: &Path, running: &Running) -> Result<Self, String> {
        let place = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let key =
            Key::of("module").part(place).parts(&running.target.identity).finish().to_string();
        let store =
            store::store(&Environment::current()).map_err(|error: CacheError| error.to_string())?;
        let work = store::work_folder(&store, "modules", &key[..24])
            .map_err(|error| format!("could not make a folder to build in: {error}"))?;
        Ok(Shelf { store, work })
    }
}

/// Builds a checked module. If there are no diagnostics, later calls find it by `key` without
/// checking again.
pub(crate) fn load(
    checked: Report<Checked>,
    running: &Running,
    shelf: &Shelf,
    key: Option<Key>,
    observe: &mut dyn FnMut(Event),
) -> Report<Loadable> {
    checked.and_then(|source: &Source, checked, diagnostics| {
        let plan = plan(&checked);
        let (Running { host, target, .. }, wanted) = (running, &running.installations());
        let output = Output::Own(&shelf.work);
        let goal = Goal { host: *host, target, wanted, output, compared: None };
        let module = build(&plan, &goal, source, diagnostics, observe)?;
        let key = key.filter(|_| diagnostics.is_empty());
        match publish(&module.path, &plan.name, &shelf.store, key) {
            Ok(entry) => {
                let (path, not_kept) = (entry.library(), shelf.store.not_kept());
                Some(Loadable { path, sources: sources(&plan), name: plan.name, not_kept })
            }
            Err(error) => report_problem(diagnostics, &error.to_string()),
        }
    })
}

/// The user's files that an interface names, itself first. Headers in other folders belong to the
/// system, or to a library.
fn sources(plan: &Plan) -> Vec<PathBuf> {
    let folder = resolve::folder_of(&plan.source);
    let named = plan.module.sources.iter().chain(&plan.module.headers);
    let beside = named.map(|file| folder.join(&file.value)).filter(|path| path.is_file());
    std::iter::once(plan.source.path.clone()).chain(beside).collect()
}

/// Reports problems of this machine.
pub(crate) fn report_problem<T>(diagnostics: &mut Vec<Diagnostic>, text: &str) -> Option<T> {
    diagnostics.push(environment(text));
    None
}

/// Adds a library to the cache; without a key, under one for its contents.
fn publish(
    library: &Path,
    module: &str,
    store: &Store,
    key: Option<Key>,
) -> Result<Entry, MakeError<io::Error>> {
    let contents = fs::read(library).map_err(MakeError::Make)?;
    let hash = blake3::hash(&contents).to_hex();
    let key = key.unwrap_or_else(|| Key::of("library").part(module).part(&*hash).finish());
    let make = |folder: &Path| {
        let name = library.file_name().unwrap_or_default();
        fs::write(folder.join(name), &contents)?;
        // The key identifies the library; this returns the module's name.
        let made = Made::library(name.to_string_lossy());
        Ok(made.about(serde_json::json!({ "module": module })))
    };
    store::get_or_make(store, &key, make, |error| {
        let reason = || format!("could not write {}: {error}", library.display());
        fishplate_toolchain::is_no_space(error).then(reason)
    })
}

/// The module for a key, if it is in the cache.
pub(crate) fn find(store: &Store, key: &Key) -> Option<Loadable> {
    let entry = store.get(key)?;
    let name = entry.about()["module"].as_str()?.to_owned();
    Some(Loadable { path: entry.library(), name, sources: Vec::new(), not_kept: None })
}
