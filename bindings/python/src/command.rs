//! The command `fishplate`, for the script that the package installs.

use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the command with these arguments, the first of which is the program's name; returns its
/// exit status.
#[pyfunction]
pub(crate) fn run_command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| fishplate_cli::run(arguments))
}
