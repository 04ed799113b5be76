//! Objects of Python that ops call: `PyObject *x`.

use crate::error::Error;
use crate::fragment_type::{FragmentType, Text};
use crate::needs::{Needs, Version};
use crate::sub::Sub;

/// Any object, unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Object;

impl FragmentType for Object {
    fn name(&self) -> String {
        "object".to_owned()
    }

    fn declare(&self, name: &str, _sub: &Sub, _check_input: bool) -> Text {
        Ok(Some(format!("PyObject *{name};")))
    }

    fn init(&self, name: &str, _sub: &Sub) -> Text {
        Ok(Some(format!("{name} = NULL;")))
    }

    fn extract(&self, name: &str, _sub: &Sub, _check_input: bool) -> Text {
        Ok(Some(format!("{name} = Py_NewRef(py_{name});")))
    }

    fn sync(&self, name: &str, _sub: &Sub) -> Text {
        Ok(Some(format!("Py_XDECREF(py_{name});\npy_{name} = Py_XNewRef({name});")))
    }

    fn cleanup(&self, name: &str, _sub: &Sub) -> Text {
        Ok(Some(format!("Py_XDECREF({name});")))
    }

    fn is_view(&self) -> bool {
        true
    }

    fn needs(&self, _compiler: Option<&str>) -> Result<Needs, Error> {
        Ok(super::needs())
    }

    fn version(&self) -> Result<Version, Error> {
        Ok(super::version(["object".to_owned()]))
    }
}
