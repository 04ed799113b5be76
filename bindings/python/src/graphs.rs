//! Graphs of built-in ops: the implementation of `fishplate.graph`.
//!
//! Invariant: the GIL is not held while a compiler runs.

use std::sync::Arc;

use fishplate_driver::{
    GraphError, GraphOptions, GraphRequest, compile_graph, find_graph, print_graph, remember_graph,
    rewrite_graph,
};
use fishplate_graph::rewrite::Options;
use fishplate_graph::{
    DType, Error, ErrorKind, Op, Origin, Param, Tensor, Value, Var, infer as infer_types,
};
use fishplate_graph_c::PrintedGraph;
use pyo3::create_exception;
use pyo3::exceptions::{PyIndexError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyInt, PyString, PyTuple};

use crate::wrapped::OpCall;

create_exception!(_native, NoCompiler, PyRuntimeError, "No C compiler was found.");

pub(crate) type Kind = (String, Vec<Option<usize>>);

/// The types of an op's outputs. `known` has the values of inputs that are int64 constants.
#[pyfunction]
#[pyo3(signature = (name, params, inputs, known=None))]
pub(crate) fn infer(
    name: &str,
    params: Vec<Bound<'_, PyAny>>,
    inputs: Vec<Kind>,
    known: Option<Vec<Option<i64>>>,
) -> PyResult<Vec<Kind>> {
    let op = op(name, &params)?;
    infer_kinds(&inputs, known, |tensors, known| infer_types(&op, tensors, known))
}

/// Types from `infer`, for Python.
pub(crate) fn infer_kinds(
    inputs: &[Kind],
    known: Option<Vec<Option<i64>>>,
    infer: impl FnOnce(&[&Tensor], &[Option<i64>]) -> Result<Vec<Tensor>, Error>,
) -> PyResult<Vec<Kind>> {
    let tensors = inputs.iter().map(tensor).collect::<PyResult<Vec<_>>>()?;
    let tensors: Vec<&Tensor> = tensors.iter().collect();
    let known = known.unwrap_or_else(|| vec![None; tensors.len()]);
    if known.len() != tensors.len() {
        return Err(PyValueError::new_err("known has a value or None for each input"));
    }
    let outputs = infer(&tensors, &known).map_err(raised)?;
    Ok(outputs.iter().map(kind).collect())
}

pub(crate) fn tensor((dtype, shape): &Kind) -> PyResult<Tensor> {
    let dtype = DType::from_name(dtype)
        .ok_or_else(|| PyTypeError::new_err(format!("arrays of dtype {dtype} are not built in")))?;
    Ok(Tensor::new(dtype, shape.clone()))
}

fn kind(tensor: &Tensor) -> Kind {
    (tensor.dtype.name().to_owned(), tensor.shape.clone())
}

fn op(name: &str, params: &[Bound<'_, PyAny>]) -> PyResult<Op> {
    let params = params.iter().map(param).collect::<PyResult<Vec<_>>>()?;
    Op::from_spec(name, &params).map_err(raised)
}

fn param(value: &Bound<'_, PyAny>) -> PyResult<Param> {
    if let Ok(truth) = value.cast::<PyBool>() {
        return Ok(Param::Int(i64::from(truth.is_true())));
    }
    if value.is_instance_of::<PyInt>() {
        return Ok(Param::Int(value.extract()?));
    }
    if value.is_instance_of::<PyString>() {
        return Ok(Param::Str(value.extract()?));
    }
    let items = value.try_iter()?.map(|item| param(&item?)).collect::<PyResult<_>>()?;
    Ok(Param::List(items))
}

pub(crate) fn raised(error: Error) -> PyErr {
    match error.kind {
        ErrorKind::Type => PyTypeError::new_err(error.text),
        ErrorKind::Value => PyValueError::new_err(error.text),
        ErrorKind::Index => PyIndexError::new_err(error.text),
    }
}

/// A node, for inspection: name, inputs, outputs, sites.
type NodeRow = (String, Vec<u32>, Vec<u32>, Vec<u32>);

/// A graph of built-in ops. Variables are numbers.
#[pyclass(module = "fishplate._native")]
pub(crate) struct Graph {
    graph: fishplate_graph::Graph,
}

#[pymethods]
impl Graph {
    #[new]
    fn new() -> Self {
        Self { graph: fishplate_graph::Graph::new() }
    }

    /// A new input.
    fn input(&mut self, dtype: String, shape: Vec<Option<usize>>) -> PyResult<u32> {
        Ok(self.graph.add_input(tensor(&(dtype, shape))?).0)
    }

    /// A new constant; its elements are in C order.
    fn constant(&mut self, dtype: String, shape: Vec<usize>, bytes: &[u8]) -> PyResult<u32> {
        let tensor = tensor(&(dtype, shape.into_iter().map(Some).collect()))?;
        if tensor.count().is_none_or(|count| count * tensor.dtype.size() != bytes.len()) {
            return Err(PyValueError::new_err("a constant has as many bytes as its type says"));
        }
        Ok(self.graph.add_constant(Arc::new(Value { tensor, bytes: bytes.to_vec() })).0)
    }

    /// A new node, which implements the caller's node `site`; returns its outputs.
    fn apply(
        &mut self,
        name: &str,
        params: Vec<Bound<'_, PyAny>>,
        inputs: Vec<u32>,
        site: u32,
    ) -> PyResult<Vec<u32>> {
        self.add(op(name, &params)?, inputs, site)
    }

    /// The same for an op that calls a C function.
    fn apply_call(&mut self, op: &OpCall, inputs: Vec<u32>, site: u32) -> PyResult<Vec<u32>> {
        self.add(op.op.clone(), inputs, site)
    }

    /// Sets the outputs.
    fn set_outputs(&mut self, outputs: Vec<u32>) -> PyResult<()> {
        self.graph.outputs = self.vars(outputs)?;
        Ok(())
    }

    /// The outputs.
    fn outputs(&self) -> Vec<u32> {
        self.graph.outputs.iter().map(|var| var.0).collect()
    }

    /// The dtype and shape of a variable.
    fn kind(&self, var: u32) -> PyResult<Kind> {
        let var = self.vars(vec![var])?[0];
        Ok(kind(self.graph.tensor(var)))
    }

    /// The nodes: name, inputs, outputs, sites.
    fn nodes(&self) -> Vec<NodeRow> {
        let numbers = |vars: &[Var]| vars.iter().map(|var| var.0).collect();
        let nodes = self.graph.nodes().iter();
        nodes
            .map(|node| {
                (node.op.name(), numbers(&node.inputs), numbers(&node.outputs), node.sites.clone())
            })
            .collect()
    }

    /// The constants among the variables: number and bytes.
    fn constants<'py>(&self, py: Python<'py>) -> Vec<(u32, Bound<'py, PyBytes>)> {
        let variables = self.graph.variables().iter().enumerate();
        variables
            .filter_map(|(index, variable)| match &variable.origin {
                Origin::Constant(value) => Some((index as u32, PyBytes::new(py, &value.bytes))),
                _ => None,
            })
            .collect()
    }

    /// The graph rewritten, and the changes: rewrite, number of nodes, description. `evaluate(name,
    /// params, inputs)` computes an op on constants, each as dtype, shape and bytes; it returns the
    /// outputs in the same form, or `None`.
    fn rewrite(
        &self,
        excluded: Vec<String>,
        evaluate: Bound<'_, PyAny>,
    ) -> PyResult<(Graph, Vec<Done>)> {
        let options = Options::excluding(&excluded).map_err(raised)?;
        let mut problem = None;
        let mut compute = |op: &Op, inputs: &[Arc<Value>]| {
            fold(&evaluate, op, inputs).unwrap_or_else(|error| {
                problem.get_or_insert(error);
                None
            })
        };
        let (graph, report) = rewrite_graph(&self.graph, &options, &mut compute);
        if let Some(error) = problem {
            return Err(error);
        }
        let done = report.done.into_iter();
        Ok((Graph { graph }, done.map(|one| (one.name, one.count, one.sentences)).collect()))
    }

    /// The library's path and the bytes of the constants of this graph, rewritten and linked, if it
    /// was compiled before. `evaluator` is the software that computes with constants.
    #[pyo3(signature = (excluded, evaluator, *, vector_math, fp_contract))]
    fn find<'py>(
        &self,
        py: Python<'py>,
        excluded: Vec<String>,
        evaluator: &str,
        vector_math: bool,
        fp_contract: bool,
    ) -> PyResult<Option<(std::path::PathBuf, Vec<Bound<'py, PyBytes>>)>> {
        let options = GraphOptions { vector_math, fp_contract };
        let request = GraphRequest { graph: &self.graph, excluded: &excluded, evaluator, options };
        let Some(known) = find_graph(request).map_err(failed)? else { return Ok(None) };
        let constants = known.constants.iter().map(|bytes| PyBytes::new(py, bytes)).collect();
        Ok(Some((known.library.path, constants)))
    }

    /// Stores the result of `find`, after this graph was compiled as `linked`.
    #[pyo3(signature = (linked, excluded, evaluator, *, vector_math, fp_contract))]
    fn remember(
        &self,
        linked: &LinkedGraph,
        excluded: Vec<String>,
        evaluator: &str,
        vector_math: bool,
        fp_contract: bool,
    ) {
        let options = GraphOptions { vector_math, fp_contract };
        let request = GraphRequest { graph: &self.graph, excluded: &excluded, evaluator, options };
        remember_graph(request, &linked.printed);
    }

    /// The graph in C.
    #[pyo3(signature = (*, reuse=true))]
    fn link(&self, reuse: bool) -> LinkedGraph {
        LinkedGraph { printed: print_graph(&self.graph, reuse) }
    }
}

/// The changes of a rewrite.
type Done = (&'static str, usize, Vec<String>);

/// A value: dtype, shape, bytes.
type Array = (String, Vec<usize>, Vec<u8>);

fn fold(
    evaluate: &Bound<'_, PyAny>,
    op: &Op,
    inputs: &[Arc<Value>],
) -> PyResult<Option<Vec<Value>>> {
    let py = evaluate.py();
    let Some((name, params)) = op.spec() else { return Ok(None) };
    let params = params.iter().map(|one| python(py, one)).collect::<PyResult<Vec<_>>>()?;
    let arrays: Vec<_> = inputs
        .iter()
        .map(|value| {
            let sizes: Vec<usize> = value.tensor.shape.iter().flatten().copied().collect();
            (value.tensor.dtype.name(), sizes, PyBytes::new(py, &value.bytes))
        })
        .collect();
    let outputs = evaluate.call1((name, PyTuple::new(py, params)?, arrays))?;
    let Some(outputs) = outputs.extract::<Option<Vec<Array>>>()? else { return Ok(None) };
    let value = |(dtype, shape, bytes): Array| {
        let tensor = tensor(&(dtype, shape.into_iter().map(Some).collect()))?;
        Ok(Value { tensor, bytes })
    };
    outputs.into_iter().map(value).collect::<PyResult<Vec<_>>>().map(Some)
}

/// A parameter in Python's form.
fn python<'py>(py: Python<'py>, param: &Param) -> PyResult<Bound<'py, PyAny>> {
    Ok(match param {
        Param::Int(value) => value.into_pyobject(py)?.into_any(),
        Param::Str(text) => text.into_pyobject(py)?.into_any(),
        Param::List(items) => {
            let items = items.iter().map(|one| python(py, one)).collect::<PyResult<Vec<_>>>()?;
            PyTuple::new(py, items)?.into_any()
        }
    })
}

impl Graph {
    fn add(&mut self, op: Op, inputs: Vec<u32>, site: u32) -> PyResult<Vec<u32>> {
        let inputs = self.vars(inputs)?;
        let outputs = self.graph.apply(op, &inputs, &[site]).map_err(raised)?;
        Ok(outputs.into_iter().map(|var| var.0).collect())
    }

    fn vars(&self, numbers: Vec<u32>) -> PyResult<Vec<Var>> {
        let count = self.graph.variables().len();
        if let Some(number) = numbers.iter().find(|&&number| number as usize >= count) {
            return Err(PyIndexError::new_err(format!("unknown variable {number}")));
        }
        Ok(numbers.into_iter().map(Var).collect())
    }
}

/// A graph in C.
#[pyclass(frozen, module = "fishplate._native")]
pub(crate) struct LinkedGraph {
    pub(crate) printed: PrintedGraph,
}

/// Why nothing was compiled.
pub(crate) fn failed(error: GraphError) -> PyErr {
    match error {
        GraphError::NoCompiler(error) => NoCompiler::new_err(error.to_string()),
        error => PyRuntimeError::new_err(error.to_string()),
    }
}

#[pymethods]
impl LinkedGraph {
    /// The C source.
    #[getter]
    fn source(&self) -> &str {
        &self.printed.source
    }

    /// The bytes of its constants, in order.
    #[getter]
    fn constants<'py>(&self, py: Python<'py>) -> Vec<Bound<'py, PyBytes>> {
        self.printed.constants.iter().map(|value| PyBytes::new(py, &value.bytes)).collect()
    }

    /// The addresses of its C functions, which follow the constants.
    #[getter]
    fn functions(&self) -> Vec<usize> {
        self.printed.functions.clone()
    }

    /// Compiles it, unless it is in the cache: returns the library's path, whether a compiler ran,
    /// and why the library is deleted with this process if it is.
    #[pyo3(signature = (*, vector_math, fp_contract))]
    fn compile(
        &self,
        py: Python<'_>,
        vector_math: bool,
        fp_contract: bool,
    ) -> PyResult<(std::path::PathBuf, bool, Option<String>)> {
        let options = GraphOptions { vector_math, fp_contract };
        let library = py.detach(|| compile_graph(&self.printed, options));
        py.check_signals()?;
        let library = library.map_err(failed)?;
        Ok((library.path, library.compiled, library.not_kept))
    }
}
