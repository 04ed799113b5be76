//! Exports compiled graphs to files that need neither Fishplate nor a compiler.
//!
//! Invariant: a file is either unchanged or complete.

use std::fs;
use std::path::{Path, PathBuf};

use fishplate_graph_c::PrintedGraph;
use fishplate_graph_c::library::Library;
use fishplate_toolchain::{BuildError, Shared, archive, compile_shared};

use crate::graphs::{GraphError, GraphOptions, flags_and_libraries};
use crate::{Installations, usual_toolchain};

/// How exported source is compiled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExportOptions {
    /// As for graphs that run here.
    pub graph: GraphOptions,
    /// For this processor only: others may not be able to run it.
    pub native: bool,
}

/// Writes NAME.h and NAME.c, and compiles them to a library; the suffix of its name decides whether
/// it is static.
///
/// # Errors
///
/// There is no compiler, it fails, or a file cannot be written.
pub fn compile_library(
    printed: &PrintedGraph,
    mut described: Library,
    folder: &Path,
    out: &Path,
    options: ExportOptions,
) -> Result<Vec<PathBuf>, GraphError> {
    let name = described.name.clone();
    let mut shared = shared(printed, options);
    let libraries: Vec<_> = shared.libraries.iter().map(|one| format!("-l{one}")).collect();
    described.command = format!(
        "cc -shared -fPIC -fvisibility=hidden -O3 {} {name}.c -o lib{name}.so {}",
        shared.flags.join(" "),
        libraries.join(" ")
    );
    let files = [
        (folder.join(format!("{name}.h")), described.header()),
        (folder.join(format!("{name}.c")), described.source(printed)),
    ];
    let work = work_folder(folder)?;
    let source = work.path().join(format!("{name}.c"));
    write(&source, &files[1].1)?;
    let toolchain = usual_toolchain(&Installations::default());
    let made = work.path().join("made");
    if out.extension().is_some_and(|extension| extension == "a") {
        let object = work.path().join(format!("{name}.o"));
        shared.flags.push("-c".to_owned());
        shared.without.push("-shared".to_owned());
        shared.libraries.clear();
        compile_shared(&source, &object, &shared, &toolchain)?;
        archive(&[object], &made, &toolchain)?;
    } else {
        compile_shared(&source, &made, &shared, &toolchain)?;
    }
    rename(&made, out)?;
    let mut written = vec![out.to_owned()];
    for (path, text) in files {
        let half = work.path().join("half");
        write(&half, &text)?;
        rename(&half, &path)?;
        written.push(path);
    }
    Ok(written)
}

/// Compiles a graph with its runtime, and C that calls it, to one module. `files` are names and
/// contents: those that do not end in `.c` are headers.
///
/// # Errors
///
/// There is no compiler, it fails, or a file cannot be written.
pub fn compile_export(
    printed: &PrintedGraph,
    files: &[(&str, String)],
    include_dirs: Vec<PathBuf>,
    out: &Path,
    options: ExportOptions,
) -> Result<(), GraphError> {
    let work = work_folder(out.parent().unwrap_or(Path::new(".")))?;
    let mut sources = Vec::new();
    for (name, text) in files {
        let path = work.path().join(name);
        write(&path, text)?;
        if path.extension().is_some_and(|extension| extension == "c") {
            sources.push(path);
        }
    }
    let first = sources.remove(0);
    let made = work.path().join("made");
    let shared = Shared { sources, include_dirs, ..shared(printed, options) };
    compile_shared(&first, &made, &shared, &usual_toolchain(&Installations::default()))?;
    rename(&made, out)
}

fn shared(printed: &PrintedGraph, options: ExportOptions) -> Shared {
    let (flags, mut libraries) = flags_and_libraries(printed, options.graph);
    libraries.extend(["dl", "pthread"].map(str::to_owned));
    Shared { native: options.native, libraries, flags, ..Shared::default() }
}

/// In the same folder as the result, so that it can be renamed into place.
fn work_folder(beside: &Path) -> Result<tempfile::TempDir, GraphError> {
    let beside = if beside.as_os_str().is_empty() { Path::new(".") } else { beside };
    fs::create_dir_all(beside)
        .and_then(|()| tempfile::Builder::new().prefix(".export.").tempdir_in(beside))
        .map_err(|source| io("write to the folder", beside, source))
}

fn write(path: &Path, text: &str) -> Result<(), GraphError> {
    fs::write(path, text).map_err(|source| io("write", path, source))
}

fn rename(from: &Path, to: &Path) -> Result<(), GraphError> {
    fs::rename(from, to).map_err(|source| io("write", to, source))
}

fn io(doing: &str, path: &Path, source: std::io::Error) -> GraphError {
    BuildError::Io { doing: doing.to_owned(), path: path.to_owned(), source }.into()
}
