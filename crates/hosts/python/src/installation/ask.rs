//! Runs an interpreter once, and parses its description.
//!
//! Not with `-I`: that would hide packages in the user's own site folder and on `PYTHONPATH`, which
//! are visible when the module is imported. The script removes the current folder, which must be
//! hidden, from `sys.path` itself.

use std::path::Path;

use serde::Deserialize;

use super::{Installation, OLDEST, PythonError};
use fishplate_toolchain::Environment;

/// A script that prints the description, or a module whose `ask` returns it.
pub(super) const SCRIPT: &str = include_str!("ask.py");
const MARKER: &str = "fishplate:";

/// The part that every Python reports.
#[derive(Deserialize)]
struct Version {
    version: (u32, u32, u32),
}

pub(super) fn ask(
    executable: &Path,
    environment: &Environment,
) -> Result<Installation, PythonError> {
    let not_python =
        |reason: String| PythonError::NotPython { path: executable.to_owned(), reason };
    // Only the program may be a bare name, which is looked up in PATH.
    let Some(program) = environment.which(executable.as_os_str()) else {
        return Err(PythonError::NotFound { looked: vec![executable.display().to_string()] });
    };
    let command = [program.into_os_string(), "-c".into(), SCRIPT.into()];
    let finished = environment.run(&command).map_err(|error| not_python(error.to_string()))?;
    let answer = finished.stdout.lines().rev().find_map(|line| line.strip_prefix(MARKER));
    let Some(answer) = answer else {
        return Err(not_python(last_line(&finished.raw())));
    };
    read(answer, executable)
}

/// Parses a description, which is JSON.
pub(super) fn read(answer: &str, executable: &Path) -> Result<Installation, PythonError> {
    let not_python =
        |reason: String| PythonError::NotPython { path: executable.to_owned(), reason };
    // The version first: an old Python's description lacks the rest.
    let Version { version } =
        serde_json::from_str(answer).map_err(|error| not_python(error.to_string()))?;
    if (version.0, version.1) < OLDEST {
        return Err(PythonError::TooOld { path: executable.to_owned(), version });
    }
    let mut python: Installation =
        serde_json::from_str(answer).map_err(|error| not_python(error.to_string()))?;
    // An embedded or unusual Python does not report its own name.
    if python.executable.as_os_str().is_empty() {
        python.executable = executable.to_owned();
    }
    Ok(python)
}

/// The last line of a traceback has the error.
fn last_line(raw: &str) -> String {
    match raw.lines().rev().find(|line| !line.trim().is_empty()) {
        Some(line) => line.trim().to_owned(),
        None => "it printed nothing".to_owned(),
    }
}
