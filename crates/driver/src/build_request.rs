//! From a plan and its files to a request for a build.

use crate::{VERSION, resolve};
use fishplate_emit::{Emitted, FileRole};
use fishplate_plan::Plan;
use fishplate_toolchain::{BuildError, Request, Target, Unit};
use std::path::{Path, PathBuf};

/// The header that C includes to check for Ctrl-C, as sources of the module find it.
pub(crate) const INTERRUPT: (&str, &str) = (
    "fishplate/interrupt.h",
    include_str!("../../../bindings/python/fishplate/include/fishplate/interrupt.h"),
);

/// The build request. Also writes the markers of a package's outer folders, which are not part of
/// the module.
pub(crate) fn request(
    plan: &Plan,
    emitted: &Emitted,
    target: &Target,
    out: &Path,
) -> Result<Request, BuildError> {
    let (package, name) = match plan.name.rsplit_once('.') {
        Some((package, name)) => (package.replace('.', "/") + "/", name),
        None => (String::new(), plan.name.as_str()),
    };
    let file_name = format!("{name}{}", target.suffix);
    // One work folder per installation: modules for several may be in one folder.
    let mut request = Request::new(file_name.clone(), out.join(&package), file_name);
    let folder = resolve::folder_of(&plan.source);
    let join = |path: &str| folder.join(path);
    for file in &emitted.files {
        match file.role {
            FileRole::Unit => request.units.push(Unit::generated(&file.name, &file.contents)),
            FileRole::Header => request.headers.push(Unit::generated(&file.name, &file.contents)),
            // Written after the library.
            FileRole::Completed => {}
            FileRole::Beside => match file.name.strip_prefix(&package) {
                // A stub that was written by hand is better than a generated one.
                Some(plain) if is_hand_written(&request.out.join(plain)) => {}
                Some(plain) if !plain.contains('/') => {
                    request.extra_files.push((plain.to_owned(), file.contents.clone()));
                }
                _ => write_marker(&out.join(&file.name), &file.contents)?,
            },
        }
    }
    request.headers.push(Unit::generated(INTERRUPT.0, INTERRUPT.1));
    let module = &plan.module;
    request.units.extend(module.sources.iter().map(|source| Unit::source(join(&source.value))));
    request.include_dirs = module.include_dirs.iter().map(|dir| join(&dir.value)).collect();
    // Headers next to the interface are found by relative paths.
    request.include_dirs.push(folder.clone());
    request.defines = module.defines.iter().map(|define| define.value.clone()).collect();
    if emitted.files.iter().any(|file| file.contents.contains("FP_LACKS_CONST(")) {
        request.defines.push("FP_WARN_OF_CONST".to_owned());
    }
    let standard = module.standard.iter().map(|name| format!("-std={}", name.value));
    let (for_linker, for_compiler): (Vec<String>, Vec<String>) = standard
        .chain(module.cflags.iter().map(|flag| flag.value.clone()))
        .partition(|flag| flag.starts_with("-Wl,"));
    request.cflags = for_compiler;
    request.link_flags = for_linker;
    request.libraries =
        module.libraries.iter().map(|library| library_name(&folder, &library.value)).collect();
    request.library_dirs =
        module.library_dirs.iter().map(|dir| absolute(&join(&dir.value))).collect();
    target.complete(&mut request);
    request.identity.push(format!("fishplate {VERSION}"));
    Ok(request)
}

pub(crate) fn is_hand_written(path: &Path) -> bool {
    std::fs::read_to_string(path).is_ok_and(|text| !fishplate_emit::is_generated(&text))
}

/// A library that is a path is relative to the interface; a name is passed to the linker.
fn library_name(folder: &Path, library: &str) -> String {
    let is_file = library.contains('/')
        || [".a", ".so", ".dylib", ".o"].iter().any(|end| library.ends_with(end));
    if is_file {
        absolute(&folder.join(library)).to_string_lossy().into_owned()
    } else {
        library.to_owned()
    }
}

/// The run path in a module must be valid wherever it is imported from.
fn absolute(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// Writes a small file that is not part of the build.
pub(crate) fn write_marker(path: &Path, contents: &str) -> Result<(), BuildError> {
    let write = || {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(path, contents)
    };
    write().map_err(|source| BuildError::Io {
        doing: "write".to_owned(),
        path: path.to_owned(),
        source,
    })
}
