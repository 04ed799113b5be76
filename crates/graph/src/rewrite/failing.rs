//! Failing nodes: nodes that cannot be computed from some inputs, so that asking for their shape alone raises too.
//!
//! Purpose: a size may be taken from an earlier array only if the graph still raises for the same inputs.
//! Invariant: two variables with the same guard are computed, or fail, together.
//! Reason: a result must not depend on the linker, and other linkers compute every value whose shape is used.

use std::collections::HashSet;

use super::sizes::{Size, Sizes};
use crate::{Class, Function, Graph, Node, Op, Subscript, Var};

/// For each variable, the variable to compute so that the same inputs raise; `None` if it cannot fail or is computed
/// anyway.
pub(super) struct Guards(Vec<Option<Var>>);

impl Guards {
    /// The guards of a graph.
    pub(super) fn of(graph: &Graph, sizes: &Sizes) -> Self {
        let computed = computed(graph);
        let mut guards: Vec<Option<Var>> = vec![None; graph.variables().len()];
        for (index, node) in graph.nodes().iter().enumerate() {
            if computed[index] {
                continue;
            }
            let mut before = node.inputs.iter().filter_map(|input| guards[input.index()]);
            let first = before.next();
            let is_own = may_fail(graph, node, sizes) || before.any(|other| Some(other) != first);
            for &output in &node.outputs {
                guards[output.index()] = if is_own { Some(node.outputs[0]) } else { first };
            }
        }
        Self(guards)
    }

    /// The variable to compute so that this one raises for the same inputs.
    pub(super) fn of_var(&self, var: Var) -> Option<Var> {
        self.0[var.index()]
    }
}

/// For each node, whether an output needs its value rather than only its shape.
fn computed(graph: &Graph) -> Vec<bool> {
    let mut needed: HashSet<Var> = graph.outputs.iter().copied().collect();
    let mut computed = vec![false; graph.nodes().len()];
    for (index, node) in graph.nodes().iter().enumerate().rev() {
        computed[index] = node.outputs.iter().any(|output| needed.contains(output));
        if computed[index] && !matches!(node.op, Op::Shape | Op::ShapeI(_)) {
            needed.extend(&node.inputs);
        }
    }
    computed
}

/// Returns whether the node fails for some values of its inputs.
fn may_fail(graph: &Graph, node: &Node, sizes: &Sizes) -> bool {
    let shape = |at: usize| sizes.shape(node.inputs[at]);
    let is_one = |size: &Size| sizes.value(*size) == Some(1);
    // Scalars that are sizes: the size of an array, or a constant, which the front end has checked.
    let are_sizes = |all: &[Var]| {
        all.iter().all(|&size| {
            let of_array = graph
                .owner(size)
                .is_some_and(|(maker, _)| matches!(graph.nodes()[maker].op, Op::ShapeI(_)));
            of_array || graph.constant(size).is_some()
        })
    };
    match &node.op {
        Op::Map(Function::Pow) if is_signed(graph, node.inputs[1]) => true,
        Op::Map(_) | Op::Fused(_) => {
            !agree(node.inputs.iter().map(|&input| sizes.shape(input)), sizes)
        }
        Op::Reduce { reduction, axes, .. } => {
            let has_some = |&axis: &usize| sizes.value(shape(0)[axis]).is_some_and(|size| size > 0);
            !reduction.has_identity() && !axes.iter().all(has_some)
        }
        Op::MatMul => {
            let (a, b) = (shape(0), shape(1));
            a.last() != b.get(b.len().saturating_sub(2))
        }
        Op::Full => !are_sizes(&node.inputs[1..]),
        Op::BroadcastTo => {
            let all_are_sizes = are_sizes(&node.inputs[1..]);
            let to = sizes.shape(node.outputs[0]);
            let from = shape(0);
            let skipped = to.len().saturating_sub(from.len());
            let fits = |(from, to): (&Size, &Size)| is_one(from) || from == to;
            !all_are_sizes || !from.iter().zip(&to[skipped..]).all(fits)
        }
        Op::Squeeze(axes) => !axes.iter().all(|&axis| is_one(&shape(0)[axis])),
        Op::Slice(spec) => spec.contains(&Subscript::Index),
        Op::Transpose(_)
        | Op::Expand(_)
        | Op::ShapeI(_)
        | Op::Shape
        | Op::MakeVector
        | Op::DeepCopy
        | Op::Accumulate { .. }
        | Op::View => false,
        Op::Fold { .. }
        | Op::Rows(_)
        | Op::Gemm
        | Op::Reshape
        | Op::Take(_)
        | Op::Mask
        | Op::SetSlice { .. }
        | Op::Put { .. }
        | Op::Join(_)
        | Op::Arange(_)
        | Op::Unless
        | Op::Wrapped(_) => true,
    }
}

fn is_signed(graph: &Graph, var: Var) -> bool {
    graph.tensor(var).dtype.class() == Class::Signed
}

/// Returns whether the shapes broadcast for all sizes.
fn agree<'s>(shapes: impl Iterator<Item = &'s [Size]>, sizes: &Sizes) -> bool {
    let mut all: Vec<Option<Size>> = Vec::new();
    for shape in shapes {
        for (at, &size) in shape.iter().rev().enumerate() {
            if all.len() == at {
                all.push(None);
            }
            if sizes.value(size) == Some(1) {
                continue;
            }
            if all[at].is_some_and(|other| other != size) {
                return false;
            }
            all[at] = Some(size);
        }
    }
    true
}
