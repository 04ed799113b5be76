//! Graphs of types and ops with their own C code.
//!
//! Purpose: Python objects as the types and ops of a linked function.
//! Invariant: the GIL is not held while a compiler runs; an exception from a user's method is the
//! one that linking raises.

mod asking;
mod ops;
mod types;

use std::path::PathBuf;
use std::sync::Arc;

use fishplate_driver::{GraphError, ProtocolError, compile_linked, default_compiler};
use fishplate_python_linker::ops as built_in_ops;
use fishplate_python_linker::types::{DType, Object, Scalar, Tensor};
use fishplate_python_linker::{
    FragmentType, LinkError, Linked, Node, Number, Output, Owner, Program, Sub, Value, Variable,
    link,
};
use pyo3::create_exception;
use pyo3::exceptions::{PyIndexError, PyNotImplementedError, PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyFloat, PyInt, PyTuple};

use crate::graphs::NoCompiler;
use crate::interfaces::running;
use ops::PyOp;
use types::PyType;

create_exception!(_native, CompileError, PyRuntimeError, "The C compiler refuses a fragment.");

/// A graph to be linked. Variables are numbers; nodes come in the order in which they run.
#[pyclass(module = "fishplate._native")]
pub(crate) struct CProgram {
    program: Program,
    /// Adapters, so that one object is one type.
    types: Vec<(Py<PyAny>, Arc<dyn FragmentType>)>,
}

#[pymethods]
impl CProgram {
    #[new]
    fn new(name: String) -> Self {
        Self { program: Program { name, ..Program::default() }, types: Vec::new() }
    }

    /// A new variable. `kind` is a built-in type, as dtype and shape, or an object with methods.
    fn variable(&mut self, kind: &Bound<'_, PyAny>, name: Option<String>) -> PyResult<usize> {
        let ty = self.type_of(kind)?;
        self.program.variables.push(Variable { ty, name, constant: None });
        Ok(self.program.variables.len() - 1)
    }

    /// A new variable that is an array of rank 0, where `variable` creates a number.
    fn array(&mut self, dtype: &str, name: Option<String>) -> PyResult<usize> {
        let dtype = DType::from_name(dtype).ok_or_else(|| {
            PyTypeError::new_err(format!("arrays of dtype {dtype} are not built in"))
        })?;
        let ty: Arc<dyn FragmentType> = Arc::new(Tensor { dtype, shape: Vec::new() });
        self.program.variables.push(Variable { ty, name, constant: None });
        Ok(self.program.variables.len() - 1)
    }

    /// A new constant.
    fn constant(
        &mut self,
        kind: &Bound<'_, PyAny>,
        value: &Bound<'_, PyAny>,
        name: Option<String>,
    ) -> PyResult<usize> {
        let constant: Arc<Value> = match number(value) {
            Some(number) if kind.is_instance_of::<PyTuple>() => Arc::new(number),
            _ => Arc::new(value.clone().unbind()),
        };
        let index = self.variable(kind, name)?;
        self.program.variables[index].constant = Some(constant);
        Ok(index)
    }

    /// A new node: an op applied in `apply`, which is an argument of its methods.
    #[pyo3(signature = (op, apply, inputs, outputs, params=None))]
    fn node(
        &mut self,
        op: Bound<'_, PyAny>,
        apply: Bound<'_, PyAny>,
        inputs: Vec<usize>,
        outputs: Vec<usize>,
        params: Option<usize>,
    ) -> PyResult<()> {
        let op = Arc::new(PyOp::new(op, apply)?);
        self.program.nodes.push(Node { op, inputs, outputs, params });
        Ok(())
    }

    /// A new node of one of the ops with built-in C for built-in types: `deep_copy`, `view`,
    /// `shape` or `shape_i`. False if it has none.
    #[pyo3(signature = (name, input, output, i=None))]
    fn built_in(
        &mut self,
        name: &str,
        input: usize,
        output: usize,
        i: Option<usize>,
    ) -> PyResult<bool> {
        let variable = self.program.variables.get(input);
        let ty = &variable.ok_or_else(|| PyIndexError::new_err("unknown variable"))?.ty;
        // An array may be retained between calls; a number is not.
        let to = self.program.variables.get(output).and_then(|variable| variable.ty.number());
        let op = match (name, ty.is_array(), i) {
            ("number_as_array", false, _) => match ty.number() {
                Some(dtype) => built_in_ops::number_as_array(dtype),
                None => return Ok(false),
            },
            ("array_as_number", true, _) if to.is_some() => built_in_ops::array_as_number(),
            ("deep_copy", true, _) => built_in_ops::deep_copy_array(),
            ("view", true, _) => built_in_ops::view_array(),
            ("deep_copy", false, _) => built_in_ops::copy_number("DeepCopyOp"),
            ("view", false, _) => built_in_ops::copy_number("ViewOp"),
            ("shape", true, _) => built_in_ops::shape_array(),
            ("shape_i", true, Some(i)) => built_in_ops::shape_i_array(i),
            _ => return Ok(false),
        };
        self.program.nodes.push(Node {
            op: Arc::new(op),
            inputs: vec![input],
            outputs: vec![output],
            params: None,
        });
        Ok(true)
    }

    /// A new node that calls `function`, a native function of these variables of built-in types,
    /// which returns a list.
    fn call(
        &mut self,
        name: String,
        function: usize,
        inputs: Vec<usize>,
        outputs: Vec<usize>,
    ) -> PyResult<()> {
        let kinds = |variables: &[usize]| -> PyResult<Vec<Option<DType>>> {
            let kind = |&index: &usize| {
                let ty = self.program.variables.get(index).map(|variable| &variable.ty);
                ty.map(|ty| ty.number()).ok_or_else(|| PyIndexError::new_err("unknown variable"))
            };
            variables.iter().map(kind).collect()
        };
        let op = built_in_ops::Call { name, inputs: kinds(&inputs)?, outputs: kinds(&outputs)? };
        let inputs = [function].into_iter().chain(inputs).collect();
        self.program.nodes.push(Node { op: Arc::new(op), inputs, outputs, params: None });
        Ok(())
    }

    /// A new constant that nodes of `call` call.
    fn callee(&mut self, function: &Bound<'_, PyAny>, name: String) -> usize {
        let constant: Arc<Value> = Arc::new(function.clone().unbind());
        let ty: Arc<dyn FragmentType> = Arc::new(Object);
        self.program.variables.push(Variable { ty, name: Some(name), constant: Some(constant) });
        self.program.variables.len() - 1
    }

    /// Adds an input.
    fn set_inputs(&mut self, inputs: Vec<usize>) {
        self.program.inputs = inputs;
    }

    /// Adds an output, and whether the next call may reuse its memory.
    fn set_outputs(&mut self, outputs: Vec<(usize, bool)>) {
        let output = |(variable, recycled)| Output { variable, recycled };
        self.program.outputs = outputs.into_iter().map(output).collect();
    }

    /// The function in C.
    fn link(&mut self, py: Python<'_>) -> PyResult<LinkedProgram> {
        self.program.compiler = py.detach(default_compiler);
        Ok(LinkedProgram { linked: link(&self.program).map_err(raised)? })
    }
}

impl CProgram {
    fn type_of(&mut self, kind: &Bound<'_, PyAny>) -> PyResult<Arc<dyn FragmentType>> {
        let py = kind.py();
        if let Some((_, ty)) = self.types.iter().find(|(known, _)| known.bind(py).is(kind)) {
            return Ok(ty.clone());
        }
        let ty: Arc<dyn FragmentType> = if kind.is_instance_of::<PyTuple>() {
            built_in(kind)?
        } else {
            Arc::new(PyType::new(kind, tensor(kind)?))
        };
        self.types.push((kind.clone().unbind(), ty.clone()));
        Ok(ty)
    }
}

/// A built-in type: a dtype, and for each dimension its size or None.
fn built_in(kind: &Bound<'_, PyAny>) -> PyResult<Arc<dyn FragmentType>> {
    let (dtype, shape): (String, Vec<Option<usize>>) = kind.extract()?;
    let dtype = DType::from_name(&dtype)
        .ok_or_else(|| PyTypeError::new_err(format!("arrays of dtype {dtype} are not built in")))?;
    Ok(if shape.is_empty() { Arc::new(Scalar(dtype)) } else { Arc::new(Tensor { dtype, shape }) })
}

/// The built-in type on which a type is based, if its values have the same variables in C.
fn tensor(kind: &Bound<'_, PyAny>) -> PyResult<Option<Arc<dyn FragmentType>>> {
    match kind.getattr_opt("is_tensor_in_c")? {
        Some(is_tensor) if is_tensor.call0()?.is_truthy()? => {
            let (dtype, shape) = (kind.getattr("dtype")?, kind.getattr("shape")?);
            built_in((dtype, shape).into_pyobject(kind.py())?.as_any()).map(Some)
        }
        _ => Ok(None),
    }
}

/// A fragment of the C of a built-in type, for types that are based on it.
#[pyfunction]
pub(crate) fn type_fragment(
    dtype: Bound<'_, PyAny>,
    shape: Bound<'_, PyAny>,
    method: &str,
    name: &str,
    fail: &str,
    check_input: bool,
) -> PyResult<Option<String>> {
    let py = dtype.py();
    let ty = built_in((dtype, shape).into_pyobject(py)?.as_any())?;
    let sub = Sub::default().with("fail", fail);
    let text = match method {
        "c_declare" => ty.declare(name, &sub, check_input),
        "c_init" => ty.init(name, &sub),
        "c_extract" => ty.extract(name, &sub, check_input),
        "c_sync" => ty.sync(name, &sub),
        "c_cleanup" => ty.cleanup(name, &sub),
        _ => Ok(None),
    };
    text.map_err(|error| PyRuntimeError::new_err(error.to_string()))
}

/// A number as a C literal, if there is one.
#[pyfunction]
pub(crate) fn type_literal(dtype: &str, data: &Bound<'_, PyAny>) -> Option<String> {
    let dtype = DType::from_name(dtype)?;
    Scalar(dtype).literal(&number(data)?).ok().flatten()
}

/// A number that may become a literal: Python's own, and NumPy scalars by `item()`.
fn number(value: &Bound<'_, PyAny>) -> Option<Number> {
    let item = value.call_method0("item").ok();
    let value = item.as_ref().unwrap_or(value);
    if let Ok(truth) = value.cast::<PyBool>() {
        return Some(Number::Bool(truth.is_true()));
    }
    if value.is_instance_of::<PyInt>() {
        return value.extract().ok().map(Number::Integer);
    }
    if let Ok(real) = value.cast::<PyFloat>() {
        return Some(Number::Real(real.value()));
    }
    let complex = value.cast::<PyComplex>().ok()?;
    let part = |name: &str| complex.getattr(name).ok()?.extract::<f64>().ok();
    Some(Number::Complex(part("real")?, part("imag")?))
}

/// The exception from a user's method, else a new one for the error.
fn raised(error: LinkError) -> PyErr {
    let text = error.to_string();
    match error {
        LinkError::NoCode { .. } => PyNotImplementedError::new_err(text),
        LinkError::Program(_) | LinkError::Compilers { .. } => PyTypeError::new_err(text),
        LinkError::User { what, node, error } => match error.downcast::<PyErr>() {
            Ok(error) => Python::attach(|py| {
                // The note helps; a failure to add it is not worth an exception.
                let note = format!("raised by {what}, asked for C code");
                let _ = error.value(py).call_method1("add_note", (note,));
                let _ = error.value(py).setattr("__fishplate_node__", node);
                *error
            }),
            Err(_) => PyTypeError::new_err(text),
        },
    }
}

/// A graph in C.
#[pyclass(frozen, module = "fishplate._native")]
pub(crate) struct LinkedProgram {
    linked: Linked,
}

#[pymethods]
impl LinkedProgram {
    /// The C text, or C++.
    #[getter]
    fn source(&self) -> String {
        self.linked.print(self.linked.language()).source
    }

    /// The constants for creating the function.
    #[getter]
    fn orphans(&self) -> Vec<usize> {
        self.linked.orphans().to_vec()
    }

    /// The types and ops whose C is compiled in every process, by name.
    #[getter]
    fn unversioned(&self) -> Vec<String> {
        self.linked.unversioned().to_vec()
    }

    /// The description of a block: the variable or the node, and the method whose code failed
    /// there.
    fn position(&self, block: usize) -> Option<(Option<usize>, Option<usize>, &'static str)> {
        let position = self.linked.position(block)?;
        let (variable, node) = match position.owner {
            Owner::Variable(index) => (Some(index), None),
            Owner::Node(index) => (None, Some(index)),
        };
        Some((variable, node, position.task.hook()))
    }

    /// The fragments that contain a word: the node, if it is an op's, and its description.
    fn who_says(&self, word: &str) -> Vec<(Option<usize>, String)> {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let says = |text: &str| text.split(|c| !is_part(c)).any(|one| one == word);
        let fragments = self.linked.fragments().iter().filter(|fragment| says(&fragment.text));
        let named = fragments.map(|fragment| {
            let node = match fragment.owner {
                Owner::Node(index) => Some(index),
                Owner::Variable(_) => None,
            };
            (node, fragment.title())
        });
        named.collect()
    }

    /// Compiles it, unless it is in the cache: returns the library's path, whether a compiler ran,
    /// and why the library is deleted with this process if it is.
    #[pyo3(signature = (*, fp_contract))]
    fn compile(
        &self,
        py: Python<'_>,
        fp_contract: bool,
    ) -> PyResult<(PathBuf, bool, Option<String>)> {
        let python = running(py)?;
        let library = py.detach(|| compile_linked(&self.linked, &python.target, fp_contract));
        py.check_signals()?;
        let library = library.map_err(|error| match error {
            ProtocolError::Refused { text, nodes } => CompileError::new_err((text, nodes)),
            ProtocolError::Graph(GraphError::NoCompiler(error)) => {
                NoCompiler::new_err(error.to_string())
            }
            ProtocolError::Graph(error) => PyRuntimeError::new_err(error.to_string()),
        })?;
        Ok((library.path, library.compiled, library.not_kept))
    }
}
