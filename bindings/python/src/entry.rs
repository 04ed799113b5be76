//! The types `Function` and `Cell`, which are written in C (`entry/`): what a call of a linked graph
//! costs is counted in nanoseconds.
#![allow(unsafe_code)]

use std::ffi::c_int;

use pyo3::ffi::PyObject;
use pyo3::prelude::*;

unsafe extern "C" {
    /// Adds the types to the module; -1 with an exception.
    fn fishplate_add_entry(module: *mut PyObject) -> c_int;
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    // SAFETY: it gets a module, with the GIL held.
    match unsafe { fishplate_add_entry(module.as_ptr()) } {
        0 => Ok(()),
        _ => Err(PyErr::fetch(module.py())),
    }
}
