//! A free-threaded Python, and the tests of modules and graphs on it.
//!
//! Purpose: build such a Python where none is given, and one that ThreadSanitizer observes, and run the cases without the
//! GIL.
//! Invariant: everything is in `target/free-threaded`.
//! Reason: Debian has no package of a free-threaded Python, and most machines have none.

use crate::fishplate::{self, Profile};
use crate::source_python::{self, Run, Source};
use crate::venv::Venv;
use crate::{Result, place, process};
use std::ffi::OsString;
use std::path::Path;

/// The Python that is built.
const SOURCE: Source = Source {
    release: "trixie",
    package: "python3.13",
    options: &["--disable-gil"],
    environment: &[],
    run: Run::Directly,
    modules: Source::FOR_PIP,
};

/// The same, for ThreadSanitizer, which otherwise does not know its locks.
const OBSERVED: Source = Source {
    options: &["--disable-gil", "--with-thread-sanitizer"],
    run: Run::AtFixedAddresses,
    ..SOURCE
};

/// The packages of the tests, with wheels for this Python.
const REQUIREMENTS: &str = "tests/free_threaded/requirements.txt";

/// The tests without the GIL: of threads, also under ThreadSanitizer, every case, divided interfaces, and locks.
const TESTS: [&str; 5] = [
    "tests/free_threaded/threads.py",
    "tests/free_threaded/observed.py",
    "tests/test_cases.py",
    "tests/test_units.py::test_runs",
    "tests/robustness/test_locks.py",
];

/// Cases of libraries that have no wheels for this Python.
const LIBRARIES: [&str; 2] = ["containers/run_libraries", "ragged/run_libraries"];

/// The environment with NumPy and pytest; `explicit` is the free-threaded Python to use, by default one that is built.
pub(crate) fn prepare(explicit: Option<&Path>) -> Result<Venv> {
    let venv = Venv::separate("free-threaded/venv", REQUIREMENTS);
    match explicit {
        Some(python) => venv.prepare(Some(python))?,
        None if venv.python().is_file() => venv.prepare(None)?,
        None => {
            let folder = place::target("free-threaded");
            let python = source_python::build(&SOURCE, &folder, &folder.join("python"))?;
            venv.prepare(Some(&python))?
        }
    };
    let asked = "import sys; sys.exit(sys.version_info < (3, 13) or sys._is_gil_enabled())";
    if process::succeeds(process::command(venv.python()).args(["-c", asked])) {
        return Ok(venv);
    }
    Err(format!("{} is not free-threaded", place::shown(&venv.python())))
}

/// Runs the tests, or what the arguments of pytest select of them.
pub(crate) fn test(arguments: &[OsString]) -> Result<()> {
    let venv = prepare(None)?;
    let folder = place::target("free-threaded");
    let observed = source_python::build(&OBSERVED, &folder, &folder.join("observed"))?;
    let command = fishplate::build(Profile::Dev)?;
    process::heading("modules and graphs on a free-threaded Python");
    let mut pytest = process::command(venv.python());
    pytest.args(["-m", "pytest", "--numprocesses", "auto", "--dist", "loadfile"]);
    pytest.args(LIBRARIES.map(|case| format!("--deselect=tests/test_cases.py::test_runs[{case}]")));
    pytest.args(TESTS).args(arguments);
    // Modules that do not declare that they need no GIL would enable it.
    pytest.env("FISHPLATE", command).env("PYTHON_GIL", "0");
    pytest.env("FISHPLATE_OBSERVED", observed);
    process::run(&mut pytest)
}
