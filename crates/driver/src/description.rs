//! Build descriptions, from which a build system compiles and installs an emitted module.
//!
//! Purpose: `fishplate build` and the build systems of others compile from the same description.
//! Invariant: paths are those of the interface, joined with its folder, so that relative ones stay relative.
//! Reason: a source distribution is built in another folder than the one in which it was made.

use crate::build_request::INTERRUPT;
use crate::resolve;
use fishplate_emit::{Emitted, FileRole};
use fishplate_plan::Plan;
use std::path::{Path, PathBuf};

/// The description of a module for build systems, in addition to the emitted files.
#[derive(Clone, Debug, Default)]
pub struct BuildDescription {
    /// The name under which the module is imported, with the names of its packages: `signals.filters`.
    pub module: String,
    /// The files of the output folder to compile.
    pub generated: Vec<PathBuf>,
    /// The files of the output folder to install next to the library, as paths below the folder that is on the
    /// search path of imports.
    pub install: Vec<PathBuf>,
    /// The C, C++ and Fortran sources of the interface.
    pub sources: Vec<PathBuf>,
    /// Folders for `-I`.
    pub include_dirs: Vec<PathBuf>,
    /// `NAME` or `NAME=VALUE`, for `-D`.
    pub defines: Vec<String>,
    /// Flags of the compiler.
    pub cflags: Vec<String>,
    /// Flags of the linker.
    pub link_flags: Vec<String>,
    /// Names for `-l`, or paths of library files.
    pub libraries: Vec<String>,
    /// Folders for `-L` and for the run path.
    pub library_dirs: Vec<PathBuf>,
    /// The module uses only the stable ABI of its target language.
    pub stable_abi: bool,
    /// The files from which the module was emitted: a change of one means to emit again.
    pub dependencies: Vec<PathBuf>,
}

impl BuildDescription {
    /// The description of a planned module.
    pub(crate) fn new(plan: &Plan, emitted: &Emitted) -> Self {
        let folder = resolve::folder_of(&plan.source);
        // A bare name that begins with `-` would be an option of the compiler.
        let is_bare = folder == Path::new(".");
        let join = |path: &str| match is_bare && !path.starts_with('-') {
            true => PathBuf::from(path),
            false => folder.join(path),
        };
        let module = &plan.module;
        let names = |role: FileRole| {
            let files = emitted.files.iter().filter(move |file| file.role == role);
            files.map(|file| PathBuf::from(&file.name))
        };
        // Headers next to the interface are found by relative paths.
        let include_dirs = module.include_dirs.iter().map(|dir| join(&dir.value));
        let standard = module.standard.iter().map(|name| format!("-std={}", name.value));
        let (link_flags, cflags) = standard
            .chain(module.cflags.iter().map(|flag| flag.value.clone()))
            .partition(|flag| flag.starts_with("-Wl,"));
        let library = |name: &str| match is_library_file(name) {
            true => join(name).to_string_lossy().into_owned(),
            false => name.to_owned(),
        };
        Self {
            module: plan.name.clone(),
            generated: names(FileRole::Unit).collect(),
            install: names(FileRole::Beside).chain(names(FileRole::Completed)).collect(),
            sources: module.sources.iter().map(|source| join(&source.value)).collect(),
            include_dirs: include_dirs.chain([folder.clone()]).collect(),
            defines: module.defines.iter().map(|define| define.value.clone()).collect(),
            cflags,
            link_flags,
            libraries: module.libraries.iter().map(|name| library(&name.value)).collect(),
            library_dirs: module.library_dirs.iter().map(|dir| join(&dir.value)).collect(),
            stable_abi: module.stable_abi,
            dependencies: vec![plan.source.path.clone()],
        }
    }
}

/// Returns whether a source or header of the module includes the header that checks for Ctrl-C.
pub(crate) fn uses_interrupt(plan: &Plan) -> bool {
    let folder = resolve::folder_of(&plan.source);
    let files = plan.module.sources.iter().chain(&plan.module.headers);
    files
        .filter_map(|file| std::fs::read(folder.join(&file.value)).ok())
        .any(|text| String::from_utf8_lossy(&text).contains(INTERRUPT.0))
}

/// A library with a folder or with the ending of a file is a path; any other is a name for the linker.
pub(crate) fn is_library_file(library: &str) -> bool {
    library.contains('/') || [".a", ".so", ".dylib", ".o"].iter().any(|end| library.ends_with(end))
}
