//! The types `Function` and `Cell`, which are written in C (`entry/`): a call of a linked graph
//! takes nanoseconds.
#![allow(unsafe_code)]

use std::ffi::c_int;

use pyo3::exceptions::PyAttributeError;
use pyo3::ffi::PyObject;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

unsafe extern "C" {
    /// Adds the types to the module; -1 with an exception.
    fn fishplate_add_entry(module: *mut PyObject) -> c_int;
}

/// The types, added to the module on first use: they import NumPy, which the command and users of
/// `load` do not need.
#[pyfunction(name = "__getattr__")]
#[pyo3(pass_module)]
pub(crate) fn late<'py>(module: &Bound<'py, PyModule>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    static ADDED: PyOnceLock<()> = PyOnceLock::new();
    if matches!(name, "Function" | "Cell") {
        ADDED.get_or_try_init(module.py(), || add(module))?;
    }
    module.dict().get_item(name)?.ok_or_else(|| {
        PyAttributeError::new_err(format!("module 'fishplate._native' has no attribute '{name}'"))
    })
}

fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    // SAFETY: the argument is a module, and the GIL is held.
    match unsafe { fishplate_add_entry(module.as_ptr()) } {
        0 => Ok(()),
        _ => Err(PyErr::fetch(module.py())),
    }
}
