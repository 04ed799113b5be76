//! Fuse: elementwise functions become one loop.
//!
//! A node joins the group that computes one of its inputs, and merges the other such groups into
//! it, if
//!
//! * no cycle results ([`Groups`]),
//! * results that are needed elsewhere have the shape of the loop ([`Sizes`]),
//! * nothing expensive is computed more often than before: a broadcast operand is fused only if it
//!   is cheap,
//! * the body stays small enough for registers ([`INPUTS`], [`INSTRUCTIONS`]).
//!
//! Scalars are not fused: they are plain C anyway.

use super::Context;
use super::assembly::{Assembly, is_elementwise};
use super::cost::is_cheap;
use super::group::Groups;
use super::sizes::Sizes;
use crate::graph::Rebuild;
use crate::{Graph, Node, Op, Var};
use std::sync::Arc;

/// The limit on the arrays that a loop reads.
pub(super) const INPUTS: usize = 24;

/// The limit on the functions that a loop computes.
pub(super) const INSTRUCTIONS: usize = 64;

pub(super) fn fuse(graph: &Graph, context: &mut Context<'_, '_>) -> Option<Graph> {
    let mut fusion = Fusion::new(graph);
    for node in 0..graph.nodes().len() {
        fusion.place(node);
    }
    let Fusion { groups, uses, .. } = fusion;
    let mut rebuild = Rebuild::new(graph);
    for members in groups.finish() {
        let nodes: Vec<&Node> = members.iter().map(|&node| &graph.nodes()[node]).collect();
        match nodes[..] {
            [node] => rebuild.keep(node)?,
            _ => {
                let name = fused(graph, &uses, &nodes, &mut rebuild)?;
                let count = nodes.len();
                context.did_nodes(count, format!("{name} in one loop ({count} nodes)"));
            }
        }
    }
    Some(rebuild.finish())
}

/// Combines several nodes into one, and returns its name.
fn fused(
    graph: &Graph,
    uses: &[usize],
    nodes: &[&Node],
    rebuild: &mut Rebuild<'_>,
) -> Option<String> {
    let mut inside = std::collections::HashMap::new();
    let mut assembly = Assembly::new(graph);
    for node in nodes {
        for &input in &node.inputs {
            *inside.entry(input).or_insert(0) += 1;
        }
        assembly.add(node);
    }
    let outside = |var: &Var| inside.get(var).is_none_or(|&inside| inside < uses[var.index()]);
    let outputs: Vec<Var> =
        nodes.iter().flat_map(|node| &node.outputs).copied().filter(outside).collect();
    let (body, inputs) = assembly.finish(&outputs);
    let name = body.name();
    let inputs = rebuild.vars(&inputs);
    let made = rebuild.apply(Op::Fused(Arc::new(body)), &inputs, &sites(nodes))?;
    for (old, new) in outputs.into_iter().zip(made) {
        rebuild.set(old, new);
    }
    Some(name)
}

/// The sites of several nodes.
pub(super) fn sites(nodes: &[&Node]) -> Vec<u32> {
    let mut sites: Vec<u32> = nodes.iter().flat_map(|node| &node.sites).copied().collect();
    sites.sort_unstable();
    sites.dedup();
    sites
}

/// The number of functions that a node computes.
fn instructions(op: &Op) -> usize {
    match op {
        Op::Fused(body) => body.instructions.len(),
        _ => 1,
    }
}

/// True if all functions of a node are cheap.
fn cheap(op: &Op) -> bool {
    match op {
        Op::Map(function) => is_cheap(*function),
        Op::Fused(body) => body.instructions.iter().all(|one| is_cheap(one.function)),
        _ => false,
    }
}

/// The groups of a graph, for the nodes that were assigned so far.
struct Fusion<'a> {
    graph: &'a Graph,
    sizes: Sizes,
    uses: Vec<usize>,
    groups: Groups,
    /// For each variable, when it was last visited during the examination of a group.
    seen: Vec<usize>,
    look: usize,
}

impl<'a> Fusion<'a> {
    fn new(graph: &'a Graph) -> Self {
        let (sizes, uses, groups) = (Sizes::of(graph), graph.uses(), Groups::default());
        let seen = vec![0; graph.variables().len()];
        Self { graph, sizes, uses, groups, seen, look: 0 }
    }

    fn node(&self, node: usize) -> &'a Node {
        &self.graph.nodes()[node]
    }

    /// True if a node may be fused with others.
    fn fuses(&self, node: usize) -> bool {
        let node = self.node(node);
        let first = node.outputs[0];
        is_elementwise(&node.op)
            && self.graph.tensor(first).ndim() > 0
            && node.outputs.iter().all(|output| self.uses[output.index()] > 0)
    }

    /// Finds the group for the next node.
    fn place(&mut self, node: usize) {
        let inputs = &self.node(node).inputs;
        let makers: Vec<usize> = inputs
            .iter()
            .filter_map(|&input| self.graph.owner(input))
            .map(|(node, _)| node)
            .collect();
        let mut from: Vec<usize> = makers.into_iter().map(|maker| self.groups.of(maker)).collect();
        from.sort_unstable_by(|a, b| b.cmp(a));
        from.dedup();
        let mut group = self.groups.push();
        if self.fuses(node) {
            if let Some(&last) = from.first()
                && self.fits(last, group, node)
            {
                self.groups.unite(group, last);
                group = last;
            }
            for &other in &from {
                if self.groups.may_rise(other, group) && self.fits(other, group, node) {
                    self.groups.unite(other, group);
                }
            }
        }
        for other in from {
            let other = self.groups.now(other);
            self.groups.uses(group, other);
        }
    }

    /// True if a group may be computed in the loop of another, whose last node is this.
    fn fits(&mut self, group: usize, with: usize, last: usize) -> bool {
        let (some, others) = (self.groups.members(group), self.groups.members(with));
        if !self.fuses(some[0]) {
            return false;
        }
        let all = || some.iter().chain(others).map(|&node| &self.graph.nodes()[node]);
        if all().map(|node| instructions(&node.op)).sum::<usize>() > INSTRUCTIONS {
            return false;
        }
        // The last node uses all the others, so its shape is that of the loop.
        let shape = self.sizes.shape(self.node(last).outputs[0]);
        let of = |node: usize| self.sizes.shape(self.node(node).outputs[0]);
        if some.iter().any(|&node| of(node) != shape) {
            let spread =
                |&node: &usize| self.sizes.spreads(of(node), shape) && !cheap(&self.node(node).op);
            if some.iter().any(spread) {
                return false;
            }
        }
        // Inputs are first visited with the outputs of the group marked.
        self.look += 2;
        let (inside, input) = (self.look - 1, self.look);
        for output in all().flat_map(|node| &node.outputs) {
            self.seen[output.index()] = inside;
        }
        let mut arrays = 0;
        let mut narrow: usize = 0;
        for &var in all().flat_map(|node| &node.inputs) {
            let seen = &mut self.seen[var.index()];
            if *seen != inside && *seen != input {
                *seen = input;
                arrays += usize::from(self.graph.tensor(var).ndim() > 0);
            } else if *seen == inside && self.sizes.shape(var) != shape {
                narrow += 1;
            }
        }
        let outputs = all().flat_map(|node| &node.outputs);
        let wanted: usize = outputs
            .filter(|&&output| self.sizes.shape(output) != shape)
            .map(|output| self.uses[output.index()])
            .sum();
        arrays <= INPUTS && narrow == wanted
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{Build, only};
    use crate::{DType, Function, Graph, Op, Reduction};

    fn loops(graph: &Graph) -> usize {
        graph.nodes().iter().filter(|node| matches!(node.op, Op::Fused(_))).count()
    }

    #[test]
    fn a_chain_is_one_loop() {
        let mut b = Build::new();
        let (x, y) = (b.vector(DType::Float64), b.vector(DType::Float64));
        let two = b.float(2.0);
        let sum = b.map(Function::Add, &[x, y]);
        let twice = b.map(Function::Mul, &[sum, two]);
        let exp = b.map(Function::Exp, &[twice]);
        let (graph, report) = only("fuse", &b.outputs(&[exp]));
        assert_eq!(graph.nodes().len(), 1);
        assert_eq!(graph.nodes()[0].sites, [0, 1, 2]);
        assert_eq!(report.to_string(), "fuse: add, mul, exp in one loop (3 nodes)\n");
    }

    #[test]
    fn branches_fuse_and_shared_nodes_become_results() {
        let mut b = Build::new();
        let x = b.vector(DType::Float64);
        let exp = b.map(Function::Exp, &[x]);
        let sin = b.map(Function::Sin, &[x]);
        let sum = b.map(Function::Add, &[exp, sin]);
        let (graph, _) = only("fuse", &b.outputs(&[sum, exp]));
        assert_eq!(graph.nodes().len(), 1);
        assert_eq!(graph.nodes()[0].outputs.len(), 2);
    }

    #[test]
    fn a_result_that_may_be_smaller_is_a_loop_of_its_own() {
        let mut b = Build::new();
        let (x, y) = (b.vector(DType::Float64), b.vector(DType::Float64));
        let exp = b.map(Function::Exp, &[x]);
        let sum = b.map(Function::Add, &[exp, y]);
        let (graph, _) = only("fuse", &b.outputs(&[sum, exp]));
        assert_eq!(loops(&graph), 0);
    }

    #[test]
    fn no_circle_comes_of_a_path_around() {
        let mut b = Build::new();
        let x = b.vector(DType::Float64);
        let exp = b.map(Function::Exp, &[x]);
        let sum = b.reduce(Reduction::Sum, &[0], exp);
        let quotient = b.map(Function::TrueDivide, &[exp, sum]);
        let log = b.map(Function::Log, &[quotient]);
        let (graph, _) = only("fuse", &b.outputs(&[log]));
        assert_eq!(graph.nodes().len(), 3);
        assert_eq!(graph.nodes()[2].op.name(), "true_divide, log");
    }

    #[test]
    fn cheap_broadcast_nodes_fuse() {
        for (function, nodes) in [(Function::Negative, 1), (Function::Exp, 2)] {
            let mut b = Build::new();
            let (row, x) = (b.vector(DType::Float64), b.matrix(DType::Float64));
            let small = b.map(function, &[row]);
            let sum = b.map(Function::Add, &[x, small]);
            let (graph, _) = only("fuse", &b.outputs(&[sum]));
            assert_eq!(graph.nodes().len(), nodes);
        }
    }

    #[test]
    fn scalars_stay_out_and_go_in_as_inputs() {
        let mut b = Build::new();
        let (s, x) = (b.scalar(DType::Float64), b.vector(DType::Float64));
        let root = b.map(Function::Sqrt, &[s]);
        let inverse = b.map(Function::Reciprocal, &[root]);
        let scaled = b.map(Function::Mul, &[x, inverse]);
        let exp = b.map(Function::Exp, &[scaled]);
        let (graph, _) = only("fuse", &b.outputs(&[exp]));
        assert_eq!(graph.nodes().len(), 3);
        assert_eq!(loops(&graph), 1);
    }

    #[test]
    fn long_chains_are_cut() {
        let mut b = Build::new();
        let mut x = b.vector(DType::Float64);
        for _ in 0..200 {
            x = b.map(Function::Sin, &[x]);
        }
        let (graph, _) = only("fuse", &b.outputs(&[x]));
        assert_eq!(graph.nodes().len(), 4);
    }
}
