//! Runs an interpreter once, and parses its description, which is stored until what it depends on changes.
//!
//! Not with `-I`: that would hide packages in the user's own site folder and on `PYTHONPATH`, which
//! are visible when the module is imported. The script removes the current folder, which must be
//! hidden, from `sys.path` itself.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{Installation, OLDEST, PythonError};
use fishplate_toolchain::{Environment, starts_others};

/// A script that prints the description, or a module whose `ask` returns it.
pub(super) const SCRIPT: &str = include_str!("ask.py");
const MARKER: &str = "fishplate:";

/// The file of descriptions.
const DESCRIPTIONS: &str = "pythons.json";

/// The files that determine a description.
#[derive(Deserialize)]
struct Used {
    #[serde(default)]
    used: Vec<PathBuf>,
}

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
    let memo = environment.memo(DESCRIPTIONS);
    let question = question(&program, environment);
    if let Some(answer) = memo.as_ref().and_then(|memo| memo.recall::<String, _>(&question)) {
        return read(&answer, executable);
    }
    let command = [program.clone().into_os_string(), "-c".into(), SCRIPT.into()];
    let finished = environment.run(&command).map_err(|error| not_python(error.to_string()))?;
    let answer = finished.stdout.lines().rev().find_map(|line| line.strip_prefix(MARKER));
    let Some(answer) = answer else {
        return Err(not_python(last_line(&finished.raw())));
    };
    let python = read(answer, executable)?;
    // A script, or another program that starts a Python, may choose another one each time.
    let is_same = program.canonicalize().ok() == python.executable.canonicalize().ok();
    if let (Some(memo), Ok(Used { mut used })) = (memo, serde_json::from_str(answer))
        && !used.is_empty()
        && is_same
        && !starts_others(&program)
    {
        used.push(program);
        memo.keep(&question, &answer, used);
    }
    Ok(python)
}

/// The program, and the variables that determine its answer.
fn question(program: &Path, environment: &Environment) -> Vec<OsString> {
    const VARIABLES: [&str; 2] = ["HOME", "VIRTUAL_ENV"];
    let mut question = vec![program.to_owned().into_os_string(), SCRIPT.into()];
    let named = |name: &OsStr| VARIABLES.iter().any(|one| name == *one);
    let concerns = |name: &OsStr| named(name) || name.as_encoded_bytes().starts_with(b"PYTHON");
    for (name, value) in environment.iter().filter(|(name, _)| concerns(name)) {
        question.extend([name.to_owned(), value.to_owned()]);
    }
    question
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
