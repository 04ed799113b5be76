//! The memory of a graph: the source of each array's memory, and when it is released.
//!
//! Invariant: the memory that a step acquires is released once, after the last step that uses it or
//! a view of it.

use crate::{Graph, Node, Op, Var};

/// The source of a variable's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// The caller's, or a constant's.
    Given,
    /// Part of another variable's.
    Viewed,
    /// A result of the graph: the number of the output.
    Output(usize),
    /// Allocated by the function.
    Temporary,
    /// A scalar: a C variable.
    Scalar,
}

/// The memory operations of a graph's nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct MemoryPlan {
    /// For each variable.
    pub homes: Vec<Home>,
    /// For each node the variables that are released after it.
    pub drops: Vec<Vec<Var>>,
    /// For each node and output, the input (its position) whose memory it may reuse.
    pub reuse: Vec<Vec<Option<usize>>>,
    /// Outputs that must be copied from their variable, because that does not use the output's
    /// memory.
    pub copies: Vec<usize>,
    /// For each variable, the number of uses as an input of a needed node.
    pub uses: Vec<u32>,
}

impl MemoryPlan {
    /// Plans the memory of a graph. `reuse`: whether results may reuse the memory of variables that
    /// are no longer needed.
    pub fn of(graph: &Graph, reuse: bool) -> Self {
        let count = graph.variables().len();
        let mut homes = vec![Home::Given; count];
        let mut roots: Vec<usize> = (0..count).collect();
        let mut uses = vec![0; count];
        let needed = graph.needed();
        for (index, node) in graph.nodes().iter().enumerate() {
            for &output in &node.outputs {
                homes[output.index()] = home(graph, node, output);
                if needs_root(&node.op) {
                    roots[output.index()] = roots[node.inputs[0].index()];
                }
            }
            if needed[index] {
                for input in &node.inputs {
                    uses[input.index()] += 1;
                }
            }
        }
        let copies = settle_outputs(graph, &mut homes);
        let last = last_uses(graph, &roots, &needed);
        let mut drops = vec![Vec::new(); graph.nodes().len()];
        for (var, &home) in homes.iter().enumerate() {
            // A reshape may have allocated memory, which is released with the array that it views.
            let own = home == Home::Temporary || (home == Home::Viewed && may_copy(graph, var));
            if let (true, Some(node)) = (own, last[roots[var]]) {
                drops[node].push(Var(var as u32));
            }
        }
        let mut plan = Self { homes, drops, reuse: Vec::new(), copies, uses };
        plan.reuse = graph
            .nodes()
            .iter()
            .enumerate()
            .map(|(index, node)| {
                let candidate =
                    |&output| reuse.then(|| plan.takes_over(graph, index, node, output)).flatten();
                let mut taken = Vec::new();
                let mut once = |input: usize| {
                    let first = !taken.contains(&node.inputs[input]);
                    taken.push(node.inputs[input]);
                    first.then_some(input)
                };
                node.outputs.iter().map(|output| candidate(output).and_then(&mut once)).collect()
            })
            .collect();
        plan
    }

    /// The input of a map whose last use is that map, and which has the size of its output.
    fn takes_over(&self, graph: &Graph, index: usize, node: &Node, output: Var) -> Option<usize> {
        let maps = matches!(node.op, Op::Map(_) | Op::Fused(_));
        if !maps || self.homes[output.index()] != Home::Temporary {
            return None;
        }
        let wanted = graph.tensor(output);
        node.inputs.iter().position(|&input| {
            let tensor = graph.tensor(input);
            self.homes[input.index()] == Home::Temporary
                && self.drops[index].contains(&input)
                && tensor.dtype.size() == wanted.dtype.size()
                && tensor.ndim() == wanted.ndim()
        })
    }
}

/// Whether the result of an op is in its first input's memory, always or sometimes.
fn needs_root(op: &Op) -> bool {
    op.is_view()
}

fn may_copy(graph: &Graph, var: usize) -> bool {
    graph
        .owner(Var(var as u32))
        .is_some_and(|(node, _)| matches!(graph.nodes()[node].op, Op::Reshape))
}

fn home(graph: &Graph, node: &Node, output: Var) -> Home {
    if graph.tensor(output).ndim() == 0 {
        Home::Scalar
    } else if needs_root(&node.op) {
        Home::Viewed
    } else {
        Home::Temporary
    }
}

/// Assigns the first output of each variable as its memory; returns the outputs that need a copy.
fn settle_outputs(graph: &Graph, homes: &mut [Home]) -> Vec<usize> {
    let mut copies = Vec::new();
    for (index, output) in graph.outputs.iter().enumerate() {
        match &mut homes[output.index()] {
            home @ Home::Temporary => *home = Home::Output(index),
            _ => copies.push(index),
        }
    }
    copies
}

/// For each root the last node that uses it or a view of it; none for the sources of copies to
/// outputs at the end.
fn last_uses(graph: &Graph, roots: &[usize], needed: &[bool]) -> Vec<Option<usize>> {
    let mut last = vec![None; roots.len()];
    for (index, node) in graph.nodes().iter().enumerate().filter(|(index, _)| needed[*index]) {
        for var in node.inputs.iter().chain(&node.outputs) {
            last[roots[var.index()]] = Some(index);
        }
    }
    for output in &graph.outputs {
        last[roots[output.index()]] = None;
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DType, Function, Tensor};

    #[test]
    fn memory_is_taken_over_and_released_once() {
        let mut graph = Graph::new();
        let vector = || Tensor::new(DType::Float64, vec![None]);
        let x = graph.add_input(vector());
        let map = |function, graph: &mut Graph, inputs: &[Var]| {
            graph.apply(Op::Map(function), inputs, &[]).unwrap()[0]
        };
        let a = map(Function::Exp, &mut graph, &[x]);
        let view = graph.apply(Op::Transpose(vec![0]), &[a], &[]).unwrap()[0];
        let b = map(Function::Sin, &mut graph, &[view]);
        let c = map(Function::Add, &mut graph, &[a, b]);
        let d = map(Function::Add, &mut graph, &[c, x]);
        graph.outputs = vec![d, d, x];
        let plan = MemoryPlan::of(&graph, true);
        assert_eq!(plan.homes[d.index()], Home::Output(0));
        assert_eq!(plan.copies, [1, 2]);
        assert_eq!(plan.drops, [vec![], vec![], vec![], vec![a, b], vec![c]]);
        assert_eq!(plan.reuse[3], [Some(0)]);
        assert_eq!(plan.reuse[2], [None]);
        assert_eq!(plan.reuse[4], [None]);
    }
}
