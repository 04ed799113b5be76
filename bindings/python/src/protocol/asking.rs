//! Calls of methods that may be absent, or take one argument less.

use fishplate_python_linker::{Error, Needs, Sub, Version};
use pyo3::exceptions::{PyNotImplementedError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{
    PyBool, PyBytes, PyDict, PyFloat, PyFrozenSet, PyInt, PyList, PyString, PyTuple,
};

/// Methods that report missing C by a NotImplementedError without a message.
const MAY_LACK: [&str; 9] = [
    "c_code",
    "c_declare",
    "c_init",
    "c_extract",
    "c_extract_out",
    "c_sync",
    "c_cleanup",
    "c_literal",
    "c_element_type",
];

/// Whether an exception only reports that a method is not defined: raised by the base class, or
/// without a message by a method for which that is allowed.
fn is_undefined(error: &PyErr, object: &Bound<'_, PyAny>, method: &str) -> PyResult<bool> {
    let value = error.value(object.py());
    if let Some(owner) = value.getattr_opt("undefined_of")? {
        return Ok(owner.is(object));
    }
    Ok(MAY_LACK.contains(&method) && value.getattr("args")?.is_empty()?)
}

/// The result of a method; `None` if the object has no such method, or it reports that it is not
/// defined. Other exceptions are raised: only `c_code` may refuse a node, which is then computed in
/// Python.
pub(super) fn ask<'py>(
    object: &Bound<'py, PyAny>,
    method: &str,
    arguments: Bound<'py, PyTuple>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Some(callable) = object.getattr_opt(method)? else { return Ok(None) };
    match callable.call1(arguments) {
        Ok(answer) => Ok(Some(answer)),
        Err(error) if error.is_instance_of::<PyNotImplementedError>(object.py()) => {
            if is_undefined(&error, object, method)? {
                return Ok(None);
            }
            if method != "c_code" {
                error.value(object.py()).setattr("__fishplate_final__", true)?;
            }
            Err(error)
        }
        Err(error) => Err(error),
    }
}

/// The same for a method whose last argument is optional: called with it first.
pub(super) fn ask_either<'py>(
    object: &Bound<'py, PyAny>,
    method: &str,
    arguments: Bound<'py, PyTuple>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let error = match ask(object, method, arguments.clone()) {
        Err(error) if error.is_instance_of::<PyTypeError>(object.py()) => error,
        answer => return answer,
    };
    let shorter = arguments.get_slice(0, arguments.len() - 1);
    match ask(object, method, shorter) {
        // Both calls failed: the first exception is relevant if it was raised inside of the method.
        Err(second) if second.is_instance_of::<PyTypeError>(object.py()) => {
            let inside = error.traceback(object.py()).is_some();
            Err(if inside { error } else { second })
        }
        answer => answer,
    }
}

/// A result that is a string, or None.
pub(super) fn text(answer: PyResult<Option<Bound<'_, PyAny>>>) -> Result<Option<String>, Error> {
    match answer {
        Ok(Some(answer)) if answer.is_none() => Ok(None),
        Ok(Some(answer)) => match answer.cast::<PyString>() {
            Ok(text) => Ok(Some(text.to_string())),
            Err(_) => Err(boxed(wrong(&answer, "a string"))),
        },
        Ok(None) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The error in a result.
fn wrong(answer: &Bound<'_, PyAny>, wanted: &str) -> PyErr {
    let given = answer.get_type().qualname().map(|name| name.to_string()).unwrap_or_default();
    PyTypeError::new_err(format!("expected {wanted}, got {given}"))
}

/// A result that is a string, a list of strings, or None.
fn strings(answer: PyResult<Option<Bound<'_, PyAny>>>) -> PyResult<Vec<String>> {
    let Some(answer) = answer?.filter(|answer| !answer.is_none()) else { return Ok(Vec::new()) };
    if answer.is_instance_of::<PyString>() {
        return Ok(vec![answer.extract()?]);
    }
    let wanted = "a string or a list of strings";
    let items = answer.try_iter().map_err(|_| wrong(&answer, wanted))?;
    items
        .map(|item| {
            let item = item?;
            // A path, for folders.
            let item =
                if item.hasattr("__fspath__")? { item.call_method0("__fspath__")? } else { item };
            item.extract().map_err(|_| wrong(&item, &format!("{wanted}, and in the list a string")))
        })
        .collect()
}

fn boxed(error: impl Into<PyErr>) -> Error {
    Box::new(error.into())
}

/// `sub` as an argument of methods.
pub(super) fn dict<'py>(py: Python<'py>, sub: &Sub) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (key, piece) in sub.iter() {
        dict.set_item(key, piece)?;
    }
    Ok(dict)
}

/// The common requirements of types and ops.
pub(super) fn needs(object: &Bound<'_, PyAny>, compiler: Option<&str>) -> Result<Needs, Error> {
    let list = |method: &str| -> PyResult<Vec<String>> {
        let answer = ask_either(object, method, (compiler,).into_pyobject(object.py())?);
        strings(answer).inspect_err(|error| {
            let note = format!("raised by {method}");
            let _ = error.value(object.py()).call_method1("add_note", (note,));
        })
    };
    let all = || {
        Ok(Needs {
            headers: list("c_headers")?,
            libraries: list("c_libraries")?,
            header_dirs: list("c_header_dirs")?,
            lib_dirs: list("c_lib_dirs")?,
            compile_args: list("c_compile_args")?,
            no_compile_args: list("c_no_compile_args")?,
            support_code: list("c_support_code")?,
            init_code: list("c_init_code")?,
        })
    };
    all().map_err(|error: PyErr| error.into())
}

/// The name of the required compiler.
pub(super) fn compiler(object: &Bound<'_, PyAny>) -> Result<Option<String>, Error> {
    text(ask(object, "c_compiler", PyTuple::empty(object.py())))
}

/// The version: its text is the same in every process, or absent.
pub(super) fn version(answer: PyResult<Option<Bound<'_, PyAny>>>) -> Result<Version, Error> {
    let Some(answer) = answer? else { return Ok(Version::ThisProcess) };
    let items: Vec<Bound<'_, PyAny>> = match answer.cast::<PyTuple>() {
        Ok(tuple) => tuple.iter().collect(),
        Err(_) if answer.is_instance_of::<PyList>() => {
            answer.try_iter()?.collect::<PyResult<_>>()?
        }
        Err(_) if answer.is_none() => Vec::new(),
        Err(_) => vec![answer],
    };
    if items.is_empty() {
        return Ok(Version::ThisProcess);
    }
    let parts = items.iter().map(part).collect::<PyResult<Option<Vec<_>>>>()?;
    Ok(parts.map_or(Version::ThisProcess, Version::Parts))
}

/// A part of a version; `None` if its text could differ between processes.
fn part(item: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    if let Ok(tuple) = item.cast::<PyTuple>() {
        let parts = tuple.iter().map(|item| part(&item)).collect::<PyResult<Option<Vec<_>>>>()?;
        return Ok(parts.map(|parts| format!("({})", parts.join(", "))));
    }
    if let Ok(set) = item.cast::<PyFrozenSet>() {
        let parts = set.iter().map(|item| part(&item)).collect::<PyResult<Option<Vec<_>>>>()?;
        // Independent of the process's order.
        return Ok(parts.map(|mut parts| {
            parts.sort();
            format!("{{{}}}", parts.join(", "))
        }));
    }
    if let Ok(list) = item.cast::<PyList>() {
        return part(list.to_tuple().as_any());
    }
    // NumPy's numbers, by their Python counterparts.
    if item.get_type().module()? == "numpy" && item.hasattr("item")? && item.hasattr("dtype")? {
        let dtype = item.getattr("dtype")?.str()?;
        return Ok(Some(format!("{dtype} {}", item.call_method0("tolist")?.repr()?)));
    }
    // Classes and functions at the top of a module are found by name.
    if let (Ok(module), Ok(name)) = (item.getattr("__module__"), item.getattr("__qualname__")) {
        let name = name.to_string();
        let is_local = name.contains('<') || module.is_none();
        return Ok((!is_local).then(|| format!("{module}.{name}")));
    }
    let is_plain = item.is_none()
        || item.is_exact_instance_of::<PyBool>()
        || item.is_exact_instance_of::<PyInt>()
        || item.is_exact_instance_of::<PyFloat>()
        || item.is_exact_instance_of::<PyString>()
        || item.is_exact_instance_of::<PyBytes>();
    is_plain.then(|| item.repr()?.extract()).transpose()
}

/// Names as a list.
pub(super) fn names<'py>(py: Python<'py>, names: &[String]) -> PyResult<Bound<'py, PyList>> {
    PyList::new(py, names)
}
