//! The one run of Python, and reading its answer.
//!
//! Not with `-I`: that would hide packages in the user's own site folder and on `PYTHONPATH`,
//! which the module will see when it is imported. The one thing that must be hidden, the current
//! folder, the script takes off `sys.path` itself.

use std::path::Path;

use serde::Deserialize;

use super::{Installation, OLDEST, PythonError};
use fishplate_toolchain::Environment;

/// A script that answers on standard output, or a module whose `ask` gives the answer.
pub(super) const SCRIPT: &str = include_str!("ask.py");
const MARKER: &str = "fishplate:";

/// The part that every Python answers.
#[derive(Deserialize)]
struct Version {
    version: (u32, u32, u32),
}

pub(super) fn ask(
    executable: &Path,
    environment: &Environment,
) -> Result<Installation, PythonError> {
    let not_python = |said: String| PythonError::NotPython { path: executable.to_owned(), said };
    // Only the program may be a bare name, and then PATH decides.
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

/// Reads an answer, which is JSON.
pub(super) fn read(answer: &str, executable: &Path) -> Result<Installation, PythonError> {
    let not_python = |said: String| PythonError::NotPython { path: executable.to_owned(), said };
    // The version first: an old Python's answer lacks the rest.
    let Version { version } =
        serde_json::from_str(answer).map_err(|error| not_python(error.to_string()))?;
    if (version.0, version.1) < OLDEST {
        return Err(PythonError::TooOld { path: executable.to_owned(), version });
    }
    let mut python: Installation =
        serde_json::from_str(answer).map_err(|error| not_python(error.to_string()))?;
    // An embedded or very odd Python does not know its own name.
    if python.executable.as_os_str().is_empty() {
        python.executable = executable.to_owned();
    }
    Ok(python)
}

/// Of a traceback, the last line says what happened.
fn last_line(raw: &str) -> String {
    match raw.lines().rev().find(|line| !line.trim().is_empty()) {
        Some(line) => line.trim().to_owned(),
        None => "it said nothing".to_owned(),
    }
}
