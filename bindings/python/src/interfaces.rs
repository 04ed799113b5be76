//! Interfaces as modules: the implementation of `fishplate.load` and `fishplate.inline`.
//!
//! Invariant: the GIL is not held while anything is built, and a build that is interrupted raises
//! the exception of its interruption.

use fishplate_cli::report;
use fishplate_driver::{Environment, Event, Inline, Loadable, Report, Running};
use fishplate_host_python::Installation;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use std::ffi::CString;
use std::path::PathBuf;

/// The result of a build.
#[pyclass(frozen, get_all)]
pub(crate) struct Built {
    /// The library, if any.
    path: Option<PathBuf>,
    /// The name for the import.
    name: String,
    /// The interface, and the sources and headers that it names.
    sources: Vec<PathBuf>,
    /// Why the library is deleted with this process, if it is.
    not_kept: Option<String>,
    /// The command lines of compilers and of the linker, for a shell.
    commands: Vec<String>,
    /// All diagnostics as text.
    text: String,
    /// The same as JSON.
    json: String,
}

/// Builds the module of an interface file for this Python, unless it is in the cache.
#[pyfunction]
pub(crate) fn load_file(py: Python<'_>, file: PathBuf) -> PyResult<Built> {
    let python = running(py)?;
    build(py, |observe| fishplate_driver::load_file(&file, &python, observe))
}

/// Builds the module of C in a string for this Python, unless it is in the cache.
#[pyfunction]
#[pyo3(signature = (code, *, name, headers, include_dirs, libraries, library_dirs, cflags, defines))]
#[expect(clippy::too_many_arguments, reason = "they are Python's keywords")]
pub(crate) fn load_inline(
    py: Python<'_>,
    code: String,
    name: Option<String>,
    headers: Vec<String>,
    include_dirs: Vec<String>,
    libraries: Vec<String>,
    library_dirs: Vec<String>,
    cflags: Vec<String>,
    defines: Vec<String>,
) -> PyResult<Built> {
    let python = running(py)?;
    let inline =
        Inline { code, name, headers, include_dirs, libraries, library_dirs, cflags, defines };
    build(py, |observe| fishplate_driver::load_inline(&inline, &python, observe))
}

fn build(
    py: Python<'_>,
    build: impl FnOnce(&mut dyn FnMut(Event)) -> Report<Loadable> + Send,
) -> PyResult<Built> {
    let (report, commands) = py.detach(|| {
        let mut commands = Vec::new();
        let report = build(&mut |event| {
            if let Event::Compiling { command, .. } | Event::Linking { command, .. } = event {
                commands.push(command);
            }
        });
        (report, commands)
    });
    // Compilers are interrupted too: their messages are then meaningless.
    py.check_signals()?;
    let text = report::plain(&report);
    let json = report::as_json(&report, serde_json::json!({}))["diagnostics"].to_string();
    let Some(found) = report.value else {
        let (name, sources) = (String::new(), Vec::new());
        return Ok(Built { path: None, name, sources, not_kept: None, commands, text, json });
    };
    let Loadable { path, name, sources, not_kept } = found;
    Ok(Built { path: Some(path), name, sources, not_kept, commands, text, json })
}

/// The description of this Python, read once.
pub(crate) fn running(py: Python<'_>) -> PyResult<Running> {
    static RUNNING: PyOnceLock<Running> = PyOnceLock::new();
    let ask = || {
        let question = CString::new(Installation::QUESTION)?;
        let module = PyModule::from_code(py, &question, c"ask.py", c"fishplate_ask")?;
        let answer = module.getattr("ask")?.call0()?;
        let answer = py.import("json")?.getattr("dumps")?.call1((answer,))?.extract::<String>()?;
        let found = Installation::answered(&answer).and_then(|python| {
            let target = python.target(&Environment::current())?;
            let host = &fishplate_host_python::Python;
            Ok(Running { host, executable: python.executable, target })
        });
        found.map_err(|error| PyRuntimeError::new_err(error.to_string()))
    };
    RUNNING.get_or_try_init(py, ask).cloned()
}
