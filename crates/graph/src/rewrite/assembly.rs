//! Assembly: combines nodes that compute elements into one body.

use std::collections::HashMap;

use crate::{Arg, Body, DType, Graph, Instruction, Node, Op, Var};

/// A body under construction.
pub(super) struct Assembly<'a> {
    graph: &'a Graph,
    /// Its inputs.
    pub(super) inputs: Vec<Var>,
    instructions: Vec<Instruction>,
    values: HashMap<Var, Arg>,
}

/// The function that a node applies to each element.
pub(super) fn is_elementwise(op: &Op) -> bool {
    matches!(op, Op::Map(_) | Op::Fused(_))
}

impl<'a> Assembly<'a> {
    /// An empty body.
    pub(super) fn new(graph: &'a Graph) -> Self {
        let (inputs, instructions, values) = (Vec::new(), Vec::new(), HashMap::new());
        Self { graph, inputs, instructions, values }
    }

    /// The value of a variable: computed already, or an input.
    pub(super) fn value(&mut self, var: Var) -> Arg {
        let inputs = &mut self.inputs;
        *self.values.entry(var).or_insert_with(|| {
            inputs.push(var);
            Arg::Input(inputs.len() - 1)
        })
    }

    fn push(&mut self, instruction: Instruction) -> Arg {
        self.instructions.push(instruction);
        Arg::Local(self.instructions.len() - 1)
    }

    /// Adds the functions of an elementwise node.
    pub(super) fn add(&mut self, node: &Node) {
        let arguments: Vec<Arg> = node.inputs.iter().map(|&input| self.value(input)).collect();
        match &node.op {
            Op::Map(function) => {
                let dtype = self.graph.tensor(node.outputs[0]).dtype;
                let value = self.push(Instruction { function: *function, arguments, dtype });
                self.values.insert(node.outputs[0], value);
            }
            Op::Fused(body) => {
                let mut locals: Vec<Arg> = Vec::with_capacity(body.instructions.len());
                let now = |locals: &[Arg], arg: &Arg| match *arg {
                    Arg::Input(index) => arguments[index],
                    Arg::Local(index) => locals[index],
                };
                for one in &body.instructions {
                    let arguments = one.arguments.iter().map(|arg| now(&locals, arg)).collect();
                    let (function, dtype) = (one.function, one.dtype);
                    locals.push(self.push(Instruction { function, arguments, dtype }));
                }
                for (&var, arg) in node.outputs.iter().zip(&body.outputs) {
                    self.values.insert(var, now(&locals, arg));
                }
            }
            _ => unreachable!("only elementwise nodes are put together"),
        }
    }

    /// The body whose outputs are these variables, and its inputs.
    pub(super) fn finish(mut self, outputs: &[Var]) -> (Body, Vec<Var>) {
        let outputs = outputs.iter().map(|&var| self.value(var)).collect();
        let dtype = |&var: &Var| self.graph.tensor(var).dtype;
        let inputs: Vec<DType> = self.inputs.iter().map(dtype).collect();
        (Body { inputs, instructions: self.instructions, outputs }, self.inputs)
    }
}
