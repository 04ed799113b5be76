//! The whole build on one page.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::compile::{Task, compile_all, tasks};
use crate::error::{BuildError, Doing};
use crate::link;
use crate::lock::Lock;
use crate::manifest::{Library, Manifest, Object, Seen};
use crate::message::CompilerMessage;
use crate::request::{PrecompiledHeader, Request, SourceLanguage, generated_name};
use crate::toolchain::Toolchain;
use crate::work::{Scratch, Work, finish};

/// The progress of a build.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// Another build holds the lock at `path`; this one waits.
    WaitingForLock {
        /// The lock file.
        path: PathBuf,
    },
    /// A unit is being compiled, the `number`th of the `total` that must be.
    Compiling {
        /// The unit.
        unit: PathBuf,
        /// From 1, in the order of starting.
        number: usize,
        /// The number of units to compile, without those that are current.
        total: usize,
        /// The command, for a POSIX shell: it writes the same object to the same place.
        command: String,
    },
    /// A unit's compiler has ended.
    Compiled {
        /// The unit.
        unit: PathBuf,
        /// Whether it compiled.
        ok: bool,
        /// From 1, in the order of ending.
        number: usize,
        /// As for `Compiling`.
        total: usize,
    },
    /// The compilers have ended, with or without errors.
    Read {
        /// Every file that the library depends on, as far as is known: of a unit that was never
        /// compiled without an error, the unit and the files with errors. Generated files are
        /// omitted.
        files: BTreeSet<PathBuf>,
    },
    /// The library is being linked.
    Linking {
        /// Its path.
        path: PathBuf,
        /// The command, for a POSIX shell: it writes the library to this path.
        command: String,
    },
    /// Nothing had changed.
    UpToDate {
        /// The library.
        path: PathBuf,
    },
}

/// A library that exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Built {
    /// The library, in the folder that the request named.
    pub path: PathBuf,
    /// Whether anything was compiled or written; `false`: everything was up to date.
    pub fresh: bool,
    /// The compilers' messages about the units, including those that were compiled earlier.
    pub warnings: Vec<CompilerMessage>,
}

/// Builds a library, or finds it up to date.
///
/// `observe` is called on this thread, while the compilers run on others.
///
/// # Errors
///
/// [`BuildError::Compile`] with the messages of all units that failed; the units that compiled
/// are kept, and so is the old library. [`BuildError::Link`], [`BuildError::NoCompiler`],
/// [`BuildError::Io`], and [`BuildError::Request`] for a request that contradicts itself.
pub fn build(
    request: &Request,
    toolchain: &Toolchain,
    observe: &mut dyn FnMut(Event),
) -> Result<Built, BuildError> {
    request.check()?;
    let work = Work::open(request)?;
    let _lock = Lock::take(&work.lock(), observe)?;
    work.prepare()?;
    let scratch = work.scratch();
    let Compiled { mut manifest, languages, objects, mut fresh } =
        compile_units(request, toolchain, &work, &scratch, observe)?;

    let contents = &mut manifest.contents;
    let task = link::task(request, toolchain, &work, &languages, &objects, contents)?;
    let path = work.out.join(&request.file_name);
    let linked = manifest.library.as_ref().is_some_and(|library| {
        library.key == task.key
            && library.file == request.file_name
            && contents.is(&path, &library.hash)
    });
    let extras = work.outdated_extras(request);
    fresh |= !linked || !extras.is_empty();
    let mut unfinished = None;
    if !linked {
        observe(Event::Linking { path: path.clone(), command: task.shown(&path) });
        let library = scratch.folder()?.join(&request.file_name);
        task.link(toolchain, &library, &path)?;
        unfinished = Some(library);
    }
    for (path, text) in extras {
        scratch.place(text.as_bytes(), &path)?;
    }
    // Last, so that every process that finds the new library finds its extra files too.
    if let Some(library) = unfinished {
        finish(&library, &path)?;
        let hash = manifest.contents.hash(&path).doing("read", &path)?;
        let (key, file) = (task.key, request.file_name.clone());
        manifest.library = Some(Library { key, file, hash });
    }

    if fresh {
        manifest.save(&work.manifest(), &scratch)?;
        sweep(request, &objects, &work)?;
    } else {
        observe(Event::UpToDate { path: path.clone() });
        if manifest.contents.learned() {
            // Only spares reading some files again; the folder may not be writable.
            let _ = manifest.save(&work.manifest(), &scratch);
        }
    }
    let warnings = objects.into_iter().flat_map(|object| object.warnings).collect();
    Ok(Built { path: request.out.join(&request.file_name), fresh, warnings })
}

/// Compiles the units of a request, without linking, or finds the objects up to date: absolute paths, in the order of the
/// units. They are kept in the work folder, also when later builds compile the units with other flags.
///
/// # Errors
///
/// As [`build`], except for those of the linker.
pub fn compile_objects(
    request: &Request,
    toolchain: &Toolchain,
    observe: &mut dyn FnMut(Event),
) -> Result<Vec<PathBuf>, BuildError> {
    let (objects, _) = store_objects(request, toolchain, observe)?;
    Ok(objects.into_iter().map(|(path, _)| path).collect())
}

/// Compiles the one header of a request, whose units are headers, or finds it up to date. Returns it, and whether it was
/// compiled now.
///
/// # Errors
///
/// As [`compile_objects`].
pub fn precompile(
    request: &Request,
    toolchain: &Toolchain,
    observe: &mut dyn FnMut(Event),
) -> Result<(PrecompiledHeader, bool), BuildError> {
    let (objects, fresh) = store_objects(request, toolchain, observe)?;
    let (path, hash) = objects.into_iter().next().unwrap_or_default();
    let language = request.headers_of.unwrap_or(SourceLanguage::C);
    Ok((PrecompiledHeader { language, path, hash }, fresh))
}

/// The paths and hashes of the objects, which stay in the work folder, and whether any was compiled now.
fn store_objects(
    request: &Request,
    toolchain: &Toolchain,
    observe: &mut dyn FnMut(Event),
) -> Result<(Vec<(PathBuf, String)>, bool), BuildError> {
    request.check()?;
    let work = Work::open(request)?;
    let _lock = Lock::take(&work.lock(), observe)?;
    work.prepare()?;
    let scratch = work.scratch();
    let Compiled { mut manifest, objects, fresh, .. } =
        compile_units(request, toolchain, &work, &scratch, observe)?;
    if fresh || manifest.contents.learned() {
        // Only spares reading files again.
        let _ = manifest.save(&work.manifest(), &scratch);
    }
    let stored = objects.into_iter().map(|one| (work.objects.join(&one.file), one.hash));
    Ok((stored.collect(), fresh))
}

/// The objects of a request's units.
struct Compiled {
    manifest: Manifest,
    languages: Vec<SourceLanguage>,
    objects: Vec<Object>,
    /// Whether any was compiled now.
    fresh: bool,
}

/// Compiles what is not up to date. The lock must be held.
fn compile_units(
    request: &Request,
    toolchain: &Toolchain,
    work: &Work,
    scratch: &Scratch<'_>,
    observe: &mut dyn FnMut(Event),
) -> Result<Compiled, BuildError> {
    let mut manifest = Manifest::load(&work.manifest());
    for (path, text) in work.outdated_sources(request)? {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|source| BuildError::Io {
                doing: "make".to_owned(),
                path: folder.to_owned(),
                source,
            })?;
        }
        scratch.place(text.as_bytes(), &path)?;
    }
    let tasks = tasks(request, toolchain, work)?;
    let groups = outdated(&tasks, work, &mut manifest);
    let fresh = !groups.is_empty();
    let mut compiled = Ok(());
    if fresh {
        compiled = compile(&tasks, groups, toolchain, work, scratch, &mut manifest, observe);
    }
    observe(Event::Read { files: files_read(request, &tasks, work, &manifest, &compiled) });
    compiled?;
    let languages = tasks.iter().map(|task| task.language).collect();
    let objects =
        tasks.iter().filter_map(|task| manifest.objects.get(&task.name).cloned()).collect();
    Ok(Compiled { manifest, languages, objects, fresh })
}

/// The tasks to run, in groups of which each runs in order.
fn outdated(tasks: &[Task], work: &Work, manifest: &mut Manifest) -> Vec<Vec<usize>> {
    let (objects, contents) = (&manifest.objects, &mut manifest.contents);
    let mut seen = Seen::default();
    let mut groups = Vec::new();
    let mut fortran = Vec::new();
    let mut fortran_is_outdated = false;
    for (index, task) in tasks.iter().enumerate() {
        let current = objects
            .get(&task.name)
            .is_some_and(|object| object.is_current(&task.key, &work.objects, contents, &mut seen));
        if task.language == SourceLanguage::Fortran {
            fortran.push(index);
            fortran_is_outdated |= !current;
        } else if !current {
            groups.push(vec![index]);
        }
    }
    if fortran_is_outdated {
        // It takes longest, being one group: first.
        groups.insert(0, fortran);
    }
    groups
}

/// The files that this build and those before it have read.
fn files_read(
    request: &Request,
    tasks: &[Task],
    work: &Work,
    manifest: &Manifest,
    compiled: &Result<(), BuildError>,
) -> BTreeSet<PathBuf> {
    let mut files: BTreeSet<PathBuf> = link::library_files(request).into_iter().collect();
    for task in tasks {
        files.insert(PathBuf::from(&task.name));
        let known = manifest.objects.get(&task.name).into_iter();
        files.extend(known.flat_map(|object| &object.dependencies).map(|(name, _)| name.into()));
    }
    if let Err(BuildError::Compile { messages, .. }) = compiled {
        files.extend(messages.iter().map(|message| message.file.clone()));
    }
    files.retain(|file| !file.starts_with(&work.sources));
    files
}

/// Runs tasks and records the results, even if some fail: the next build need not compile the
/// others again.
fn compile(
    tasks: &[Task],
    groups: Vec<Vec<usize>>,
    toolchain: &Toolchain,
    work: &Work,
    scratch: &Scratch<'_>,
    manifest: &mut Manifest,
    observe: &mut dyn FnMut(Event),
) -> Result<(), BuildError> {
    let folder: &Path = scratch.folder()?;
    let contents = Mutex::new(std::mem::take(&mut manifest.contents));
    let environment = toolchain.environment();
    let mut results = compile_all(tasks, groups, work, folder, environment, &contents, observe);
    manifest.contents = contents.into_inner().unwrap_or_else(|e| e.into_inner());
    results.sort_by_key(|(index, _)| *index);

    let names: BTreeSet<&String> = tasks.iter().map(|task| &task.name).collect();
    manifest.objects.retain(|name, _| names.contains(name));
    let mut errors = Vec::new();
    for (index, result) in results {
        match result {
            Ok(object) => {
                manifest.objects.insert(tasks[index].name.clone(), object);
            }
            Err(error) => errors.push(error),
        }
    }
    // The failure matters more than whether the results could be recorded.
    let saved = manifest.save(&work.manifest(), scratch);
    merged(errors).map_or(saved, Err)
}

/// One error for all units: their messages together, or the first error of another kind.
fn merged(errors: Vec<BuildError>) -> Option<BuildError> {
    let mut all_messages: Vec<CompilerMessage> = Vec::new();
    let mut all_failures = Vec::new();
    for error in errors {
        match error {
            BuildError::Compile { messages, failures } => {
                // Units that include the same faulty header cause the same messages.
                for message in messages {
                    if !all_messages.contains(&message) {
                        all_messages.push(message);
                    }
                }
                all_failures.extend(failures);
            }
            other => return Some(other),
        }
    }
    (!all_failures.is_empty())
        .then_some(BuildError::Compile { messages: all_messages, failures: all_failures })
}

/// Removes what earlier builds left in the work folder.
fn sweep(request: &Request, objects: &[Object], work: &Work) -> Result<(), BuildError> {
    let mut sources = BTreeSet::new();
    for unit in request.units.iter().chain(&request.headers) {
        if unit.contents.is_some() {
            sources.insert(generated_name(unit)?);
        }
    }
    let objects = objects.iter().map(|object| OsString::from(&object.file)).collect();
    work.sweep(&sources, &objects);
    Ok(())
}
