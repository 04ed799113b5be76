//! From one C file to a shared library, in one command.
//!
//! For source that is generated while a user waits: objects are not kept, headers are not tracked,
//! and nothing is looked up needlessly. The caller stores the result and decides when it can be
//! reused; [`Shared::identity`] lists what determines it in addition to the source.
//!
//! Invariant: a compiler that was killed leaves files only in the folder of its output.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::command::{quoted, run};
use crate::compile::{disk_full, is_disk_full};
use crate::environment::Environment;
use crate::error::{BuildError, CompileFailure, Doing};
use crate::link::undefined;
use crate::message::{self, CompilerMessage};
use crate::request::SourceLanguage;
use crate::toolchain::{Compiler, Family, Toolchain};

/// The compromise between compile time and speed of the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tier {
    /// [`Family::quick_flags`]: for long source, or source that runs once.
    Quick,
    /// `-O3`: for loops that run for long.
    #[default]
    Full,
}

/// How one C or C++ file is compiled.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Shared {
    /// As C++, by the compiler for C++.
    pub cxx: bool,
    /// How much the compiler optimises.
    pub tier: Tier,
    /// For this processor only, `-march=native`: a key must then include the processor's features.
    pub native: bool,
    /// Only `libraries` are linked, and no start files: for source that calls nothing else. It
    /// saves a tenth of the time for a small file. Functions of libraries that are not named are
    /// then found in the process, in their oldest version: name `m` if its functions are called.
    pub bare: bool,
    /// Further files that are compiled with the first.
    pub sources: Vec<PathBuf>,
    /// Where headers are looked for.
    pub include_dirs: Vec<PathBuf>,
    /// Libraries by name, and where they are looked for.
    pub libraries: Vec<String>,
    /// Folders of libraries, when linking and when loading.
    pub library_dirs: Vec<PathBuf>,
    /// Other flags; of two contradictory ones the last wins.
    pub flags: Vec<String>,
    /// Flags that are removed, from whatever source.
    pub without: Vec<String>,
}

impl Shared {
    /// Everything that determines the result, except the source and, if it is
    /// [`native`](Self::native), the processor: compiler, flags, and environment variables for
    /// compilers.
    ///
    /// # Errors
    ///
    /// [`BuildError::NoCompiler`].
    pub fn identity(&self, toolchain: &Toolchain) -> Result<Vec<OsString>, BuildError> {
        let compiler = toolchain.compiler(self.language())?;
        let mut identity = compiler.identity().to_vec();
        identity.extend(self.before(compiler));
        identity.push("--".into());
        identity.extend(self.after());
        for (name, value) in toolchain.environment().read_by_compilers() {
            identity.push("--".into());
            identity.push(name.into());
            identity.extend(value.map(OsString::from));
        }
        Ok(identity)
    }

    fn language(&self) -> SourceLanguage {
        if self.cxx { SourceLanguage::Cxx } else { SourceLanguage::C }
    }

    /// The flags that come before the file.
    fn before(&self, compiler: &Compiler) -> Vec<OsString> {
        let optimise = match self.tier {
            Tier::Quick => compiler.family.quick_flags(),
            Tier::Full => &["-O3"],
        };
        let mut flags: Vec<OsString> =
            ["-shared", "-fPIC", "-fvisibility=hidden"].map(OsString::from).into();
        flags.extend(optimise.iter().map(OsString::from));
        if self.native {
            flags.push("-march=native".into());
        }
        match compiler.family {
            // Nothing here is for link-time optimisation, and checking for it takes time.
            Family::Gnu => flags.push("-fno-use-linker-plugin".into()),
            // Zig turns on traps for undefined behaviour that need its own runtime library.
            Family::Zig => flags.push("-fno-sanitize=undefined".into()),
            Family::Clang | Family::Unknown => {}
        }
        if matches!(compiler.family, Family::Gnu | Family::Clang) {
            flags.push("-fdiagnostics-color=never".into());
            // On other systems a library needs the system's libraries.
            if self.bare && cfg!(target_os = "linux") {
                flags.push("-nostdlib".into());
            }
        }
        if cfg!(target_os = "macos") {
            flags.push("-Wl,-undefined,dynamic_lookup".into());
        }
        for folder in &self.include_dirs {
            flags.push("-I".into());
            flags.push(absolute(folder).into());
        }
        flags.extend(self.flags.iter().map(OsString::from));
        self.keep(flags)
    }

    /// The flags after it, where libraries must be.
    fn after(&self) -> Vec<OsString> {
        let mut flags = Vec::new();
        for folder in self.library_dirs.iter().map(|folder| absolute(folder)) {
            flags.extend(["-L".into(), folder.clone().into()]);
            // Not -Wl, which would split a path at its commas.
            flags.extend(["-Xlinker", "-rpath", "-Xlinker"].map(OsString::from));
            flags.push(folder.into());
        }
        flags.extend(self.libraries.iter().map(|library| format!("-l{library}").into()));
        self.keep(flags)
    }

    fn keep(&self, mut flags: Vec<OsString>) -> Vec<OsString> {
        flags.retain(|flag| !self.without.iter().any(|without| flag == without.as_str()));
        flags
    }
}

/// Compiles and links one C file. Returns the compiler's messages.
///
/// # Errors
///
/// [`BuildError::NoCompiler`] with how to get one, [`BuildError::Compile`] with the compiler's
/// messages, [`BuildError::Link`], and [`BuildError::Io`] where nothing can be written.
pub fn compile_shared(
    source: &Path,
    out: &Path,
    shared: &Shared,
    toolchain: &Toolchain,
) -> Result<Vec<CompilerMessage>, BuildError> {
    let compiler = toolchain.compiler(shared.language())?;
    let (source, out) = (absolute(source), absolute(out));
    let folder = out.parent().unwrap_or(Path::new("/"));
    let mut command = compiler.command.clone();
    command.extend(shared.before(compiler));
    command.push(source.clone().into());
    command.extend(shared.sources.iter().map(|one| absolute(one).into()));
    command.extend(["-o".into(), out.clone().into()]);
    command.extend(shared.after());
    let mut environment = toolchain.environment().clone().with("TMPDIR", folder);
    let zig = (compiler.family == Family::Zig).then(|| zig_cache(&environment, folder));
    if let Some(Some(zig)) = &zig {
        environment = environment.with("ZIG_GLOBAL_CACHE_DIR", zig);
    }
    let finished = run(&command, &environment).doing("start", Path::new(&command[0]))?;
    if let Some(Some(zig)) = zig {
        // A failure is harmless.
        let _ = fs::remove_dir_all(zig);
    }
    let raw = finished.raw();
    let messages = message::parse(&raw, &source);
    if finished.status.success() {
        return Ok(messages);
    }
    if is_disk_full(&raw) {
        return Err(disk_full("write", &out));
    }
    if is_about_linking(&raw) {
        let undefined = undefined(&raw);
        return Err(BuildError::Link { raw, command: quoted(&command), undefined });
    }
    let failure = CompileFailure { unit: source, command: quoted(&command), raw };
    Err(BuildError::Compile { messages, failures: vec![failure] })
}

fn is_about_linking(raw: &str) -> bool {
    raw.lines().any(|line| {
        line.starts_with("collect2: ")
            || line.starts_with("ld.lld: ")
            || line.contains("linker command failed")
    })
}

/// The folder for Zig's own objects, if Zig's default cannot be used: it does not compile without
/// such a folder. Filling it takes seconds, and a read-only home is rare.
fn zig_cache(environment: &Environment, folder: &Path) -> Option<PathBuf> {
    if environment.get("ZIG_GLOBAL_CACHE_DIR").is_some() {
        return None;
    }
    let usual = match environment.get("XDG_CACHE_HOME") {
        Some(caches) => PathBuf::from(caches).join("zig"),
        None => Path::new(environment.get("HOME")?).join(".cache/zig"),
    };
    let writable = fs::create_dir_all(&usual).and_then(|()| tempfile::tempfile_in(&usual));
    writable.is_err().then(|| folder.join("zig-cache"))
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
