//! Helpers for tests: concise graphs, and an evaluator that is slow and obviously correct.

mod array;
mod eval;
mod random;
mod rows;
mod scalar;

pub(crate) use array::Array;
pub(crate) use eval::{evaluate, run};
pub(crate) use random::cases;
pub(crate) use scalar::Scalar;

use std::sync::Arc;

use crate::rewrite::{Options, REWRITES, Report, rewrite};
use crate::{DType, Function, Graph, Op, Reduction, Tensor, Value, Var};

thread_local! {
    static LOOKS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Counts visits to graphs, so that a test can measure the work of a rewrite.
pub(crate) fn looked() {
    LOOKS.set(LOOKS.get() + 1);
}

/// The number of visits to graphs during `work`.
pub(crate) fn looks(work: impl FnOnce()) -> usize {
    let before = LOOKS.get();
    work();
    LOOKS.get() - before
}

/// A graph under construction; nodes have their number as their site.
pub(crate) struct Build {
    pub(crate) graph: Graph,
}

impl Build {
    pub(crate) fn new() -> Self {
        Self { graph: Graph::new() }
    }

    pub(crate) fn input(&mut self, dtype: DType, shape: &[Option<usize>]) -> Var {
        self.graph.add_input(Tensor::new(dtype, shape.to_vec()))
    }

    pub(crate) fn scalar(&mut self, dtype: DType) -> Var {
        self.input(dtype, &[])
    }

    pub(crate) fn vector(&mut self, dtype: DType) -> Var {
        self.input(dtype, &[None])
    }

    pub(crate) fn matrix(&mut self, dtype: DType) -> Var {
        self.input(dtype, &[None, None])
    }

    pub(crate) fn constant(&mut self, array: &Array) -> Var {
        self.graph.add_constant(Arc::new(array.value()))
    }

    pub(crate) fn float(&mut self, value: f64) -> Var {
        self.constant(&Array::scalar(DType::Float64, Scalar::Float(value)))
    }

    pub(crate) fn int(&mut self, value: i64) -> Var {
        self.graph.add_constant(Arc::new(Value::int64(value)))
    }

    pub(crate) fn apply(&mut self, op: Op, inputs: &[Var]) -> Var {
        let site = self.graph.nodes().len() as u32;
        self.graph.apply(op, inputs, &[site]).unwrap()[0]
    }

    pub(crate) fn map(&mut self, function: Function, inputs: &[Var]) -> Var {
        self.apply(Op::Map(function), inputs)
    }

    pub(crate) fn reduce(&mut self, reduction: Reduction, axes: &[usize], x: Var) -> Var {
        self.apply(Op::Reduce { reduction, axes: axes.to_vec(), keepdims: false }, &[x])
    }

    pub(crate) fn reduce_keep(&mut self, reduction: Reduction, axes: &[usize], x: Var) -> Var {
        self.apply(Op::Reduce { reduction, axes: axes.to_vec(), keepdims: true }, &[x])
    }

    pub(crate) fn outputs(&self, outputs: &[Var]) -> Graph {
        let mut graph = self.graph.clone();
        graph.outputs = outputs.to_vec();
        graph
    }
}

/// One rewrite alone.
pub(crate) fn only(name: &str, graph: &Graph) -> (Graph, Report) {
    let others: Vec<&str> =
        REWRITES.iter().map(|rewrite| rewrite.name).filter(|&other| other != name).collect();
    assert!(others.len() < REWRITES.len(), "{name} is a rewrite");
    rewrite(graph, &Options::excluding(&others).unwrap(), &mut evaluate)
}

/// All rewrites.
pub(crate) fn rewritten(graph: &Graph) -> Graph {
    rewrite(graph, &Options::default(), &mut evaluate).0
}

/// Asserts that a rewritten graph computes the same as before. An error may disappear, together
/// with nodes that are not needed; no error may be added.
pub(crate) fn assert_same(before: &Graph, after: &Graph, inputs: &[Array]) {
    let Some(wanted) = run(before, inputs) else { return };
    let Some(got) = run(after, inputs) else {
        panic!("an error came into being:\n{}", listing(after))
    };
    for (wanted, got) in wanted.iter().zip(&got) {
        assert!(wanted.same(got), "{wanted:?} became {got:?}:\n{}", listing(after));
    }
}

/// A graph, one node per line.
pub(crate) fn listing(graph: &Graph) -> String {
    let mut text = format!("\ninputs {:?}\n", graph.inputs());
    for node in graph.nodes() {
        let types: Vec<String> =
            node.outputs.iter().map(|&var| graph.tensor(var).to_string()).collect();
        text += &format!("{:?}: {types:?} = {:?} of {:?}\n", node.outputs, node.op, node.inputs);
    }
    for (index, variable) in graph.variables().iter().enumerate() {
        if let crate::Origin::Constant(value) = &variable.origin {
            text += &format!("Var({index}) = {:?}\n", Array::of(value));
        }
    }
    text + &format!("outputs {:?}\n", graph.outputs)
}
