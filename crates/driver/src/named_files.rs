//! The files that an interface names.

use crate::{BuildOptions, read_file, resolve};
use std::path::PathBuf;

/// The interface file, the files that an annotated header includes, and the sources and headers of
/// the module, whether or not they exist. Files in a search path of the compiler are not among
/// them.
pub fn named_files(options: &BuildOptions) -> Vec<PathBuf> {
    let mut files = vec![options.file.clone()];
    let Some(mut interface) = read_file(&options.file, &options.installations).value else {
        return files;
    };
    // Its diagnostics are those of the build.
    resolve::resolve(&mut interface, &options.installations, &mut Vec::new());
    let folder = resolve::folder_of(&interface.source);
    let module = &interface.module;
    let dirs = module.include_dirs.iter().map(|dir| folder.join(&dir.value));
    let dirs: Vec<PathBuf> = std::iter::once(folder.clone()).chain(dirs).collect();
    let headers = module.headers.iter().filter(|header| !header.value.starts_with('<'));
    files.extend(module.sources.iter().map(|source| folder.join(&source.value)));
    files.extend(headers.flat_map(|header| dirs.iter().map(|dir| dir.join(&header.value))));
    files.extend(interface.included);
    files
}
