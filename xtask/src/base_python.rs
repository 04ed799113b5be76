//! The Python for creating virtual environments.
//!
//! Candidates are run, not only looked up: launchers and version managers put programs on the
//! `PATH` that fail. Each reports its own missing parts.

use crate::process;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The oldest Python that Fishplate supports.
const OLDEST: (u32, u32) = (3, 11);

/// In order of preference.
const CANDIDATES: [&str; 5] = ["python3.14", "python3.13", "python3.12", "python3.11", "python3"];

/// One line each; `sys.executable` is the program that a launcher starts. In a virtual environment
/// the headers and `ensurepip` are those of its base Python.
const QUESTIONS: &str = "
import importlib.util, os, sys, sysconfig
found = importlib.util.find_spec
print(sys.executable)
print(sys.version_info.major, sys.version_info.minor)
print(' '.join(sys.version.split()))
print(found('venv') is not None and found('ensurepip') is not None)
print(os.path.isfile(os.path.join(sysconfig.get_path('include'), 'Python.h')))
";

/// A Python's description of itself.
#[derive(Clone, Debug)]
pub(crate) struct BasePython {
    /// The interpreter.
    pub executable: PathBuf,
    /// Major and minor.
    pub version: (u32, u32),
    /// Version, build date and compiler: changes when it is replaced at the same path.
    pub full_version: String,
    /// It can create virtual environments.
    has_venv: bool,
    /// `Python.h` is there.
    has_headers: bool,
}

impl BasePython {
    /// Runs a Python to describe it; `None` if it does not run, or is not Python 3.
    pub(crate) fn describe(program: &Path) -> Option<BasePython> {
        let answers = process::capture(process::command(program).args(["-c", QUESTIONS])).ok()?;
        let mut lines = answers.lines();
        let executable = PathBuf::from(lines.next()?);
        let (major, minor) = lines.next()?.split_once(' ')?;
        Some(BasePython {
            executable,
            version: (major.parse().ok()?, minor.parse().ok()?),
            full_version: lines.next()?.to_owned(),
            has_venv: lines.next()? == "True",
            has_headers: lines.next()? == "True",
        })
    }

    /// The problem with it, and how to solve it; `None` if it can be used.
    pub(crate) fn complaint(&self) -> Option<String> {
        let name = self.executable.display();
        let (major, minor) = self.version;
        if self.version < OLDEST {
            return Some(format!(
                "{name} is Python {major}.{minor}; install Python {}.{} or later",
                OLDEST.0, OLDEST.1
            ));
        }
        let lacks = match (self.has_venv, self.has_headers) {
            (true, true) => return None,
            (false, true) => "cannot make virtual environments (its `ensurepip` is missing)",
            (true, false) => "has no `Python.h`, which extension modules need",
            (false, false) => "has neither `ensurepip` (for virtual environments) nor `Python.h`",
        };
        Some(format!("{name} {lacks}; {}", self.remedy()))
    }

    /// Debian's packages for the parts that this Python lacks; none if it is not Debian's.
    pub(crate) fn missing_packages(&self) -> Vec<String> {
        let (major, minor) = self.version;
        let mut packages = Vec::new();
        if self.is_the_systems() && self.version >= OLDEST {
            if !self.has_venv {
                packages.push(format!("python{major}.{minor}-venv"));
            }
            if !self.has_headers {
                packages.push(format!("python{major}.{minor}-dev"));
            }
        }
        packages
    }

    fn is_the_systems(&self) -> bool {
        self.executable.starts_with("/usr/bin")
    }

    fn remedy(&self) -> String {
        let (major, minor) = self.version;
        if !self.is_the_systems() {
            return "install a Python that has both, or put another one first on the PATH".into();
        }
        match self.missing_packages().as_slice() {
            [] => "install them".to_owned(),
            packages => format!(
                "on Debian and Ubuntu: `apt-get install {}`; on Fedora: `dnf install \
                 python{major}.{minor}-devel`",
                packages.join(" ")
            ),
        }
    }
}

/// The Python to use: `explicit`, else the first complete one.
pub(crate) fn choose(explicit: Option<&Path>) -> crate::Result<BasePython> {
    if let Some(program) = explicit {
        let python = BasePython::describe(program)
            .ok_or_else(|| format!("{} is not a Python 3 that runs", program.display()))?;
        return match python.complaint() {
            None => Ok(python),
            Some(complaint) => Err(complaint),
        };
    }
    first_complete(&all(), || {
        format!(
            "no Python runs (tried {}); install Python {}.{} or later with its headers, on Debian \
             and Ubuntu: `apt-get install python3 python3-venv python3-dev`",
            CANDIDATES.join(", "),
            OLDEST.0,
            OLDEST.1
        )
    })
}

/// The Python of this version that can be used.
pub(crate) fn of_version((major, minor): (u32, u32)) -> crate::Result<BasePython> {
    let mut found: Vec<_> = all().into_iter().chain(of_pyenv()).collect();
    found.retain(|python| python.version == (major, minor));
    first_complete(&found, || {
        format!("Python {major}.{minor} is not installed: it is neither on the PATH nor in pyenv")
    })
}

/// The first that can be used; else the problems with all, or `missing` if there are none.
fn first_complete(
    found: &[BasePython],
    missing: impl FnOnce() -> String,
) -> crate::Result<BasePython> {
    if let Some(python) = found.iter().find(|python| python.complaint().is_none()) {
        return Ok(python.clone());
    }
    let complaints: Vec<String> = found.iter().filter_map(BasePython::complaint).collect();
    Err(if complaints.is_empty() {
        missing()
    } else {
        format!("no Python can be used:\n  {}", complaints.join("\n  "))
    })
}

/// Every candidate that runs, each once.
pub(crate) fn all() -> Vec<BasePython> {
    let mut found: Vec<BasePython> = Vec::new();
    for name in CANDIDATES {
        // Not only the first with a name: an earlier one on the PATH may not run.
        for program in which::which_all(name).into_iter().flatten() {
            let Some(python) = BasePython::describe(&program) else { continue };
            if found.iter().all(|other| other.executable != python.executable) {
                found.push(python);
            }
        }
    }
    found
}

/// The Pythons of at least this version that can be used, one for each version, the oldest first: those on the `PATH` and
/// those that pyenv has installed.
pub(crate) fn newer_than(oldest: (u32, u32)) -> Vec<BasePython> {
    let mut by_version: BTreeMap<(u32, u32), BasePython> = BTreeMap::new();
    for python in all().into_iter().chain(of_pyenv()) {
        if python.version >= oldest && python.complaint().is_none() {
            by_version.entry(python.version).or_insert(python);
        }
    }
    by_version.into_values().collect()
}

/// Those of pyenv, which its launchers on the `PATH` start only if they are selected.
fn of_pyenv() -> Vec<BasePython> {
    let root = std::env::var_os("PYENV_ROOT").map(PathBuf::from);
    let root = root.or_else(|| Some(std::env::home_dir()?.join(".pyenv")));
    let folders = root.and_then(|root| std::fs::read_dir(root.join("versions")).ok());
    let mut programs: Vec<PathBuf> = folders
        .into_iter()
        .flatten()
        .flatten()
        .map(|folder| folder.path().join("bin/python3"))
        .collect();
    programs.sort();
    programs.iter().filter_map(|program| BasePython::describe(program)).collect()
}
