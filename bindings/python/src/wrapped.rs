//! Wrapped functions as ops: the implementation of `module.op.function(x)`.

use std::collections::HashMap;

use fishplate_driver::{OpFunction, OpOutput};
use fishplate_graph::{Op, infer};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::graphs::{Kind, infer_kinds, raised};

/// A parameter: name, dtype, rank, whether it is required, whether the function writes to it, and
/// whether in Fortran's order.
type Parameter = (String, &'static str, usize, bool, bool, bool);

/// The location of an output: in the function's results, or else in a parameter; its number.
type Output = (bool, usize);

/// The interface of a function, parsed.
#[pyclass(frozen, module = "fishplate._native")]
pub(crate) struct OpSource {
    function: OpFunction,
}

#[pymethods]
impl OpSource {
    /// `constants` are literals of C; `addresses` those of the C functions.
    #[new]
    fn new(
        name: &str,
        interface: &str,
        addresses: Vec<usize>,
        constants: HashMap<String, String>,
    ) -> PyResult<Self> {
        let read = OpFunction::read(name, interface, &constants, &addresses);
        let function = read.map_err(|error| PyTypeError::new_err(error.to_string()))?;
        Ok(Self { function })
    }

    /// Whether a call of the function may have loop dimensions.
    #[getter]
    fn batched(&self) -> bool {
        self.function.batched
    }

    /// The overloads: parameters and outputs.
    #[getter]
    fn overloads(&self) -> Vec<(Vec<Parameter>, Vec<Output>)> {
        let overloads = self.function.overloads.iter();
        overloads
            .map(|overload| {
                let parameters = overload.parameters.iter().map(|one| {
                    let name = one.name.clone();
                    (name, one.dtype, one.rank, one.required, one.changes, one.fortran)
                });
                let outputs = overload.outputs.iter().map(|output| match *output {
                    OpOutput::Result(index) => (true, index),
                    OpOutput::Parameter(index) => (false, index),
                });
                (parameters.collect(), outputs.collect())
            })
            .collect()
    }

    /// The op for an overload with these of its parameters.
    fn op(&self, overload: usize, given: Vec<usize>) -> PyResult<OpCall> {
        Ok(OpCall { op: self.function.op(overload, &given).map_err(raised)? })
    }
}

/// An op that calls a C function.
#[pyclass(frozen, module = "fishplate._native")]
pub(crate) struct OpCall {
    pub(crate) op: Op,
}

#[pymethods]
impl OpCall {
    /// The types of the outputs. `known` has the values of inputs that are int64 constants.
    fn infer(&self, inputs: Vec<Kind>, known: Vec<Option<i64>>) -> PyResult<Vec<Kind>> {
        infer_kinds(&inputs, Some(known), |tensors, known| infer(&self.op, tensors, known))
    }
}
