//! The environment variables of a build, as a value.
//!
//! Read once and passed around: the search for compilers, the cache key and the compilers then use
//! the same values, and a test can set them.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::command::{Finished, run};
use crate::memo::Memo;

/// A snapshot of environment variables, and the interpreter of this process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Environment {
    variables: BTreeMap<OsString, OsString>,
    running: Option<(&'static str, PathBuf)>,
    memory: Option<PathBuf>,
}

/// The interpreter that loaded this library, and the name of its host.
static RUNNING: OnceLock<(&str, PathBuf)> = OnceLock::new();

/// Records that this process runs that interpreter of that host. Called once, by a binding; the
/// first call decides.
pub fn set_running_interpreter(host: &'static str, executable: PathBuf) {
    RUNNING.get_or_init(|| (host, executable));
}

/// The variables that affect the results of compilers.
const READ_BY_COMPILERS: [&str; 11] = [
    "COMPILER_PATH",
    "CPATH",
    "CPLUS_INCLUDE_PATH",
    "C_INCLUDE_PATH",
    "GCC_EXEC_PREFIX",
    "GFORTRAN_CONVERT_UNIT",
    "LD_RUN_PATH",
    "LIBRARY_PATH",
    "MACOSX_DEPLOYMENT_TARGET",
    "SDKROOT",
    "SOURCE_DATE_EPOCH",
];

impl Environment {
    /// The process's current environment.
    pub fn current() -> Self {
        Self {
            variables: std::env::vars_os().collect(),
            running: RUNNING.get().cloned(),
            memory: None,
        }
    }

    /// The same with a folder for what programs say about themselves, so that later processes need not start them. It
    /// must be writable for this user only.
    #[must_use]
    pub fn remembering(mut self, folder: impl Into<PathBuf>) -> Self {
        self.memory = Some(folder.into());
        self
    }

    /// Descriptions of programs, in a file with this name; `None` if nothing is stored.
    pub fn memo(&self, file: &str) -> Option<Memo> {
        self.memory.as_ref().map(|folder| Memo::new(folder.join(file)))
    }

    /// The same in a process of this interpreter of this host.
    #[must_use]
    pub fn with_running(mut self, host: &'static str, executable: impl Into<PathBuf>) -> Self {
        self.running = Some((host, executable.into()));
        self
    }

    /// The interpreter of this host that runs in this process: Fishplate's package is imported into
    /// it, or runs the command.
    pub fn running(&self, host: &str) -> Option<&Path> {
        self.running.as_ref().filter(|(name, _)| *name == host).map(|(_, path)| path.as_path())
    }

    /// The same with one variable set.
    #[must_use]
    pub fn with(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.variables.insert(name.into(), value.into());
        self
    }

    /// The same with one variable unset.
    #[must_use]
    pub fn without(mut self, name: impl AsRef<OsStr>) -> Self {
        self.variables.remove(name.as_ref());
        self
    }

    /// A variable's value; set but empty counts as unset, as it does for make and autoconf.
    pub fn get(&self, name: &str) -> Option<&OsStr> {
        let value = self.variables.get(OsStr::new(name))?;
        (!value.is_empty()).then_some(value.as_os_str())
    }

    /// All variables.
    pub fn iter(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        self.variables.iter().map(|(name, value)| (name.as_os_str(), value.as_os_str()))
    }

    /// A program on this PATH, or at this path if it has a slash; `None` if it is not there or
    /// cannot be executed.
    pub fn which(&self, program: &OsStr) -> Option<PathBuf> {
        // An empty or missing PATH must find nothing; the current folder is not on the PATH.
        let path = match self.get("PATH") {
            Some(path) => path,
            None if has_folder(Path::new(program)) => OsStr::new("/"),
            None => return None,
        };
        let here = std::env::current_dir().ok()?;
        which::which_in(program, Some(path), here).ok()
    }

    /// Runs a command (the program first) in this environment, in the C locale, and waits for it.
    ///
    /// # Errors
    ///
    /// It cannot be started, or the user interrupted it.
    pub fn run(&self, command: &[OsString]) -> io::Result<Finished> {
        run(command, self)
    }

    /// True for an existing file.
    pub fn is_file(&self, path: &Path) -> bool {
        path.is_file()
    }

    /// The variables that affect compiled code, for the key.
    pub(crate) fn read_by_compilers(&self) -> Vec<(&'static str, Option<&OsStr>)> {
        READ_BY_COMPILERS.iter().map(|name| (*name, self.get(name))).collect()
    }
}

fn has_folder(path: &Path) -> bool {
    path.parent().is_some_and(|parent| !parent.as_os_str().is_empty())
}
