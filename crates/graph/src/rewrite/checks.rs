//! Checks: invalid values are detected before the loop that would compute with them.
//!
//! Integers have no negative integer powers. Loops cannot fail, so each array of powers that may be
//! negative is checked once before them. Unlike other rewrites, this one cannot be switched off.

use std::sync::Arc;

use super::fuse::sites;
use crate::graph::Rebuild;
use crate::{Class, Function, Graph, Node, Op, Origin, Reduction, Tensor, Value, Var};

/// The same graph, with a check before each power of integers.
pub(super) fn checks(graph: Graph) -> Graph {
    if graph.nodes().iter().any(|node| needs_check(&graph, node)) {
        return checked(&graph).unwrap_or(graph);
    }
    graph
}

fn needs_check(graph: &Graph, node: &Node) -> bool {
    let Op::Map(Function::Pow) = node.op else { return false };
    let power = node.inputs[1];
    // The front end has checked that no constant is negative.
    let mut from = power;
    while let Some((maker, _)) = graph.owner(from)
        && let Op::Map(Function::Cast(_)) = graph.nodes()[maker].op
    {
        from = graph.nodes()[maker].inputs[0];
    }
    graph.tensor(power).dtype.class() == Class::Signed
        && graph.tensor(from).dtype.class() != Class::Unsigned
        && graph.tensor(from).dtype != crate::DType::Bool
        && !matches!(graph.variables()[power.index()].origin, Origin::Constant(_))
}

fn checked(graph: &Graph) -> Option<Graph> {
    let mut rebuild = Rebuild::new(graph);
    for node in graph.nodes() {
        if !needs_check(graph, node) {
            rebuild.keep(node)?;
            continue;
        }
        let inputs = rebuild.vars(&node.inputs);
        let sites = sites(&[node]);
        let power = ahead(&mut rebuild, inputs[1], &sites)?;
        let result = rebuild.apply(Op::Map(Function::Pow), &[inputs[0], power], &sites)?;
        rebuild.set(node.outputs[0], result[0]);
    }
    Some(rebuild.finish())
}

/// The powers again, after the check that none is negative.
fn ahead(rebuild: &mut Rebuild<'_>, power: Var, sites: &[u32]) -> Option<Var> {
    let tensor = rebuild.to.tensor(power).clone();
    let zero = Value {
        tensor: Tensor::new(tensor.dtype, Vec::new()),
        bytes: vec![0; tensor.dtype.size()],
    };
    let zero = rebuild.constant(Arc::new(zero));
    let mut negative = rebuild.apply(Op::Map(Function::Lt), &[power, zero], sites)?[0];
    if tensor.ndim() > 0 {
        let axes = (0..tensor.ndim()).collect();
        let any = Op::Reduce { reduction: Reduction::Any, axes, keepdims: false };
        negative = rebuild.apply(any, &[negative], sites)?[0];
    }
    Some(rebuild.apply(Op::Unless, &[power, negative], sites)?[0])
}

#[cfg(test)]
mod tests {
    use crate::testing::{Build, rewritten};
    use crate::{DType, Function, Op};

    fn unless(power: DType) -> usize {
        let mut b = Build::new();
        let (x, y) = (b.vector(DType::Int64), b.vector(power));
        let y = if power == DType::Int64 { y } else { b.map(Function::Cast(DType::Int64), &[y]) };
        let z = b.map(Function::Pow, &[x, y]);
        let graph = rewritten(&b.outputs(&[z]));
        graph.nodes().iter().filter(|node| node.op == Op::Unless).count()
    }

    #[test]
    fn powers_that_may_be_negative_are_looked_at() {
        assert_eq!(unless(DType::Int64), 1);
        assert_eq!(unless(DType::Int8), 1);
        assert_eq!(unless(DType::UInt8), 0);
        assert_eq!(unless(DType::Bool), 0);
    }
}
