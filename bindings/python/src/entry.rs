//! The types `Function` and `Cell`, which are written in C (`entry/`): a call of a linked graph
//! takes nanoseconds.
#![cfg_attr(not(feature = "abi3"), allow(unsafe_code))]

use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

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

/// Adds the types to the module, of which they are a part.
#[cfg(not(feature = "abi3"))]
fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    unsafe extern "C" {
        /// Returns -1 with an exception.
        fn fishplate_add_entry(module: *mut pyo3::ffi::PyObject) -> std::ffi::c_int;
    }
    // SAFETY: the argument is a module, and the GIL is held.
    match unsafe { fishplate_add_entry(module.as_ptr()) } {
        0 => Ok(()),
        _ => Err(PyErr::fetch(module.py())),
    }
}

/// Adds the types to the module from that of this Python, which the wheel contains for each Python that there was.
#[cfg(feature = "abi3")]
fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let entry = py.import("fishplate._entry").map_err(|error| {
        if !error.is_instance_of::<pyo3::exceptions::PyModuleNotFoundError>(py) {
            return error;
        }
        let version = py.version_info();
        let (major, minor) = (version.major, version.minor);
        pyo3::exceptions::PyImportError::new_err(format!(
            "this wheel of Fishplate has no graphs for Python {major}.{minor}; build them with a C compiler and Rust: \
             pip install --no-binary fishplate fishplate"
        ))
    })?;
    for name in ["Cell", "Function", "get_num_threads", "set_num_threads"] {
        module.add(name, entry.getattr(name)?)?;
    }
    Ok(())
}
