//! Own: results that had their own memory before still have it.
//!
//! A rewrite may find that an output is an input, a view, or another output. If the original graph
//! allocated an array there, a copy restores that. Unlike other rewrites, this one cannot be
//! switched off: it allows the others to consider values only.

use std::collections::HashSet;

use crate::{Graph, Op, Var};

/// For each output, whether a node allocates an array for it alone.
fn owned(graph: &Graph) -> Vec<bool> {
    let mut seen = HashSet::new();
    let own = |&output: &Var| {
        let fresh = graph.owner(output).is_some_and(|(node, _)| !graph.nodes()[node].op.is_view());
        seen.insert(output) && fresh
    };
    graph.outputs.iter().map(own).collect()
}

pub(super) fn own(before: &Graph, mut after: Graph) -> Graph {
    let (wanted, have) = (owned(before), owned(&after));
    for (index, (wanted, have)) in wanted.into_iter().zip(have).enumerate() {
        let output = after.outputs[index];
        if wanted && !have && after.tensor(output).ndim() > 0 {
            let sites = before.owner(before.outputs[index]).map(|(node, _)| node);
            let sites = sites.map_or(&[][..], |node| &before.nodes()[node].sites);
            let copy = after.apply(Op::DeepCopy, &[output], sites);
            after.outputs[index] = copy.expect("everything can be copied")[0];
        }
    }
    after
}

#[cfg(test)]
mod tests {
    use crate::testing::{Build, rewritten};
    use crate::{DType, Function, Op};

    #[test]
    fn equal_results_are_two_arrays() {
        let mut b = Build::new();
        let x = b.vector(DType::Float64);
        let (one, two) = (b.map(Function::Exp, &[x]), b.map(Function::Exp, &[x]));
        let graph = rewritten(&b.outputs(&[one, two, x]));
        assert_eq!(graph.nodes().len(), 2);
        assert_eq!(graph.nodes()[1].op, Op::DeepCopy);
        assert_eq!(graph.nodes()[1].sites, [1]);
        assert_eq!(graph.outputs[2], graph.inputs()[0]);
    }
}
