//! The input of linking: variables, nodes in execution order, inputs and outputs.

use crate::error::LinkError;
use crate::fragment_op::FragmentOp;
use crate::fragment_type::{FragmentType, Value};
use std::sync::Arc;

/// A value of the graph.
#[derive(Clone)]
pub struct Variable {
    /// Its type.
    pub ty: Arc<dyn FragmentType>,
    /// The author's name for it.
    pub name: Option<String>,
    /// The value, if it is known.
    pub constant: Option<Arc<Value>>,
}

/// An op, applied to variables.
#[derive(Clone)]
pub struct Node {
    /// The op in this place.
    pub op: Arc<dyn FragmentOp>,
    /// Indices of variables.
    pub inputs: Vec<usize>,
    /// Indices of variables that are outputs of no other node.
    pub outputs: Vec<usize>,
    /// The constant that holds the op's parameters.
    pub params: Option<usize>,
}

/// A variable that is returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Output {
    /// Its index.
    pub variable: usize,
    /// The next call may reuse its memory: the caller has agreed to that.
    pub recycled: bool,
}

/// A graph, ready to be linked.
#[derive(Clone, Default)]
pub struct Program {
    /// The name of the function.
    pub name: String,
    /// All variables.
    pub variables: Vec<Variable>,
    /// All nodes, each after those whose outputs it reads.
    pub nodes: Vec<Node>,
    /// The compiler that is used if no type or op requires one.
    pub compiler: Option<String>,
    /// The arguments of the caller. A variable may occur twice; its last value counts.
    pub inputs: Vec<usize>,
    /// The results for the caller.
    pub outputs: Vec<Output>,
}

impl Program {
    /// The name of a variable in messages.
    pub(crate) fn label(&self, variable: usize) -> String {
        self.variables[variable].name.clone().unwrap_or_else(|| format!("V{variable}"))
    }

    /// Checks that every variable is computed before it is read, and only once.
    pub(crate) fn check(&self) -> Result<(), LinkError> {
        let problem = |text: String| Err(LinkError::Program(text));
        let count = self.variables.len();
        let named = self.inputs.iter().chain(self.outputs.iter().map(|output| &output.variable));
        let used = self
            .nodes
            .iter()
            .flat_map(|node| node.inputs.iter().chain(&node.outputs).chain(&node.params));
        if let Some(bad) = named.chain(used).find(|index| **index >= count) {
            return problem(format!("unknown variable {bad}"));
        }
        let mut known: Vec<bool> =
            self.variables.iter().map(|variable| variable.constant.is_some()).collect();
        for &input in &self.inputs {
            known[input] = true;
        }
        for (index, node) in self.nodes.iter().enumerate() {
            for &input in node.inputs.iter().chain(&node.params) {
                if !known[input] {
                    return problem(format!(
                        "{} (node {index}) reads {}, which is neither an input nor a constant, and which no earlier node computes",
                        node.op.name(),
                        self.label(input)
                    ));
                }
            }
            for &output in &node.outputs {
                if std::mem::replace(&mut known[output], true) {
                    return problem(format!(
                        "{} (node {index}) makes {}, which has a value already",
                        node.op.name(),
                        self.label(output)
                    ));
                }
            }
        }
        match self.outputs.iter().find(|output| !known[output.variable]) {
            Some(output) => {
                problem(format!("nothing makes the output {}", self.label(output.variable)))
            }
            None => Ok(()),
        }
    }
}
