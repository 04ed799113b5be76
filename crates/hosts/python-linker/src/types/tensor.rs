//! Arrays: `PyArrayObject *x`.

use super::{DType, c_name, type_number};
use crate::error::Error;
use crate::fragment_type::{FragmentType, Text};
use crate::needs::{Needs, Version};
use crate::sub::Sub;

/// An array of known rank, whose sizes may be known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tensor {
    /// The type of its elements.
    pub dtype: DType,
    /// The size of each dimension, if it is known.
    pub shape: Vec<Option<usize>>,
}

impl Tensor {
    fn is_array(&self, function: &str, object: &str) -> String {
        format!("{function}({object}, {}, {})", type_number(self.dtype), self.shape.len())
    }
}

impl FragmentType for Tensor {
    fn name(&self) -> String {
        let size = |size: &Option<usize>| size.map_or("?".to_owned(), |size| size.to_string());
        let shape: Vec<String> = self.shape.iter().map(size).collect();
        format!("{}[{}]", self.dtype.name(), shape.join(", "))
    }

    fn declare(&self, name: &str, _sub: &Sub, _check_input: bool) -> Text {
        Ok(Some(format!("PyArrayObject *{name};")))
    }

    fn init(&self, name: &str, _sub: &Sub) -> Text {
        Ok(Some(format!("{name} = NULL;")))
    }

    fn extract(&self, name: &str, sub: &Sub, check_input: bool) -> Text {
        let py = format!("py_{name}");
        let mut text = String::new();
        if check_input {
            let mut checks = vec![format!("!{}", self.is_array("fp_check_array", &py))];
            for (dimension, size) in self.shape.iter().enumerate() {
                checks.extend(size.map(|size| format!("!fp_check_dim({py}, {dimension}, {size})")));
            }
            // `cleanup` also reads it after a failed check.
            text = format!(
                "{name} = NULL;\nif ({}) {{\n    {}\n}}\n",
                checks.join("\n    || "),
                sub.fail()
            );
        }
        Ok(Some(text + &format!("{name} = (PyArrayObject *)Py_NewRef({py});")))
    }

    fn sync(&self, name: &str, sub: &Sub) -> Text {
        Ok(Some(format!(
            "if ({name} == NULL) {{\n    \
                 PyErr_SetString(PyExc_RuntimeError, \"an op did not make its output\");\n    {}\n\
             }}\n\
             Py_XDECREF(py_{name});\n\
             py_{name} = Py_NewRef((PyObject *){name});",
            sub.fail()
        )))
    }

    fn cleanup(&self, name: &str, _sub: &Sub) -> Text {
        Ok(Some(format!("Py_XDECREF({name});")))
    }

    fn element_type(&self) -> Option<String> {
        Some(c_name(self.dtype))
    }

    fn is_view(&self) -> bool {
        true
    }

    fn keeps(&self) -> Option<&'static str> {
        Some("PyArrayObject *")
    }

    fn check_made(&self, name: &str) -> Option<String> {
        Some(self.is_array("fp_check_made", &format!("(PyObject *){name}")))
    }

    fn accepts(&self, object: &str) -> Option<String> {
        Some(self.is_array("fp_is_array", object))
    }

    fn needs(&self, _compiler: Option<&str>) -> Result<Needs, Error> {
        Ok(super::needs())
    }

    fn version(&self) -> Result<Version, Error> {
        Ok(super::version(["array".to_owned(), self.name()]))
    }
}
