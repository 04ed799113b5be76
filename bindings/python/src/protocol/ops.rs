//! A Python object as an op, in one node.

use fishplate_python_linker::{Error, FragmentOp, Needs, Site, Sub, Version};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::asking::{ask, compiler, dict, names, needs, text, version};

type Text = Result<Option<String>, Error>;

/// An object with the methods `c_code` and so on, and the node that is their argument.
pub(super) struct PyOp {
    op: Py<PyAny>,
    node: Py<PyAny>,
    name: String,
    check_input: bool,
    aliases: bool,
}

impl PyOp {
    pub(super) fn new(op: Bound<'_, PyAny>, node: Bound<'_, PyAny>) -> PyResult<Self> {
        let is_set = |attribute: &str, default: bool| match op.getattr_opt(attribute)? {
            Some(value) => value.is_truthy(),
            None => Ok(default),
        };
        Ok(Self {
            name: op.str()?.to_string_lossy().into_owned(),
            check_input: is_set("check_input", true)?,
            aliases: is_set("view_map", false)? || is_set("destroy_map", false)?,
            op: op.unbind(),
            node: node.unbind(),
        })
    }

    fn at_site(&self, method: &str, site: Site<'_>) -> Text {
        Python::attach(|py| {
            let arguments = (
                self.node.bind(py),
                site.name,
                names(py, site.inputs)?,
                names(py, site.outputs)?,
                dict(py, site.sub)?,
            );
            text(ask(self.op.bind(py), method, arguments.into_pyobject(py)?))
        })
    }

    fn for_node(&self, method: &str, name: &str) -> Text {
        Python::attach(|py| {
            let arguments = (self.node.bind(py), name).into_pyobject(py)?;
            text(ask(self.op.bind(py), method, arguments))
        })
    }
}

impl FragmentOp for PyOp {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn code(&self, site: Site<'_>) -> Text {
        self.at_site("c_code", site)
    }

    fn code_cleanup(&self, site: Site<'_>) -> Text {
        self.at_site("c_code_cleanup", site)
    }

    fn support_code_struct(&self, name: &str) -> Text {
        self.for_node("c_support_code_struct", name)
    }

    fn init_code_struct(&self, name: &str, sub: &Sub) -> Text {
        Python::attach(|py| {
            let arguments = (self.node.bind(py), name, dict(py, sub)?).into_pyobject(py)?;
            text(ask(self.op.bind(py), "c_init_code_struct", arguments))
        })
    }

    fn cleanup_code_struct(&self, name: &str) -> Text {
        self.for_node("c_cleanup_code_struct", name)
    }

    fn support_code_apply(&self, name: &str) -> Text {
        self.for_node("c_support_code_apply", name)
    }

    fn init_code_apply(&self, name: &str) -> Text {
        self.for_node("c_init_code_apply", name)
    }

    fn check_input(&self) -> bool {
        self.check_input
    }

    fn may_make_anything(&self) -> bool {
        true
    }

    fn aliases(&self) -> bool {
        self.aliases
    }

    fn compiler(&self) -> Result<Option<String>, Error> {
        Python::attach(|py| compiler(self.op.bind(py)))
    }

    fn needs(&self, compiler: Option<&str>) -> Result<Needs, Error> {
        Python::attach(|py| needs(self.op.bind(py), compiler))
    }

    fn version(&self) -> Result<Version, Error> {
        Python::attach(|py| {
            let (op, node) = (self.op.bind(py), self.node.bind(py));
            let apply = op.hasattr("c_code_cache_version_apply")?;
            version(if apply {
                ask(op, "c_code_cache_version_apply", (node,).into_pyobject(py)?)
            } else {
                ask(op, "c_code_cache_version", PyTuple::empty(py))
            })
        })
    }
}
