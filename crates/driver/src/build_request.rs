//! From a plan and its files to a request for a build.

use crate::VERSION;
use crate::description::{BuildDescription, is_library_file};
use fishplate_emit::{Emitted, FileRole};
use fishplate_plan::Plan;
use fishplate_toolchain::{BuildError, Request, Target, Unit};
use std::path::{Path, PathBuf};

/// The header that C includes to check for Ctrl-C, as sources of the module find it.
pub(crate) const INTERRUPT: (&str, &str) = (
    "fishplate/interrupt.h",
    include_str!("../../../bindings/python/fishplate/include/fishplate/interrupt.h"),
);

/// The folder for the module: that of its package, below the one that the user named.
pub(crate) fn output_folder(plan: &Plan, out: &Path) -> PathBuf {
    out.join(package_and_name(plan).0)
}

/// The folder of the module's package, with a slash at its end, and the module's name in it.
fn package_and_name(plan: &Plan) -> (String, &str) {
    match plan.name.rsplit_once('.') {
        Some((package, name)) => (package.replace('.', "/") + "/", name),
        None => (String::new(), plan.name.as_str()),
    }
}

/// The build request. Also writes the markers of a package's outer folders, which are not part of
/// the module.
pub(crate) fn request(
    plan: &Plan,
    emitted: &Emitted,
    target: &Target,
    out: &Path,
) -> Result<Request, BuildError> {
    let (package, name) = package_and_name(plan);
    let file_name = format!("{name}{}", target.suffix);
    // One work folder per installation: modules for several may be in one folder.
    let mut request = Request::new(file_name.clone(), out.join(&package), file_name);
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
    let described = BuildDescription::new(plan, emitted);
    request.units.extend(described.sources.into_iter().map(Unit::source));
    request.include_dirs = described.include_dirs;
    request.defines = described.defines;
    if emitted.files.iter().any(|file| file.contents.contains("FP_LACKS_CONST(")) {
        request.defines.push("FP_WARN_OF_CONST".to_owned());
    }
    request.cflags = described.cflags;
    request.link_flags = described.link_flags;
    request.libraries = described.libraries.into_iter().map(library_name).collect();
    request.library_dirs = described.library_dirs.iter().map(|dir| absolute(dir)).collect();
    target.complete(&mut request);
    request.identity.push(format!("fishplate {VERSION}"));
    Ok(request)
}

pub(crate) fn is_hand_written(path: &Path) -> bool {
    std::fs::read_to_string(path).is_ok_and(|text| !fishplate_emit::is_generated(&text))
}

/// A library as the linker takes it from any folder: a path becomes absolute, a name stays.
fn library_name(library: String) -> String {
    match is_library_file(&library) {
        true => absolute(Path::new(&library)).to_string_lossy().into_owned(),
        false => library,
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
