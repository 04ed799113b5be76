//! Dead: removes nodes that no output needs.

use super::Context;
use crate::Graph;
use crate::graph::Rebuild;

pub(super) fn dead(graph: &Graph, context: &mut Context<'_, '_>) -> Option<Graph> {
    let all = graph.needed();
    if all.iter().all(|&needed| needed) {
        return None;
    }
    let mut rebuild = Rebuild::new(graph);
    for (node, needed) in graph.nodes().iter().zip(all) {
        if needed {
            rebuild.keep(node)?;
        } else {
            context.did(format!("{}, needed by nothing", node.op.name()));
        }
    }
    Some(rebuild.finish())
}

#[cfg(test)]
mod tests {
    use crate::testing::{Build, only};
    use crate::{DType, Function};

    #[test]
    fn only_nodes_that_outputs_need_stay() {
        let mut b = Build::new();
        let x = b.vector(DType::Float64);
        let a = b.map(Function::Exp, &[x]);
        let c = b.map(Function::Sin, &[x]);
        b.map(Function::Add, &[a, c]);
        let (graph, report) = only("dead", &b.outputs(&[a]));
        assert_eq!((graph.nodes().len(), report.count("dead")), (1, 2));
        assert_eq!(graph.inputs().len(), 1);
    }
}
