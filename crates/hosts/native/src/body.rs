//! The statements that compute a body's values of one element.

use fishplate_graph::{Arg, Body};

use crate::ctype::c_type;
use crate::function::{cost, expression};
use crate::helpers::Helpers;

/// The name of a value: `x0` an element of input 0, `v2` the result of instruction 2.
pub fn name(arg: Arg) -> String {
    match arg {
        Arg::Input(index) => format!("x{index}"),
        Arg::Local(index) => format!("v{index}"),
    }
}

/// A line for each instruction.
pub fn statements(body: &Body, helpers: &mut Helpers) -> Vec<String> {
    let line = |(index, one): (usize, &fishplate_graph::Instruction)| {
        let arguments: Vec<String> = one.arguments.iter().map(|&arg| name(arg)).collect();
        let from = body.dtype(*one.arguments.last().expect("every function has an argument"));
        let value = expression(one.function, from, &arguments, helpers);
        format!("const {} v{index} = {value};", c_type(one.dtype))
    };
    body.instructions.iter().enumerate().map(line).collect()
}

/// What an element costs, in sixteenths of nanoseconds.
pub fn element_cost(body: &Body) -> u32 {
    let functions = body.instructions.iter();
    4 + functions.map(|one| cost(one.function, one.dtype)).sum::<u32>()
}

/// What an element costs, as the ABI has room for.
pub fn abi_cost(body: &Body) -> u8 {
    u8::try_from(element_cost(body).min(255)).unwrap_or(255)
}

/// How a loop reads its inputs: those of rank 0 before it, the others in it.
pub struct Inputs {
    /// Before the loop.
    pub before: Vec<String>,
    /// In it.
    pub inside: Vec<String>,
}

/// The inputs of a body, which begin at `p[first]`; `scalar` says which are of rank 0.
pub fn inputs(body: &Body, first: usize, scalar: &[bool], index: &str) -> Inputs {
    let mut inputs = Inputs { before: Vec::new(), inside: Vec::new() };
    for (number, &dtype) in body.inputs.iter().enumerate() {
        let c = c_type(dtype);
        let at = first + number;
        if scalar[number] {
            inputs.before.push(format!("const {c} x{number} = *(const {c} *)p[{at}];"));
        } else {
            inputs.before.push(format!("const {c} *in{number} = (const {c} *)p[{at}];"));
            inputs.inside.push(format!("const {c} x{number} = in{number}[{index}];"));
        }
    }
    inputs
}
