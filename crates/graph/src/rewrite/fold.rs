//! Fold: nodes with only constant inputs become constants.
//!
//! Large arrays from small inputs (`full`, `arange`) are not computed in advance: they would only
//! enlarge the program. An op that fails is unchanged, and fails when it is called.

use std::sync::Arc;

use super::Context;
use crate::graph::Rebuild;
use crate::{Graph, Node, Value, Var};

/// The limit in bytes for a constant that is larger than its inputs.
const BYTES: usize = 4096;

pub(super) fn fold(graph: &Graph, context: &mut Context<'_, '_>) -> Option<Graph> {
    let mut rebuild = Rebuild::new(graph);
    for node in graph.nodes() {
        let inputs = rebuild.vars(&node.inputs);
        match folded(graph, node, &rebuild.to, &inputs, context) {
            Some(values) => {
                for (&old, value) in node.outputs.iter().zip(values) {
                    let new = rebuild.constant(Arc::new(value));
                    rebuild.set(old, new);
                }
                context.did(format!("{} of constants", node.op.name()));
            }
            None => rebuild.keep(node)?,
        }
    }
    Some(rebuild.finish())
}

/// The outputs of a node with only constant inputs.
fn folded(
    graph: &Graph,
    node: &Node,
    to: &Graph,
    inputs: &[Var],
    context: &mut Context<'_, '_>,
) -> Option<Vec<Value>> {
    let values: Vec<Arc<Value>> =
        inputs.iter().map(|&input| to.constant(input).cloned()).collect::<Option<_>>()?;
    let bytes = |&output: &Var| {
        let tensor = graph.tensor(output);
        tensor.count()?.checked_mul(tensor.dtype.size())
    };
    let large = values.iter().map(|value| value.bytes.len()).sum::<usize>().max(BYTES);
    if !node.outputs.iter().all(|output| bytes(output).is_some_and(|bytes| bytes <= large)) {
        return None;
    }
    let results = (context.evaluate)(&node.op, &values)?;
    let mut types = node.outputs.iter().map(|&output| graph.tensor(output)).zip(&results);
    let fits =
        results.len() == node.outputs.len() && types.all(|(tensor, value)| *tensor == value.tensor);
    fits.then_some(results)
}

#[cfg(test)]
mod tests {
    use crate::testing::{Array, Build, only};
    use crate::{DType, Function, Op};

    #[test]
    fn nodes_of_constants_fold() {
        let mut b = Build::new();
        let x = b.vector(DType::Float64);
        let (two, three) = (b.float(2.0), b.float(3.0));
        let five = b.map(Function::Add, &[two, three]);
        let ten = b.map(Function::Mul, &[five, two]);
        let out = b.map(Function::Mul, &[x, ten]);
        let (graph, report) = only("fold", &b.outputs(&[out]));
        assert_eq!((graph.nodes().len(), report.count("fold")), (1, 2));
        let value = graph.constant(graph.nodes()[0].inputs[1]).unwrap();
        assert_eq!(Array::of(value), Array::floats(&[], &[10.0]));
    }

    #[test]
    fn large_arrays_of_little_stay_ops() {
        for (size, nodes) in [(512, 0), (513, 1)] {
            let mut b = Build::new();
            let (one, size) = (b.float(1.0), b.int(size));
            let ones = b.apply(Op::Full, &[one, size]);
            // A constant needs a copy to have its own memory as a result.
            let (graph, _) = only("fold", &b.outputs(&[ones]));
            let full = graph.nodes().iter().filter(|node| node.op == Op::Full).count();
            assert_eq!(full, nodes);
        }
    }

    #[test]
    fn failing_nodes_stay() {
        let mut b = Build::new();
        let value = b.constant(&Array::ints(&[2], &[1, 2]));
        let (one, two) = (b.int(1), b.int(2));
        let three = b.map(Function::Add, &[one, two]);
        let reshaped = b.apply(Op::Reshape, &[value, three]);
        let (graph, _) = only("fold", &b.outputs(&[reshaped]));
        assert_eq!(graph.nodes().len(), 2);
    }
}
