//! From objects to a shared library.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::command::{quoted, run};
use crate::compile::{disk_full, environment_parts, is_disk_full};
use crate::contents::Contents;
use crate::error::{BuildError, Doing};
use crate::flags::{is_path, to_link, to_link_libraries};
use crate::import_library;
use crate::key::Key;
use crate::machine::System;
use crate::manifest::Object;
use crate::request::{Request, SourceLanguage};
use crate::toolchain::{Compiler, Family, Toolchain};
use crate::work::Work;

/// The linking of the library.
#[derive(Debug)]
pub(crate) struct LinkTask {
    /// The command without its output.
    command: Vec<OsString>,
    /// Where undefined symbols are detected: the prefixes of those that are allowed.
    undefined_ok: Option<Vec<String>>,
    /// The library of the interpreter on Windows.
    imports: Option<Imports>,
    pub key: String,
}

/// The input of an import library.
#[derive(Debug)]
struct Imports {
    dll: String,
    prefixes: Vec<String>,
    objects: Vec<PathBuf>,
    language: SourceLanguage,
}

/// The task for these objects, which are in the order of the request's units.
pub(crate) fn task(
    request: &Request,
    toolchain: &Toolchain,
    work: &Work,
    languages: &[SourceLanguage],
    objects: &[Object],
    contents: &mut Contents,
) -> Result<LinkTask, BuildError> {
    let compiler = toolchain.compiler(driver(languages))?;
    let mut before = to_link(request, toolchain.system(), languages);
    // Zig's linker front end supports neither, and Apple's resolves symbols at load time.
    let checkable =
        toolchain.system().is_linux() && matches!(compiler.family, Family::Gnu | Family::Clang);
    let undefined_ok = request.undefined_ok.clone().filter(|_| checkable);
    if undefined_ok.is_some() {
        before.extend(["-Wl,-z,defs", "-Wl,--warn-unresolved-symbols"].map(OsString::from));
    }
    let mut after = fortran_runtime(toolchain, languages)?;
    after.extend(to_link_libraries(request, compiler, toolchain.cross()));

    let mut key = Key::new("library");
    key.parts(compiler.identity());
    environment_parts(&mut key, toolchain.environment());
    key.part(&request.file_name);
    key.parts(&before);
    key.parts(undefined_ok.iter().flatten());
    // By content: an unchanged object needs no new library.
    key.parts(objects.iter().map(|object| &object.hash));
    for object in &request.objects {
        key.part(object);
        key.part(contents.hash(object).doing("read", object)?);
    }
    key.parts(&after);
    for library in library_files(request) {
        key.part(&library);
        // The linker reports a library that cannot be read.
        key.part(contents.hash(&library).unwrap_or_default());
    }
    key.parts(&request.identity);
    let imports = request.imports_from.clone().map(|dll| Imports {
        dll,
        prefixes: request.undefined_ok.clone().unwrap_or_default(),
        objects: objects.iter().map(|object| work.objects.join(&object.file)).collect(),
        language: driver(languages),
    });
    key.parts(imports.iter().map(|imports| &imports.dll));

    let mut command = compiler.command.clone();
    command.extend(before);
    command.extend(objects.iter().map(|object| work.objects.join(&object.file).into()));
    command.extend(request.objects.iter().map(OsString::from));
    command.extend(after);
    Ok(LinkTask { command, undefined_ok, imports, key: key.finish() })
}

impl LinkTask {
    /// Links into `unfinished`, which will become `path`.
    pub fn link(
        &self,
        toolchain: &Toolchain,
        unfinished: &Path,
        path: &Path,
    ) -> Result<(), BuildError> {
        let mut command = self.to(unfinished);
        if let Some(Imports { dll, prefixes, objects, language }) = &self.imports {
            let compiler = toolchain.compiler(*language)?;
            let folder = unfinished.parent().unwrap_or(Path::new("."));
            command.push(
                import_library::make(dll, prefixes, objects, compiler, toolchain, folder)?.into(),
            );
        }
        let finished =
            run(&command, toolchain.environment()).doing("start", Path::new(&command[0]))?;
        let raw = finished.raw();
        let undefined = self.not_ok(undefined(&raw));
        if finished.status.success() && (undefined.is_empty() || self.undefined_ok.is_none()) {
            if !unfinished.is_file() {
                let program = PathBuf::from(&command[0]);
                return Err(BuildError::NoOutput { program, what: "library" });
            }
            return Ok(());
        }
        if is_disk_full(&raw) {
            return Err(disk_full("write", path));
        }
        Err(BuildError::Link { undefined, raw: self.without_ok(&raw), command: self.shown(path) })
    }

    /// The command that links into `path`, for a shell.
    pub fn shown(&self, path: &Path) -> String {
        quoted(&self.to(path))
    }

    fn to(&self, output: &Path) -> Vec<OsString> {
        let mut command = self.command.clone();
        command.extend(["-o".into(), output.into()]);
        command
    }

    /// The symbols that must be defined.
    fn not_ok(&self, mut symbols: Vec<String>) -> Vec<String> {
        let ok = self.undefined_ok.as_deref().unwrap_or_default();
        symbols.retain(|symbol| !ok.iter().any(|beginning| symbol.starts_with(beginning)));
        symbols
    }

    /// The linker's messages, without the lines about symbols that may be undefined.
    fn without_ok(&self, raw: &str) -> String {
        let about_ok = |line: &&str| {
            let symbols = undefined(line);
            !symbols.is_empty() && self.not_ok(symbols).is_empty()
        };
        raw.lines().filter(|line| !about_ok(line)).map(|line| format!("{line}\n")).collect()
    }
}

/// The compiler that links, with its language's runtime libraries. C++ first, because its runtime
/// is harder to add from outside.
fn driver(languages: &[SourceLanguage]) -> SourceLanguage {
    [SourceLanguage::Cxx, SourceLanguage::Fortran]
        .into_iter()
        .find(|language| languages.contains(language))
        .unwrap_or(SourceLanguage::C)
}

/// If the C++ compiler links, gfortran's runtime must be named; gfortran reports its location.
fn fortran_runtime(
    toolchain: &Toolchain,
    languages: &[SourceLanguage],
) -> Result<Vec<OsString>, BuildError> {
    if !languages.contains(&SourceLanguage::Fortran) || driver(languages) == SourceLanguage::Fortran
    {
        return Ok(Vec::new());
    }
    let compiler: &Compiler = toolchain.compiler(SourceLanguage::Fortran)?;
    let library = match toolchain.system() {
        System::MacOs => "libgfortran.dylib",
        _ => "libgfortran.so",
    };
    let mut command = compiler.command.clone();
    command.push(format!("-print-file-name={library}").into());
    let printed = run(&command, toolchain.environment()).map(|finished| finished.stdout);
    let path = PathBuf::from(printed.unwrap_or_default().trim());
    let mut flags = Vec::new();
    if let (true, Some(folder)) = (path.is_absolute(), path.parent()) {
        let mut flag = OsString::from("-L");
        flag.push(folder);
        flags.push(flag);
    }
    flags.push("-lgfortran".into());
    Ok(flags)
}

/// The files on which the result depends besides the objects: libraries that are given by path
/// or found in the folders given, and files that flags name, such as version scripts. The
/// system's own libraries are left out; they are found again when the module is loaded.
pub(crate) fn library_files(request: &Request) -> Vec<PathBuf> {
    let mut folders = request.library_dirs.clone();
    let mut names = Vec::new();
    let mut files = Vec::new();
    for library in &request.libraries {
        if is_path(library) {
            files.push(PathBuf::from(library));
        } else {
            names.push(library.as_str());
        }
    }
    for flag in &request.link_flags {
        if let Some(folder) = flag.strip_prefix("-L") {
            folders.push(folder.into());
        } else if let Some(name) = flag.strip_prefix("-l") {
            names.push(name);
        } else {
            let parts = flag.split([',', '=']).chain([flag.as_str()]);
            files.extend(parts.map(PathBuf::from).filter(|file| file.is_file()));
        }
    }
    for folder in &folders {
        for name in &names {
            // All that exist: the linker chooses among them.
            let endings = ["so", "a", "dylib", "tbd"];
            let candidates = endings.map(|ending| folder.join(format!("lib{name}.{ending}")));
            files.extend(candidates.into_iter().filter(|file| file.is_file()));
        }
    }
    files.iter().map(|file| std::path::absolute(file).unwrap_or_else(|_| file.clone())).collect()
}

/// The symbols that a linker reports as undefined, each once, in the formats of GNU ld, lld and
/// Apple's linker.
pub(crate) fn undefined(raw: &str) -> Vec<String> {
    let mut symbols = Vec::new();
    for line in raw.lines() {
        let after = |words: &str| line.split_once(words).map(|(_, rest)| rest);
        let symbol = after("undefined reference to ")
            .or_else(|| after("undefined symbol: "))
            .or_else(|| line.trim().strip_suffix(", referenced from:"));
        let quotes: &[char] = &['`', '\'', '"', ' '];
        if let Some(symbol) = symbol.map(|symbol| symbol.trim_matches(quotes).to_owned())
            && !symbols.contains(&symbol)
        {
            symbols.push(symbol);
        }
    }
    symbols
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_driver_knows_the_hardest_runtime() {
        use SourceLanguage::{C, Cxx, Fortran};
        assert_eq!(driver(&[C]), C);
        assert_eq!(driver(&[C, Fortran]), Fortran);
        assert_eq!(driver(&[Fortran, C, Cxx]), Cxx);
    }

    #[test]
    fn undefined_symbols_are_named_once() {
        let raw = "\
/usr/bin/ld: a.o: in function `f':
a.c:(.text+0x5): undefined reference to `gone'
a.c:(.text+0x9): undefined reference to `gone'
ld.lld: error: undefined symbol: other(int)
  \"_third\", referenced from:
";
        assert_eq!(undefined(raw), ["gone", "other(int)", "_third"]);
    }
}
