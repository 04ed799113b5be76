//! The locations of a draft and its headers.
//!
//! Purpose: paths in `[module]`, and headers that are parts of one that only includes others.
//! Invariant: a part belongs to the library of the named header: it is in its folder or has its
//! name as a prefix.
//! Reason: `sodium.h`, `lzma.h` and `umfpack.h` declare nothing themselves, and their parts cannot
//! be included alone.

use super::InitOptions;
use crate::headers::{self, Found};
use crate::{default_host, hosts};
use fishplate_init::DraftModule;
use fishplate_readers::header::{self, Header};
use std::path::{Path, PathBuf};

/// Folders with the headers of many libraries.
const SHARED: &[&str] = &["include", "local"];

/// The module's name: by default that of the first file.
pub(super) fn module_name(name: Option<&str>, first: Option<&Path>) -> String {
    name.map(str::to_owned).unwrap_or_else(|| {
        let stem = first.and_then(Path::file_stem).unwrap_or_default();
        let name = header::module_name(&stem.to_string_lossy());
        free_name(hosts::reserved_words().host_name(&name))
    })
}

/// The module, with the sources that are next to the headers: files with one of these endings.
pub(super) fn module(options: &InitOptions<'_>, found: &[Found], endings: &[&str]) -> DraftModule {
    let mut module = DraftModule {
        name: module_name(
            options.name.as_deref(),
            found.first().map(|header| header.path.as_path()),
        ),
        defines: options.defines.clone(),
        libraries: options.libraries.clone(),
        ..DraftModule::default()
    };
    if module.libraries.is_empty() {
        // `stats.c` next to `stats.h` defines the functions of the header.
        let files = found.iter().filter(|header| header.is_file);
        let sources = files.filter_map(|header| {
            let mut paths = endings.iter().map(|ending| header.path.with_extension(ending));
            paths.find(|source| source.is_file())
        });
        module.sources = sources.map(|source| relative(&source, &options.folder)).collect();
    }
    let mut folders: Vec<String> =
        options.include_dirs.iter().map(|folder| relative(folder, &options.folder)).collect();
    for (header, asked) in found.iter().zip(&options.headers) {
        let relative = relative(&header.path, &options.folder);
        if !header.is_file {
            module.headers.push(format!("<{}>", headers::plain_name(asked)));
        } else if Path::new(&relative).is_relative() {
            module.headers.push(relative);
        } else {
            // The headers that it includes are next to it.
            let path = std::path::absolute(&header.path).ok();
            let folder = path.as_deref().and_then(Path::parent);
            let folder = folder.and_then(|folder| folder.canonicalize().ok());
            let folder = folder.unwrap_or_default().to_string_lossy().into_owned();
            if !folders.contains(&folder) {
                folders.push(folder);
            }
            module.headers.push(header.header.name.clone());
        }
    }
    module.include_dirs = folders;
    module
}

/// A module name that shadows no module of the default host's standard library.
fn free_name(name: String) -> String {
    let host = default_host().capabilities();
    let is_taken =
        [host.modules, host.standard_modules].iter().any(|names| names.contains(&name.as_str()));
    if is_taken { name + "_c" } else { name }
}

/// A path in an interface in `folder`: relative if it is below, else absolute.
pub(super) fn relative(path: &Path, folder: &Path) -> String {
    let absolute = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let (path, folder) = (absolute(path), absolute(folder));
    let inside = match path.strip_prefix(&folder) {
        Ok(inside) if inside == Path::new("") => Path::new("."),
        Ok(inside) => inside,
        Err(_) => &path,
    };
    inside.to_string_lossy().replace('$', "$$")
}

/// The headers among `files` that are parts of the libraries of `headers`.
pub(super) fn parts<'f>(
    headers: &[Header],
    files: impl Iterator<Item = &'f String> + Clone,
) -> Vec<Header> {
    let belongs = |rule: fn(&Path, &Path, &Header) -> bool| {
        let is_part = |file: &&String| {
            headers.iter().any(|header| {
                let mut markers = header.markers.iter();
                markers.any(|marker| rule(&absolute(marker), &absolute(file), header))
            })
        };
        files.clone().filter(is_part).filter_map(|file| read(file)).collect::<Vec<Header>>()
    };
    let found = belongs(bears_name);
    if found.is_empty() { belongs(is_included_beside) } else { found }
}

/// Compilers write some names relative to the current folder, clang also those next to a header with an absolute name.
fn absolute(marker: &str) -> PathBuf {
    std::path::absolute(marker).unwrap_or_else(|_| PathBuf::from(marker))
}

/// `sodium/core.h` for `sodium.h`, `umfpack_solve.h` for `umfpack.h`, and all in a folder `hdf5`
/// for `hdf5.h`.
fn bears_name(header: &Path, file: &Path, _: &Header) -> bool {
    let (Some(folder), Some(stem)) = (header.parent(), header.file_stem()) else { return false };
    let stem = stem.to_string_lossy();
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let is_beside = file.parent() == Some(folder);
    let rest = name.strip_prefix(stem.as_ref());
    let in_own_folder = folder.components().any(|part| part.as_os_str() == stem.as_ref());
    file.starts_with(folder.join(stem.as_ref()))
        || is_beside && (in_own_folder || rest.is_some_and(|rest| rest.starts_with(['_', '-'])))
}

/// In the same folder, if that belongs to one library, and included by the header itself.
fn is_included_beside(header: &Path, file: &Path, text: &Header) -> bool {
    let Some(folder) = header.parent() else { return false };
    let last = folder.file_name().unwrap_or_default().to_string_lossy();
    // `/usr/include/x86_64-linux-gnu`
    let is_shared = SHARED.contains(&last.as_ref()) || last.matches('-').count() > 1;
    let Ok(name) = file.strip_prefix(folder) else { return false };
    let name = name.to_string_lossy();
    let includes = |line: &str| {
        let line = line.trim_start();
        line.starts_with('#') && line.contains("include") && line.contains(name.as_ref())
    };
    !is_shared && text.text.lines().any(includes)
}

fn read(file: &str) -> Option<Header> {
    let bytes = std::fs::read(file).ok()?;
    let name = Path::new(file).file_name()?.to_string_lossy().into_owned();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Some(Header { name, markers: vec![file.to_owned()], text })
}
