//! Merge: equal nodes become one, and so do equal constants.
//!
//! Constants are equal if their bits are: 0.0 and -0.0 differ, and so do different NaNs.

use std::collections::HashMap;
use std::sync::Arc;

use super::Context;
use crate::graph::Rebuild;
use crate::{Graph, Op, Value, Var};

pub(super) fn merge(graph: &Graph, context: &mut Context<'_, '_>) -> Option<Graph> {
    let mut rebuild = Rebuild::new(graph);
    let mut constants: HashMap<Arc<Value>, Var> = HashMap::new();
    let mut made: HashMap<(&Op, Vec<Var>), Vec<Var>> = HashMap::new();
    for node in graph.nodes() {
        for &input in &node.inputs {
            let Some(value) = graph.constant(input) else { continue };
            match constants.get(value) {
                Some(&var) => rebuild.set(input, var),
                None => {
                    constants.insert(value.clone(), rebuild.var(input));
                }
            }
        }
        let mut inputs = rebuild.vars(&node.inputs);
        let commutes = matches!(node.op, Op::Map(function) if function.is_commutative());
        if commutes {
            inputs.sort_unstable();
        }
        let key = (&node.op, inputs);
        if let Some(outputs) = made.get(&key) {
            for (&old, &new) in node.outputs.iter().zip(outputs) {
                rebuild.set(old, new);
            }
            if let Some((owner, _)) = rebuild.to.owner(outputs[0]) {
                rebuild.to.add_sites(owner, &node.sites);
            }
            context.did(format!("{}, computed once", node.op.name()));
        } else {
            rebuild.keep(node)?;
            made.insert(key, rebuild.vars(&node.outputs));
        }
    }
    Some(rebuild.finish())
}

#[cfg(test)]
mod tests {
    use crate::testing::{Build, only};
    use crate::{DType, Function};

    #[test]
    fn equal_nodes_are_one_and_keep_both_sites() {
        let mut b = Build::new();
        let (x, y) = (b.vector(DType::Float64), b.vector(DType::Float64));
        let (one, two) = (b.map(Function::Add, &[x, y]), b.map(Function::Add, &[y, x]));
        let (three, four) = (b.map(Function::Sub, &[x, y]), b.map(Function::Sub, &[y, x]));
        let (graph, report) = only("merge", &b.outputs(&[one, two, three, four]));
        assert_eq!(report.count("merge"), 1);
        assert_eq!(graph.nodes()[0].sites, [0, 1]);
    }

    #[test]
    fn constants_are_equal_by_their_bits() {
        let mut b = Build::new();
        let x = b.vector(DType::Float64);
        let nan = f64::from_bits(f64::NAN.to_bits() ^ 1);
        let values = [0.0, -0.0, f64::NAN, nan, 0.0, f64::NAN].map(|value| b.float(value));
        let sums: Vec<_> = values.iter().map(|&c| b.map(Function::Add, &[x, c])).collect();
        let (_, report) = only("merge", &b.outputs(&sums));
        assert_eq!(report.count("merge"), 2);
    }

    #[test]
    fn nodes_with_equal_inputs_merge() {
        let mut b = Build::new();
        let x = b.vector(DType::Float64);
        let (a, c) = (b.map(Function::Exp, &[x]), b.map(Function::Exp, &[x]));
        let (d, e) = (b.map(Function::Sin, &[a]), b.map(Function::Sin, &[c]));
        let sum = b.map(Function::Add, &[d, e]);
        let (graph, _) = only("merge", &b.outputs(&[sum]));
        assert_eq!(graph.nodes().len(), 3);
    }
}
