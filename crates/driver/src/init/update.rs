//! Updates an interface file with new declarations of its headers.
//!
//! Purpose: default to the headers, folders and macros of the file.
//! Invariant: mistakes in the file are reported before anything is added to it.
//! Reason: the options with which a file was drafted need not be remembered.

use super::InitOptions;
use crate::resolve;
use fishplate_check::check;
use fishplate_model::{Diagnostic, Interface, Source};
use fishplate_readers::interface;
use std::path::Path;

/// Reads the interface at this path; its mistakes are errors.
pub(super) fn read(path: &Path) -> Result<Interface, Vec<Diagnostic>> {
    let source = resolve::read(path, "name an interface file, such as `stats.toml`")?;
    let reading = interface::read(Source { path: path.to_owned(), ..source });
    let mut found = reading.diagnostics;
    let mut resolved = reading.interface.clone();
    resolve::resolve(&mut resolved, &crate::Installations::default(), &mut Vec::new());
    let (_, more) = check(&resolved, &crate::default_host().capabilities());
    found.extend(more);
    found.retain(Diagnostic::is_error);
    if found.is_empty() { Ok(reading.interface) } else { Err(found) }
}

/// Takes options that are absent from the file.
pub(super) fn complete(options: &mut InitOptions<'_>, interface: &Interface, path: &Path) {
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    let module = &interface.module;
    if options.headers.is_empty() {
        let headers = module.headers.iter().map(|header| {
            let beside = folder.join(&header.value);
            if beside.is_file() {
                beside.to_string_lossy().into_owned()
            } else {
                header.value.clone()
            }
        });
        options.headers = headers.collect();
    }
    let folders = module.include_dirs.iter().map(|dir| folder.join(&dir.value));
    options.include_dirs.extend(folders);
    options.defines.extend(module.defines.iter().map(|define| define.value.clone()));
    options.folder = if folder.as_os_str().is_empty() { ".".into() } else { folder };
}
