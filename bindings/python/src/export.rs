//! Exports compiled graphs as files.
//!
//! Invariant: the GIL is not held while a compiler runs.

use std::path::PathBuf;

use fishplate_driver::{ExportOptions, GraphOptions, compile_export, compile_library};
use fishplate_graph_c::library::{Library, Parameter};
use fishplate_host_python::{RUNTIME, RUNTIME_NAME};
use pyo3::prelude::*;

use crate::graphs::{LinkedGraph, failed, tensor};
use crate::module::{Argument, Module};

/// Name, dtype, shape, and a further description.
type Described = (String, String, Vec<Option<usize>>, String);

/// Writes a C library with its header and source; returns the files, the library first.
#[pyfunction]
#[pyo3(signature = (linked, folder, out, name, about, inputs, outputs, steps, *, vector_math, fp_contract, native))]
#[allow(clippy::too_many_arguments)] // Python passes these by name
pub(crate) fn export_library(
    py: Python<'_>,
    linked: &LinkedGraph,
    folder: PathBuf,
    out: PathBuf,
    name: String,
    about: String,
    inputs: Vec<Described>,
    outputs: Vec<Described>,
    steps: Vec<String>,
    vector_math: bool,
    fp_contract: bool,
    native: bool,
) -> PyResult<Vec<PathBuf>> {
    let described = Library {
        name,
        about,
        command: String::new(),
        inputs: inputs.into_iter().map(parameter).collect::<PyResult<_>>()?,
        outputs: outputs.into_iter().map(parameter).collect::<PyResult<_>>()?,
        steps,
        fp_contract,
    };
    let options = ExportOptions { graph: GraphOptions { vector_math, fp_contract }, native };
    let made = py.detach(|| compile_library(&linked.printed, described, &folder, &out, options));
    py.check_signals()?;
    made.map_err(failed)
}

fn parameter((name, dtype, shape, note): Described) -> PyResult<Parameter> {
    Ok(Parameter { name, tensor: tensor(&(dtype, shape))?, note })
}

/// A default: its shape and elements.
type Default = Option<(Vec<usize>, Vec<u8>)>;

/// Writes an extension module with one function.
#[pyfunction]
#[pyo3(signature = (linked, out, module, function, doc, inputs, outputs, steps, *, listed, recycle_outputs, include_dirs, vector_math, fp_contract, native))]
#[allow(clippy::too_many_arguments)] // Python passes these by name
pub(crate) fn export_module(
    py: Python<'_>,
    linked: &LinkedGraph,
    out: PathBuf,
    module: String,
    function: String,
    doc: String,
    inputs: Vec<(String, String, Vec<Option<usize>>, Default)>,
    outputs: Vec<(String, usize)>,
    steps: Vec<String>,
    listed: bool,
    recycle_outputs: bool,
    include_dirs: Vec<PathBuf>,
    vector_math: bool,
    fp_contract: bool,
    native: bool,
) -> PyResult<()> {
    let argument = |(name, dtype, shape, default)| {
        Ok(Argument { name, tensor: tensor(&(dtype, shape))?, default })
    };
    let described = Module {
        module,
        function,
        doc,
        inputs: inputs.into_iter().map(argument).collect::<PyResult<_>>()?,
        outputs,
        steps,
        listed,
        recycles: recycle_outputs,
    };
    let options = ExportOptions { graph: GraphOptions { vector_math, fp_contract }, native };
    let files = [
        ("graph.c", described.graph(&linked.printed, fp_contract)),
        ("module.c", described.text(&linked.printed)),
        (RUNTIME_NAME, RUNTIME.to_owned()),
    ];
    let made = py.detach(|| compile_export(&linked.printed, &files, include_dirs, &out, options));
    py.check_signals()?;
    made.map_err(failed)
}
