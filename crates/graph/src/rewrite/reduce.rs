//! Reduce: elementwise functions are fused into the reductions that use them, and reductions over
//! the same axes of the same arrays become one walk.
//!
//! A function is fused if it has no other use, or if it is cheap and its other uses are loops too,
//! which then compute it again. Arrays that are reduced together have the same shapes, so
//! mismatched arrays still fail.
//!
//! Invariant: nodes keep their order; a group takes the place of its first reduction, and a later
//! reduction joins only if it needs nothing that is computed after that place, so that there are no
//! cycles.

use std::collections::{BTreeSet, BinaryHeap, HashMap};
use std::sync::Arc;

use super::Context;
use super::assembly::Assembly;
use super::cost::is_cheap;
use super::fuse::{INPUTS, INSTRUCTIONS, sites};
use super::sizes::{Size, Sizes};
use crate::graph::Rebuild;
use crate::{Graph, Node, Op, Reduction, Var};

/// The limit on functions that are computed again, for a walk, rather than loaded.
const AGAIN: usize = 8;

/// The limit on reductions in one walk.
const REDUCTIONS: usize = 8;

pub(super) fn reduce(graph: &Graph, context: &mut Context<'_, '_>) -> Option<Graph> {
    let reducing = Reducing::new(graph);
    let walks = reducing.walks();
    let mut stands: HashMap<usize, &Walk> = HashMap::new();
    let mut joined: BTreeSet<usize> = BTreeSet::new();
    for walk in walks.iter().filter(|walk| walk.roots.len() + walk.nodes.len() > 1) {
        stands.insert(walk.roots[0], walk);
        joined.extend(&walk.roots);
    }
    let kept = needed_nodes(graph, &stands, &joined);
    let mut rebuild = Rebuild::new(graph);
    for (index, node) in graph.nodes().iter().enumerate() {
        if let Some(walk) = stands.get(&index) {
            let count = walk.roots.len() + walk.nodes.len();
            let name = walk.make(graph, &mut rebuild)?;
            context.did_nodes(count, format!("{name} in one walk ({count} nodes)"));
        } else if kept[index] && !joined.contains(&index) {
            rebuild.keep(node)?;
        }
    }
    Some(rebuild.finish())
}

/// The nodes that are still needed after others were fused into walks.
pub(super) fn needed_nodes(
    graph: &Graph,
    stands: &HashMap<usize, &Walk>,
    joined: &BTreeSet<usize>,
) -> Vec<bool> {
    let uses = graph.uses();
    let mut wanted = vec![false; graph.variables().len()];
    let mut kept = vec![false; graph.nodes().len()];
    for &output in &graph.outputs {
        wanted[output.index()] = true;
    }
    for (index, node) in graph.nodes().iter().enumerate().rev() {
        let unused = node.outputs.iter().all(|output| uses[output.index()] == 0);
        kept[index] = unused || node.outputs.iter().any(|output| wanted[output.index()]);
        let inputs = match stands.get(&index) {
            Some(walk) => walk.inputs(graph),
            None if kept[index] && !joined.contains(&index) => node.inputs.clone(),
            None => continue,
        };
        for input in inputs {
            wanted[input.index()] = true;
        }
    }
    kept
}

/// Reductions, and the functions that are fused into them.
#[derive(Clone, Debug, Default)]
pub(super) struct Walk {
    /// The reductions, and the nodes that follow them.
    pub(super) roots: Vec<usize>,
    /// The functions.
    pub(super) nodes: BTreeSet<usize>,
}

impl Walk {
    pub(super) fn all<'a>(&'a self, graph: &'a Graph) -> impl Iterator<Item = &'a Node> {
        self.nodes.iter().chain(&self.roots).map(|&node| &graph.nodes()[node])
    }

    fn has(&self, node: usize) -> bool {
        self.nodes.contains(&node) || self.roots.contains(&node)
    }

    /// The variables that it uses and does not compute itself.
    pub(super) fn inputs(&self, graph: &Graph) -> Vec<Var> {
        let mut seen = BTreeSet::new();
        let made = |var: Var| graph.owner(var).is_some_and(|(node, _)| self.has(node));
        let used = self.all(graph).flat_map(|node| &node.inputs).copied();
        used.filter(|&var| !made(var) && seen.insert(var)).collect()
    }

    /// Adds the node, and returns its name.
    fn make(&self, graph: &Graph, rebuild: &mut Rebuild<'_>) -> Option<String> {
        let mut assembly = Assembly::new(graph);
        for &node in &self.nodes {
            assembly.add(&graph.nodes()[node]);
        }
        let roots: Vec<&Node> = self.roots.iter().map(|&root| &graph.nodes()[root]).collect();
        let reduced: Vec<Var> = roots.iter().map(|root| root.inputs[0]).collect();
        let reduction = |root: &&Node| match root.op {
            Op::Reduce { reduction, .. } => Some(reduction),
            _ => None,
        };
        let reductions: Vec<Reduction> = roots.iter().filter_map(reduction).collect();
        let Op::Reduce { axes, keepdims, .. } = roots[0].op.clone() else { return None };
        let (body, inputs) = assembly.finish(&reduced);
        let inputs = rebuild.vars(&inputs);
        let op = Op::Fold { body: Arc::new(body), reductions, axes, keepdims };
        let name = op.name();
        let made = rebuild.apply(op, &inputs, &sites(&self.all(graph).collect::<Vec<_>>()))?;
        for (root, new) in roots.iter().zip(made) {
            rebuild.set(root.outputs[0], new);
        }
        Some(name)
    }
}

/// The properties of a graph that are needed to combine walks.
pub(super) struct Reducing<'a> {
    graph: &'a Graph,
    pub(super) sizes: Sizes,
    pub(super) uses: Vec<usize>,
    /// For each variable, whether all its users are loops that could recompute it.
    again: Vec<bool>,
}

impl<'a> Reducing<'a> {
    pub(super) fn new(graph: &'a Graph) -> Self {
        let mut again = vec![true; graph.variables().len()];
        for node in graph.nodes() {
            if !matches!(node.op, Op::Map(_) | Op::Reduce { .. }) {
                node.inputs.iter().for_each(|input| again[input.index()] = false);
            }
        }
        graph.outputs.iter().for_each(|output| again[output.index()] = false);
        Self { graph, sizes: Sizes::of(graph), uses: graph.uses(), again }
    }

    /// All reductions, in groups.
    fn walks(&self) -> Vec<Walk> {
        type Key = (Vec<Size>, Vec<usize>, bool);
        let none = BTreeSet::new();
        let mut walks: Vec<Walk> = Vec::new();
        let mut last: HashMap<Key, usize> = HashMap::new();
        // The position of each node: for reductions, that of the first in their group.
        let mut place: Vec<usize> = Vec::with_capacity(self.graph.nodes().len());
        for (index, node) in self.graph.nodes().iter().enumerate() {
            place.push(index);
            let Op::Reduce { axes, keepdims, .. } = &node.op else { continue };
            let key = (self.sizes.shape(node.inputs[0]).to_vec(), axes.clone(), *keepdims);
            let mut walk = Walk { roots: vec![index], nodes: BTreeSet::new() };
            self.grow(&mut walk, &none);
            match last.get(&key) {
                Some(&number) if self.joins(&walk, &walks[number], &place) => {
                    let to = &mut walks[number];
                    place[index] = to.roots[0];
                    to.roots.push(index);
                    to.nodes.extend(walk.nodes);
                }
                _ => {
                    last.insert(key, walks.len());
                    walks.push(walk);
                }
            }
        }
        // The reductions together may be the only users of a function.
        let several = walks.iter_mut().filter(|walk| walk.roots.len() > 1);
        several.for_each(|walk| self.grow(walk, &none));
        walks
    }

    /// True if a reduction may join others: it reads the same arrays, and needs nothing that is
    /// computed after them.
    fn joins(&self, walk: &Walk, others: &Walk, place: &[usize]) -> bool {
        let inputs = walk.inputs(self.graph);
        let before = |&var: &Var| {
            self.graph.owner(var).is_none_or(|(node, _)| place[node] < others.roots[0])
        };
        let theirs = others.inputs(self.graph);
        let shared = |var: &Var| self.graph.tensor(*var).ndim() > 0 && theirs.contains(var);
        others.roots.len() < REDUCTIONS
            && walk.nodes.union(&others.nodes).count() <= INSTRUCTIONS
            && inputs.len() + theirs.len() <= INPUTS
            && inputs.iter().all(before)
            && inputs.iter().any(shared)
    }

    /// Fuses functions, from the last to the first, except those in `taken`.
    pub(super) fn grow(&self, walk: &mut Walk, taken: &BTreeSet<usize>) {
        let graph = self.graph;
        let shape = self.sizes.shape(graph.nodes()[walk.roots[0]].inputs[0]);
        let mut inside: HashMap<Var, usize> = HashMap::new();
        let mut open: BinaryHeap<usize> = BinaryHeap::new();
        let mut inputs = walk.inputs(graph).len();
        let enter =
            |node: &Node, inside: &mut HashMap<Var, usize>, open: &mut BinaryHeap<usize>| {
                for &input in &node.inputs {
                    *inside.entry(input).or_insert(0) += 1;
                    open.extend(graph.owner(input).map(|(maker, _)| maker));
                }
            };
        for node in walk.all(graph) {
            enter(node, &mut inside, &mut open);
        }
        let mut again = 0;
        let mut last = usize::MAX;
        while let Some(index) = open.pop() {
            let node = &graph.nodes()[index];
            let Op::Map(function) = node.op else { continue };
            let output = node.outputs[0];
            if index == last
                || walk.has(index)
                || taken.contains(&index)
                || graph.tensor(output).ndim() == 0
            {
                continue;
            }
            last = index;
            let cheap = is_cheap(function);
            let only = inside.get(&output).copied() == Some(self.uses[output.index()]);
            let goes = (only || cheap && again < AGAIN && self.again[output.index()])
                && (cheap || !self.sizes.spreads(self.sizes.shape(output), shape))
                && walk.nodes.len() < INSTRUCTIONS
                && inputs + node.inputs.len() <= INPUTS;
            if goes {
                again += usize::from(!only);
                inputs += node.inputs.len() - 1;
                walk.nodes.insert(index);
                enter(node, &mut inside, &mut open);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{Build, only};
    use crate::{DType, Function, Graph, Op, Reduction};

    fn names(graph: &Graph) -> Vec<String> {
        graph.nodes().iter().map(|node| node.op.name()).collect()
    }

    #[test]
    fn functions_go_into_reductions() {
        let mut b = Build::new();
        let (x, y) = (b.vector(DType::Float64), b.vector(DType::Float64));
        let difference = b.map(Function::Sub, &[x, y]);
        let square = b.map(Function::Square, &[difference]);
        let sum = b.reduce(Reduction::Sum, &[0], square);
        let (graph, report) = only("reduce", &b.outputs(&[sum]));
        assert_eq!(graph.nodes().len(), 1);
        assert_eq!(graph.nodes()[0].sites, [0, 1, 2]);
        assert_eq!(
            report.to_string(),
            "reduce: sum of sub, square over [0] in one walk (3 nodes)\n"
        );
    }

    #[test]
    fn reductions_of_one_array_are_one_walk() {
        let mut b = Build::new();
        let x = b.matrix(DType::Float64);
        let four = b.float(4.0);
        let sum = b.reduce(Reduction::Sum, &[1], x);
        let mean = b.map(Function::TrueDivide, &[sum, four]);
        let square = b.map(Function::Square, &[x]);
        let squares = b.reduce(Reduction::Sum, &[1], square);
        let across = b.reduce(Reduction::Sum, &[0], x);
        let (graph, _) = only("reduce", &b.outputs(&[mean, squares, across]));
        assert_eq!(names(&graph), ["sum, sum of square over [1]", "true_divide", "sum over [0]"]);
    }

    #[test]
    fn users_of_a_reduction_start_a_new_walk() {
        let mut b = Build::new();
        let x = b.vector(DType::Float64);
        let largest = b.reduce(Reduction::Max, &[0], x);
        let below = b.map(Function::Sub, &[x, largest]);
        let sum = b.reduce(Reduction::Sum, &[0], below);
        let (graph, _) = only("reduce", &b.outputs(&[sum]));
        assert_eq!(names(&graph), ["max over [0]", "sum of sub over [0]"]);
    }

    #[test]
    fn expensive_nodes_are_computed_once() {
        for (function, nodes) in [(Function::Exp, 3), (Function::Negative, 2)] {
            let mut b = Build::new();
            let x = b.vector(DType::Float64);
            let one = b.map(function, &[x]);
            let sum = b.reduce(Reduction::Sum, &[0], one);
            let other = b.map(Function::Sin, &[one]);
            let (graph, _) = only("reduce", &b.outputs(&[sum, other]));
            assert_eq!(graph.nodes().len(), 3);
            let folds = graph.nodes().iter().filter(|node| matches!(node.op, Op::Fold { .. }));
            assert_eq!(folds.count(), 3 - nodes);
        }
    }

    #[test]
    fn shared_inputs_of_reductions_fuse_once() {
        let mut b = Build::new();
        let x = b.vector(DType::Float64);
        let exp = b.map(Function::Exp, &[x]);
        let (sum, largest) =
            (b.reduce(Reduction::Sum, &[0], exp), b.reduce(Reduction::Max, &[0], exp));
        let (graph, _) = only("reduce", &b.outputs(&[sum, largest]));
        assert_eq!(names(&graph), ["sum, max of exp over [0]"]);
    }
}
