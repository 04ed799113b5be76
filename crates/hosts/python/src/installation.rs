//! Installations of Python, described by the interpreters themselves, in one run each.
//!
//! Guessing from paths fails for virtual environments, launchers and cross builds; the interpreter
//! is reliable. A missing part (headers, NumPy) is an error only where it is needed, so that
//! `doctor` can describe a Python that cannot be used for builds.

mod ask;
mod cross;
mod error;

use std::path::{Path, PathBuf};

use serde::Deserialize;

pub use error::PythonError;

use fishplate_toolchain::{Environment, PackagedCompiler, Target};

/// One Python, by its own description.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Installation {
    /// The interpreter, `sys.executable`.
    pub executable: PathBuf,
    /// Major, minor, micro.
    pub version: (u32, u32, u32),
    /// `cpython`, `pypy`.
    pub implementation: String,
    /// The whole of `sys.version`: version, build date and compiler.
    pub full_version: String,
    /// The suffix of an extension module's file name: `.cpython-311-x86_64-linux-gnu.so`.
    pub extension_suffix: String,
    /// `linux-x86_64`, `macosx-11.0-arm64`.
    pub platform: String,
    /// A debug build (`Py_DEBUG`).
    pub debug: bool,
    /// Built without the GIL (`Py_GIL_DISABLED`).
    pub free_threaded: bool,
    /// `sys.prefix`: the folder of the installation, or of its virtual environment.
    #[serde(default)]
    pub prefix: PathBuf,
    /// The folder of packages: its `site-packages`.
    #[serde(default)]
    pub site: PathBuf,
    /// The folder of its headers; use [`headers`](Self::headers) to check that they exist.
    pub include_dirs: Vec<PathBuf>,
    /// The file of `pyconfig.h`, which may be elsewhere.
    #[serde(default)]
    config_header: PathBuf,
    numpy: Option<NumPy>,
    /// Why importing NumPy failed although it is installed.
    numpy_problem: Option<String>,
}

/// The NumPy of a Python.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct NumPy {
    /// `2.1.3`
    pub version: String,
    /// The folder of its headers.
    pub include_dir: PathBuf,
}

/// The oldest Python that is supported.
const OLDEST: (u32, u32) = (3, 11);

/// The oldest Python that loads modules with the stable ABI. Older ones have no vectorcall in it, without which each call
/// packs its arguments into a tuple.
const STABLE: (u32, u32) = (3, 12);

/// The macro that limits `Python.h` to the stable ABI of that version.
const LIMITED_API: &str = "Py_LIMITED_API=0x030C0000";

/// The host's name.
pub const NAME: &str = "python";

/// The Python to use: `explicit` (a path, a name on `PATH`, or a version: `3.12`), else the one of
/// this process, else the one of the active virtual environment (`$VIRTUAL_ENV`), else `python3` or
/// `python` on `PATH`.
///
/// A version is looked for next to the running Python and in the active virtual environment before `PATH`.
///
/// # Errors
///
/// [`PythonError::NotFound`].
pub fn find_python(
    environment: &Environment,
    explicit: Option<&Path>,
) -> Result<PathBuf, PythonError> {
    let mut candidates: Vec<(PathBuf, &str)> = Vec::new();
    let virtual_environment = environment
        .get("VIRTUAL_ENV")
        .map(|folder| Path::new(folder).join(if cfg!(windows) { "Scripts" } else { "bin" }));
    if let Some(explicit) = explicit {
        candidates.push((explicit.to_owned(), ""));
        if let Some(name) = explicit.to_str().filter(|name| is_version(name)) {
            let name = format!("python{name}");
            let beside = environment.running(NAME).and_then(Path::parent);
            candidates.extend(beside.map(|folder| (folder.join(&name), "")));
            candidates.extend(virtual_environment.map(|folder| (folder.join(&name), "")));
            candidates.push((name.into(), " on PATH"));
        }
    } else {
        candidates.extend(environment.running(NAME).map(|python| (python.to_owned(), "")));
        let file = if cfg!(windows) { "python.exe" } else { "python" };
        candidates.extend(virtual_environment.map(|folder| (folder.join(file), " ($VIRTUAL_ENV)")));
        candidates.extend(["python3", "python"].map(|name| (name.into(), " on PATH")));
    }
    candidates.iter().find_map(|(place, _)| environment.which(place.as_os_str())).ok_or_else(|| {
        PythonError::NotFound {
            looked: candidates
                .iter()
                .map(|(place, whence)| format!("{}{whence}", place.display()))
                .collect(),
        }
    })
}

/// Whether this is a version of Python, as at the end of an interpreter's name: `3`, `3.12`,
/// `3.13t`.
fn is_version(text: &str) -> bool {
    let number = text.strip_suffix('t').unwrap_or(text);
    let (major, minor) = number.split_once('.').unwrap_or((number, "0"));
    [major, minor].iter().all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()))
}

impl Installation {
    /// Finds a Python as [`find_python`] does, and runs it to describe itself.
    ///
    /// # Errors
    ///
    /// Those of [`find_python`] and of [`ask`](Self::ask).
    pub fn find(environment: &Environment, explicit: Option<&Path>) -> Result<Self, PythonError> {
        ask::ask(&find_python(environment, explicit)?, environment)
    }

    /// Runs this interpreter once to describe itself.
    ///
    /// # Errors
    ///
    /// [`PythonError::NotPython`] if the output is not a description, [`PythonError::TooOld`] if it
    /// is older than 3.11. Missing headers and a missing NumPy are not errors here.
    pub fn ask(executable: &Path, environment: &Environment) -> Result<Self, PythonError> {
        ask::ask(executable, environment)
    }

    /// The source of a Python module whose `ask()` returns the description as a dictionary, as in
    /// [`ask`](Self::ask): for a Python that runs in this process, and need not be started.
    pub const QUESTION: &str = ask::SCRIPT;

    /// Parses the result of `ask()`, as JSON.
    ///
    /// # Errors
    ///
    /// Those of [`ask`](Self::ask).
    pub fn answered(answer: &str) -> Result<Self, PythonError> {
        ask::read(answer, Path::new("python"))
    }

    /// The folders of `Python.h` and of the headers that it includes.
    ///
    /// # Errors
    ///
    /// [`PythonError::NoHeaders`] if `Python.h` is in none of them.
    pub fn headers(&self, environment: &Environment) -> Result<&[PathBuf], PythonError> {
        if self.include_dirs.iter().any(|dir| environment.is_file(&dir.join("Python.h"))) {
            return Ok(&self.include_dirs);
        }
        Err(PythonError::NoHeaders {
            python: self.executable.clone(),
            version: (self.version.0, self.version.1),
            looked: self.include_dirs.clone(),
        })
    }

    /// Its NumPy.
    ///
    /// # Errors
    ///
    /// [`PythonError::NoNumPy`] if it has none, [`PythonError::BrokenNumPy`] if importing it
    /// fails.
    pub fn numpy(&self) -> Result<&NumPy, PythonError> {
        match (&self.numpy, &self.numpy_problem) {
            (Some(numpy), _) => Ok(numpy),
            (None, None) => Err(PythonError::NoNumPy { python: self.executable.clone() }),
            (None, Some(reason)) => Err(PythonError::BrokenNumPy {
                python: self.executable.clone(),
                reason: reason.clone(),
            }),
        }
    }

    /// Its build target, if it has headers and NumPy.
    ///
    /// # Errors
    ///
    /// Those of [`headers`](Self::headers) and of [`numpy`](Self::numpy).
    pub fn target(&self, environment: &Environment) -> Result<Target, PythonError> {
        // Debian's folder of Python's headers has a link to those of its own NumPy, which may be another one.
        let mut include_dirs = self.headers(environment)?.to_owned();
        include_dirs.insert(0, self.numpy()?.include_dir.clone());
        Ok(Target {
            name: format!("python{}.{}", self.version.0, self.version.1),
            suffix: self.extension_suffix.clone(),
            include_dirs,
            link_flags: Vec::new(),
            defines: vec!["Py", "_Py"],
            macros: Vec::new(),
            identity: self.identity(),
            abi: self.abi(),
            ..Target::default()
        })
    }

    /// The target of modules that use only the stable ABI, which every CPython from 3.12 on loads.
    ///
    /// # Errors
    ///
    /// [`PythonError::NoStableAbi`].
    pub fn with_stable_abi(&self, mut target: Target) -> Result<Target, PythonError> {
        if self.implementation != "cpython"
            || self.free_threaded
            || (self.version.0, self.version.1) < STABLE
        {
            return Err(PythonError::NoStableAbi(Box::new(self.clone())));
        }
        // On Windows a library of its own has the stable ABI, and names of modules do not contain it.
        let suffix = if target.suffix.ends_with(".pyd") { ".pyd" } else { ".abi3.so" };
        suffix.clone_into(&mut target.suffix);
        target.imports_from = target.imports_from.map(|_| "python3.dll".to_owned());
        target.macros.push(LIMITED_API.to_owned());
        Ok(target)
    }

    /// The version of Python and that of NumPy.
    fn abi(&self) -> Vec<String> {
        let numpy = self.numpy.iter().map(|numpy| numpy.version.clone());
        [self.full_version.clone(), self.extension_suffix.clone()]
            .into_iter()
            .chain(numpy)
            .collect()
    }

    /// The lines for `doctor`.
    pub(crate) fn survey(&self, environment: &Environment) -> Vec<String> {
        vec![
            format!("python: {}", self.executable.display()),
            format!("  {}", self.full_version.replace('\n', " ")),
            match self.headers(environment) {
                Ok(folders) => {
                    let folders = folders.iter().map(|folder| folder.display().to_string());
                    format!("  headers: {}", folders.collect::<Vec<_>>().join(", "))
                }
                Err(error) => format!("  headers: {error}"),
            },
            match self.numpy() {
                Ok(numpy) => format!("  numpy: {}", numpy.version),
                Err(error) => format!("  numpy: {error}"),
            },
        ]
    }

    /// The properties that must be equal for a module to be loadable, for [`Target::identity`].
    pub fn identity(&self) -> Vec<String> {
        let mut identity = vec![
            self.executable.display().to_string(),
            self.full_version.clone(),
            self.implementation.clone(),
            self.extension_suffix.clone(),
            self.platform.clone(),
            format!("debug {} free-threaded {}", self.debug, self.free_threaded),
        ];
        identity.extend(self.numpy.iter().map(|numpy| format!("numpy {}", numpy.version)));
        identity
    }
}

/// The compiler of the PyPI package `ziglang`, if a Python has it.
pub(crate) fn packaged_compiler(
    environment: &Environment,
    explicit: Option<&Path>,
) -> PackagedCompiler {
    let python = find_python(environment, explicit).ok();
    let shown = python.as_deref().unwrap_or(Path::new("python")).display().to_string();
    let start = |python: PathBuf| vec![python.into_os_string(), "-m".into(), "ziglang".into()];
    PackagedCompiler {
        place: format!("ziglang in {shown}"),
        command: python.map(start),
        install: format!("{shown} -m pip install ziglang"),
    }
}
