//! A Python object as a type.

use std::sync::Arc;

use fishplate_python_linker::types::DType;
use fishplate_python_linker::{Error, FragmentType, Needs, Sub, Value, Version};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::asking::{ask, ask_either, compiler, dict, needs, text, version};

type Text = Result<Option<String>, Error>;

/// An object with the methods `c_declare` and so on.
pub(super) struct PyType {
    object: Py<PyAny>,
    name: String,
    is_simple: bool,
    element_type: Option<String>,
    /// It is based on this built-in type, and has its variable in C.
    tensor: Option<Arc<dyn FragmentType>>,
}

impl PyType {
    pub(super) fn new(object: &Bound<'_, PyAny>, tensor: Option<Arc<dyn FragmentType>>) -> Self {
        let nothing = || PyTuple::empty(object.py());
        let answer = ask(object, "c_is_simple", nothing());
        let is_simple = matches!(answer, Ok(Some(answer)) if answer.is_truthy().unwrap_or(false));
        let name = match object.str() {
            Ok(name) => name.to_string_lossy().into_owned(),
            Err(_) => "type".to_owned(),
        };
        let element_type = text(ask(object, "c_element_type", nothing())).ok().flatten();
        Self { object: object.clone().unbind(), name, is_simple, element_type, tensor }
    }

    fn fragment(&self, method: &str, name: &str, sub: &Sub) -> Text {
        Python::attach(|py| {
            let arguments = (name, dict(py, sub)?).into_pyobject(py)?;
            text(ask(self.object.bind(py), method, arguments))
        })
    }

    fn checking(&self, method: &str, name: &str, sub: &Sub, check_input: bool) -> Text {
        Python::attach(|py| {
            let arguments = (name, dict(py, sub)?, check_input).into_pyobject(py)?;
            text(ask_either(self.object.bind(py), method, arguments))
        })
    }
}

impl FragmentType for PyType {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn declare(&self, name: &str, sub: &Sub, check_input: bool) -> Text {
        self.checking("c_declare", name, sub, check_input)
    }

    fn init(&self, name: &str, sub: &Sub) -> Text {
        self.fragment("c_init", name, sub)
    }

    fn extract(&self, name: &str, sub: &Sub, check_input: bool) -> Text {
        self.checking("c_extract", name, sub, check_input)
    }

    fn extract_out(&self, name: &str, sub: &Sub, check_input: bool) -> Text {
        self.checking("c_extract_out", name, sub, check_input)
    }

    fn sync(&self, name: &str, sub: &Sub) -> Text {
        self.fragment("c_sync", name, sub)
    }

    fn cleanup(&self, name: &str, sub: &Sub) -> Text {
        self.fragment("c_cleanup", name, sub)
    }

    fn literal(&self, value: &Value) -> Text {
        let Some(value) = value.downcast_ref::<Py<PyAny>>() else { return Ok(None) };
        Python::attach(|py| {
            text(ask(self.object.bind(py), "c_literal", (value.bind(py),).into_pyobject(py)?))
        })
    }

    fn element_type(&self) -> Option<String> {
        self.element_type.clone()
    }

    fn is_simple(&self) -> bool {
        self.is_simple
    }

    fn is_array(&self) -> bool {
        self.tensor.as_ref().is_some_and(|tensor| tensor.is_array())
    }

    fn number(&self) -> Option<DType> {
        self.tensor.as_ref().and_then(|tensor| tensor.number())
    }

    fn check_made(&self, name: &str) -> Option<String> {
        self.tensor.as_ref().and_then(|tensor| tensor.check_made(name))
    }

    fn compiler(&self) -> Result<Option<String>, Error> {
        Python::attach(|py| compiler(self.object.bind(py)))
    }

    fn needs(&self, compiler: Option<&str>) -> Result<Needs, Error> {
        Python::attach(|py| needs(self.object.bind(py), compiler))
    }

    fn version(&self) -> Result<Version, Error> {
        Python::attach(|py| {
            version(ask(self.object.bind(py), "c_code_cache_version", PyTuple::empty(py)))
        })
    }
}
