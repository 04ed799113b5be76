//! The graph: variables, and the nodes that compute them.
//!
//! Invariant: nodes are in an order in which each uses only earlier variables, so a graph has no
//! cycles, and every pass is one walk from the first node to the last.

use std::sync::Arc;

use crate::infer::infer;
use crate::{Error, Op, Tensor};

/// A variable of one graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var(pub u32);

impl Var {
    /// Its index in [`Graph::variables`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A value with its type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Variable {
    /// Its type.
    pub tensor: Tensor,
    /// Its origin.
    pub origin: Origin,
}

/// The origin of a variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// An input, by its number.
    Input(usize),
    /// A constant.
    Constant(Arc<Value>),
    /// The output of a node: the node, and the number of the output.
    Node(usize, usize),
}

/// A constant array: its elements in C order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Value {
    /// Its type; all sizes are known.
    pub tensor: Tensor,
    /// Its elements.
    pub bytes: Vec<u8>,
}

impl Value {
    /// An int64 scalar.
    pub fn int64(value: i64) -> Self {
        Self { tensor: Tensor::scalar(crate::DType::Int64), bytes: value.to_ne_bytes().to_vec() }
    }

    /// Its value, if it is an int64 scalar.
    pub fn as_int64(&self) -> Option<i64> {
        let is_int64 = self.tensor == Tensor::scalar(crate::DType::Int64);
        is_int64.then(|| self.bytes.as_slice().try_into().ok().map(i64::from_ne_bytes))?
    }
}

/// An op applied to variables.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    /// The op.
    pub op: Op,
    /// Its inputs.
    pub inputs: Vec<Var>,
    /// Its outputs.
    pub outputs: Vec<Var>,
    /// The nodes of the front end that it implements, for messages.
    pub sites: Vec<u32>,
}

/// Variables, and the nodes that compute them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Graph {
    variables: Vec<Variable>,
    nodes: Vec<Node>,
    inputs: Vec<Var>,
    /// The outputs of a call.
    pub outputs: Vec<Var>,
}

impl Graph {
    /// An empty graph.
    pub fn new() -> Self {
        Self::default()
    }

    /// All variables.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// All nodes, each after those that it uses.
    pub fn nodes(&self) -> &[Node] {
        #[cfg(test)]
        crate::testing::looked();
        &self.nodes
    }

    /// The inputs of a call.
    pub fn inputs(&self) -> &[Var] {
        &self.inputs
    }

    /// A variable's type.
    pub fn tensor(&self, var: Var) -> &Tensor {
        #[cfg(test)]
        crate::testing::looked();
        &self.variables[var.index()].tensor
    }

    /// The constant, if the variable is one.
    pub fn constant(&self, var: Var) -> Option<&Arc<Value>> {
        #[cfg(test)]
        crate::testing::looked();
        match &self.variables[var.index()].origin {
            Origin::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// The node that computes a variable, and the number of its output.
    pub fn owner(&self, var: Var) -> Option<(usize, usize)> {
        #[cfg(test)]
        crate::testing::looked();
        match self.variables[var.index()].origin {
            Origin::Node(node, output) => Some((node, output)),
            _ => None,
        }
    }

    fn add(&mut self, tensor: Tensor, origin: Origin) -> Var {
        let index = u32::try_from(self.variables.len()).expect("fewer than 2^32 variables");
        self.variables.push(Variable { tensor, origin });
        Var(index)
    }

    /// A new input.
    pub fn add_input(&mut self, tensor: Tensor) -> Var {
        let var = self.add(tensor, Origin::Input(self.inputs.len()));
        self.inputs.push(var);
        var
    }

    /// A new constant.
    pub fn add_constant(&mut self, value: Arc<Value>) -> Var {
        self.add(value.tensor.clone(), Origin::Constant(value))
    }

    /// A new node; the types of its outputs are inferred.
    ///
    /// # Errors
    ///
    /// Inputs that the op does not accept.
    pub fn apply(&mut self, op: Op, inputs: &[Var], sites: &[u32]) -> Result<Vec<Var>, Error> {
        let tensors: Vec<&Tensor> = inputs.iter().map(|&var| self.tensor(var)).collect();
        let known: Vec<Option<i64>> = inputs
            .iter()
            .map(|&var| self.constant(var).and_then(|value| value.as_int64()))
            .collect();
        let outputs = infer(&op, &tensors, &known)?;
        Ok(self.push(op, inputs.to_vec(), outputs, sites))
    }

    fn push(&mut self, op: Op, inputs: Vec<Var>, types: Vec<Tensor>, sites: &[u32]) -> Vec<Var> {
        let node = self.nodes.len();
        let outputs: Vec<Var> = types
            .into_iter()
            .enumerate()
            .map(|(output, tensor)| self.add(tensor, Origin::Node(node, output)))
            .collect();
        self.nodes.push(Node { op, inputs, outputs: outputs.clone(), sites: sites.to_vec() });
        outputs
    }

    /// Adds these nodes of the front end to those that a node implements.
    pub fn add_sites(&mut self, node: usize, sites: &[u32]) {
        let all = &mut self.nodes[node].sites;
        all.extend(sites);
        all.sort_unstable();
        all.dedup();
    }

    /// For each variable the number of its uses: by nodes, and as an output.
    pub fn uses(&self) -> Vec<usize> {
        let mut uses = vec![0; self.variables.len()];
        for var in self.nodes.iter().flat_map(|node| &node.inputs).chain(&self.outputs) {
            uses[var.index()] += 1;
        }
        uses
    }

    /// For each variable the nodes that use it, once per use.
    pub fn clients(&self) -> Vec<Vec<usize>> {
        let mut clients = vec![Vec::new(); self.variables.len()];
        for (index, node) in self.nodes.iter().enumerate() {
            for input in &node.inputs {
                clients[input.index()].push(index);
            }
        }
        clients
    }

    /// For each node, whether an output of the graph needs it.
    pub fn needed(&self) -> Vec<bool> {
        let mut needed = vec![false; self.nodes.len()];
        let mut wanted = vec![false; self.variables.len()];
        for output in &self.outputs {
            wanted[output.index()] = true;
        }
        for (index, node) in self.nodes.iter().enumerate().rev() {
            needed[index] = node.outputs.iter().any(|output| wanted[output.index()]);
            if needed[index] {
                for input in &node.inputs {
                    wanted[input.index()] = true;
                }
            }
        }
        needed
    }
}

/// Builds a graph from another, variable by variable: the basis of rewrites.
pub struct Rebuild<'a> {
    from: &'a Graph,
    /// The new graph.
    pub to: Graph,
    map: Vec<Option<Var>>,
}

impl<'a> Rebuild<'a> {
    /// Begins with the inputs, which are unchanged.
    pub fn new(from: &'a Graph) -> Self {
        let mut rebuild = Self { from, to: Graph::new(), map: vec![None; from.variables.len()] };
        for &input in &from.inputs {
            rebuild.map[input.index()] = Some(rebuild.to.add_input(from.tensor(input).clone()));
        }
        rebuild
    }

    /// The new variable for an old one that was built already; constants are created on first use.
    pub fn var(&mut self, old: Var) -> Var {
        if let Some(var) = self.map[old.index()] {
            return var;
        }
        let value = self.from.constant(old).expect("each node comes after those that it uses");
        let var = self.to.add_constant(value.clone());
        self.map[old.index()] = Some(var);
        var
    }

    /// The new variables for old ones.
    pub fn vars(&mut self, old: &[Var]) -> Vec<Var> {
        old.iter().map(|&var| self.var(var)).collect()
    }

    /// A constant of the new graph.
    pub fn constant(&mut self, value: Arc<Value>) -> Var {
        self.to.add_constant(value)
    }

    /// Sets the new variable for an old one.
    pub fn set(&mut self, old: Var, new: Var) {
        self.map[old.index()] = Some(new);
    }

    /// Copies a node unchanged.
    ///
    /// Here and below `None` means that the node is certain to fail for the types, which are now
    /// known more precisely. Then the graph must remain unchanged, so that it fails when it is
    /// called.
    pub fn keep(&mut self, node: &Node) -> Option<()> {
        let inputs = self.vars(&node.inputs);
        // If the types of the inputs are unchanged, so are those of the outputs.
        let known = |(&old, &new): (&Var, &Var)| {
            self.from.tensor(old) == self.to.tensor(new)
                && self.from.constant(old).is_some() == self.to.constant(new).is_some()
        };
        if node.inputs.iter().zip(&inputs).all(known) {
            let tensors = node.outputs.iter().map(|&old| self.from.tensor(old).clone()).collect();
            let outputs = self.to.push(node.op.clone(), inputs, tensors, &node.sites);
            for (&old, new) in node.outputs.iter().zip(outputs) {
                self.set(old, new);
            }
            return Some(());
        }
        self.replace(node, node.op.clone(), &inputs)
    }

    /// Computes a node's outputs by another op.
    pub fn replace(&mut self, node: &Node, op: Op, inputs: &[Var]) -> Option<()> {
        let outputs = self.apply(op, inputs, &node.sites)?;
        for (&old, new) in node.outputs.iter().zip(outputs) {
            self.set(old, new);
        }
        Some(())
    }

    /// A new node.
    pub fn apply(&mut self, op: Op, inputs: &[Var], sites: &[u32]) -> Option<Vec<Var>> {
        self.to.apply(op, inputs, sites).ok()
    }

    /// The new graph, with the old outputs.
    pub fn finish(mut self) -> Graph {
        let outputs = self.vars(&self.from.outputs.clone());
        self.to.outputs = outputs;
        self.to
    }
}
