//! The flags for units and libraries, and their order.
//!
//! The build's own first, then those of generated units, then the user's: of two contradictory
//! flags the last wins, and this should be the user's.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use crate::cross::CrossBuild;
use crate::machine::System;
use crate::request::{Request, SourceLanguage};
use crate::toolchain::{Compiler, Family};

/// The flags for compiling a unit, without the unit itself and without outputs.
pub(crate) fn to_compile(
    request: &Request,
    compiler: &Compiler,
    cross: Option<&CrossBuild>,
    language: SourceLanguage,
    generated: bool,
) -> Vec<OsString> {
    let mut flags: Vec<OsString> = vec!["-c".into(), "-O3".into()];
    flags.extend(position_independent(cross.map_or(System::THIS, |cross| cross.machine.system)));
    match compiler.family {
        // A short loop that straddles a fetch line runs at half speed: without this, the speed of a
        // user's loops would depend on the generated code before them.
        Family::Gnu => flags.push("-falign-loops=32".into()),
        Family::Clang | Family::Zig | Family::Unknown => {}
    }
    match compiler.family {
        Family::Gnu | Family::Clang => flags.push("-fdiagnostics-color=never".into()),
        // Zig turns on traps for undefined behaviour that need its own runtime library.
        Family::Zig => flags.push("-fno-sanitize=undefined".into()),
        Family::Unknown => {}
    }
    // Only the entry point must be visible: calls inside the library are then direct, and equal
    // names of functions in two libraries do not collide.
    flags.push("-fvisibility=hidden".into());
    for folder in &request.include_dirs {
        flags.push(joined("-I", folder));
    }
    if generated {
        for folder in &request.generated.include_dirs {
            // It is searched anyway; as a system folder it would move to the front, which breaks
            // the include_next of C++ headers.
            if folder != Path::new("/usr/include") {
                flags.extend(["-isystem".into(), folder.into()]);
            }
        }
        flags.extend(request.generated.flags.iter().map(OsString::from));
        let precompiled = request.generated.precompiled.as_ref();
        if let Some(header) = precompiled.filter(|header| header.language == language) {
            flags.extend(include_precompiled(compiler.family, &header.path));
        }
    }
    match request.headers_of {
        Some(SourceLanguage::C) => flags.extend(["-x".into(), "c-header".into()]),
        Some(SourceLanguage::Cxx) => flags.extend(["-x".into(), "c++-header".into()]),
        Some(SourceLanguage::Fortran) | None => {}
    }
    flags.extend(cross.iter().flat_map(|cross| cross.compile_flags(compiler.family)));
    flags.extend(request.defines.iter().map(|define| joined("-D", define)));
    let own = if language == SourceLanguage::Fortran { &request.fflags } else { &request.cflags };
    flags.extend(own.iter().filter(|flag| suits(flag, language)).map(OsString::from));
    flags
}

/// The flags for a precompiled header. gcc is given the name of the header, to which it adds an extension.
fn include_precompiled(family: Family, path: &Path) -> [OsString; 2] {
    match family {
        Family::Gnu => ["-include".into(), path.with_extension("").into()],
        Family::Clang | Family::Zig | Family::Unknown => ["-include-pch".into(), path.into()],
    }
}

/// The flag for code that can be loaded anywhere, which all code on Windows is.
fn position_independent(system: System) -> Option<OsString> {
    (system != System::Windows).then(|| "-fPIC".into())
}

/// The flags for linking that come before the objects.
pub(crate) fn to_link(
    request: &Request,
    system: System,
    languages: &[SourceLanguage],
) -> Vec<OsString> {
    let mut flags: Vec<OsString> = vec!["-shared".into()];
    flags.extend(position_independent(system));
    if system == System::MacOs {
        // The interpreter defines its symbols when it loads the module.
        flags.push("-Wl,-undefined,dynamic_lookup".into());
    }
    if !request.objects.is_empty() {
        // Functions of those objects that nothing calls are left out.
        flags.push(match system {
            System::MacOs => "-Wl,-dead_strip".into(),
            _ => "-Wl,--gc-sections".into(),
        });
    }
    let c_like = languages.iter().any(|language| *language != SourceLanguage::Fortran);
    let fortran = languages.contains(&SourceLanguage::Fortran);
    if fortran && !matches!(system, System::MacOs | System::Windows) {
        // Fortran has no hidden symbols: a procedure `step` would be replaced by that of the C library.
        flags.push("-Wl,-Bsymbolic".into());
    }
    let lists = [(c_like, &request.cflags), (fortran, &request.fflags)];
    for flag in lists.into_iter().filter(|(used, _)| *used).flat_map(|(_, list)| list) {
        let flag = OsString::from(flag);
        if concerns_linker(&flag) && !flags.contains(&flag) {
            flags.push(flag);
        }
    }
    flags
}

/// The flags for linking that come after the objects: libraries must.
pub(crate) fn to_link_libraries(
    request: &Request,
    compiler: &Compiler,
    cross: Option<&CrossBuild>,
) -> Vec<OsString> {
    let mut flags = Vec::new();
    for folder in &request.library_dirs {
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.clone());
        flags.push(joined("-L", &folder));
        // A folder of this machine is not one of another.
        if cross.is_none() {
            // Not -Wl, which would split a path at its commas.
            flags.extend(["-Xlinker".into(), "-rpath".into(), "-Xlinker".into(), folder.into()]);
        }
    }
    flags.extend(cross.iter().flat_map(|cross| cross.link_flags(compiler.family)));
    for library in &request.libraries {
        flags.push(if is_path(library) { library.into() } else { joined("-l", library) });
    }
    flags.extend(request.link_flags.iter().map(OsString::from));
    flags
}

/// Whether a library is named by its file rather than for `-l`.
pub(crate) fn is_path(library: &str) -> bool {
    library.contains(std::path::is_separator)
        || [".a", ".so", ".dylib", ".o", ".tbd"].iter().any(|end| library.ends_with(end))
}

/// Whether a flag goes to units of this language. A module has C units (the generated one) even
/// if all the user's are C++, so a `-std=` must find its own.
fn suits(flag: &str, language: SourceLanguage) -> bool {
    let Some(standard) = flag.strip_prefix("-std=") else { return true };
    match language {
        SourceLanguage::C => !standard.contains("++"),
        SourceLanguage::Cxx => standard.contains("++"),
        SourceLanguage::Fortran => true,
    }
}

/// Whether a flag for compiling is needed for linking too: without `-fopenmp`, a unit compiled with
/// it would lack its runtime.
fn concerns_linker(flag: &OsStr) -> bool {
    const BEGINNINGS: [&str; 14] = [
        "-fopenmp",
        "-fsanitize",
        "-flto",
        "-fno-lto",
        "-fprofile",
        "-fopenacc",
        "-fuse-ld",
        "-m",
        "-pthread",
        "-stdlib=",
        "--coverage",
        "--sysroot",
        "--target",
        "-g",
    ];
    flag.to_str().is_some_and(|flag| BEGINNINGS.iter().any(|beginning| flag.starts_with(beginning)))
}

fn joined(option: &str, value: impl AsRef<OsStr>) -> OsString {
    let mut flag = OsString::from(option);
    flag.push(value);
    flag
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_standard_goes_to_its_own_language() {
        assert!(
            suits("-std=c++20", SourceLanguage::Cxx) && !suits("-std=c++20", SourceLanguage::C)
        );
        assert!(
            suits("-std=gnu11", SourceLanguage::C) && !suits("-std=gnu11", SourceLanguage::Cxx)
        );
        assert!(suits("-Wall", SourceLanguage::C) && suits("-Wall", SourceLanguage::Cxx));
    }

    #[test]
    fn libraries_by_name_and_by_file() {
        assert!(!is_path("m") && !is_path("stdc++"));
        assert!(is_path("libx.a") && is_path("./x") && is_path("/usr/lib/libx.so"));
    }
}
