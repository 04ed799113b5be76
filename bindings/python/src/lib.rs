//! `fishplate._native`: the part of the Python package `fishplate` that is written in Rust.
//!
//! Purpose: the driver and the command, as functions of Python.
//! Invariant: thin: values are converted and errors become exceptions; the work is the driver's.
//! Reason: the API in Python (names, defaults, documentation) is written in Python, in
//! `bindings/python/fishplate`.

mod command;
mod entry;
mod export;
mod graphs;
mod interfaces;
mod module;
mod protocol;
mod wrapped;

use pyo3::prelude::*;

#[pyfunction]
fn remove_unkept() {
    fishplate_driver::remove_unkept();
}

/// The native part of the package: not for direct use. The cells of graphs rely on the GIL.
#[pymodule(gil_used = true)]
mod _native {
    use super::remove_unkept;
    use pyo3::prelude::*;
    use std::path::PathBuf;

    #[pymodule_export]
    use super::command::run_command;
    #[pymodule_export]
    use super::entry::late;
    #[pymodule_export]
    use super::export::{export_library, export_module};
    #[pymodule_export]
    use super::graphs::{Graph, LinkedGraph, NoCompiler, infer};
    #[pymodule_export]
    use super::interfaces::{Built, load_file, load_inline};
    #[pymodule_export]
    use super::protocol::{CProgram, CompileError, LinkedProgram, type_fragment, type_literal};
    #[pymodule_export]
    use super::wrapped::{OpCall, OpSource};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // The command and the search for compilers use this Python, not another one on PATH. An
        // embedded Python may not report its own path.
        let executable: Option<PathBuf> =
            module.py().import("sys")?.getattr("executable")?.extract()?;
        if let Some(executable) = executable.filter(|path| !path.as_os_str().is_empty()) {
            fishplate_driver::set_running_interpreter(fishplate_host_python::NAME, executable);
        }
        // Libraries that could not be stored are deleted with the process.
        let remove = wrap_pyfunction!(remove_unkept, module)?;
        module.py().import("atexit")?.call_method1("register", (remove,))?;
        Ok(())
    }

    /// The name of a graph's function in its library.
    #[pymodule_export]
    const SYMBOL: &str = fishplate_graph_c::SYMBOL;

    /// The version of Fishplate.
    #[pymodule_export]
    const VERSION: &str = fishplate_driver::VERSION;
}
