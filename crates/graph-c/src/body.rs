//! The statements that compute a body's values of one element.

use fishplate_graph::{Arg, Body, DType};

use crate::ctype::c_type;
use crate::function::{cost, expression, is_called};
use crate::helpers::Helpers;

/// The name of a value: `x0` an element of input 0, `v2` the result of instruction 2.
pub fn name(arg: Arg) -> String {
    match arg {
        Arg::Input(index) => format!("x{index}"),
        Arg::Local(index) => format!("v{index}"),
    }
}

/// A line for each instruction, by number.
pub fn statements(body: &Body, helpers: &mut Helpers) -> Vec<String> {
    let line = |(index, one): (usize, &fishplate_graph::Instruction)| {
        let arguments: Vec<String> = one.arguments.iter().map(|&arg| name(arg)).collect();
        let from = body.dtype(*one.arguments.last().expect("every function has an argument"));
        let value = expression(one.function, from, &arguments, helpers);
        format!("const {} v{index} = {value};", c_type(one.dtype))
    };
    body.instructions.iter().enumerate().map(line).collect()
}

/// The cost of an element, in sixteenths of nanoseconds.
pub fn element_cost(body: &Body) -> u32 {
    let functions = body.instructions.iter();
    4 + functions.map(|one| cost(one.function, one.dtype)).sum::<u32>()
}

/// The cost of an element, limited to the range of the ABI's field.
pub fn abi_cost(body: &Body) -> u8 {
    u8::try_from(element_cost(body).min(255)).unwrap_or(255)
}

/// Declarations before a loop: the values of inputs of rank 0, and the addresses of the others.
/// Inputs begin at `p[first]`; `scalar` marks those of rank 0.
pub fn inputs(body: &Body, first: usize, scalar: &[bool]) -> Vec<String> {
    let line = |(number, &dtype): (usize, &DType)| {
        let (c, at) = (c_type(dtype), first + number);
        if scalar[number] {
            format!("const {c} x{number} = *(const {c} *)p[{at}];")
        } else {
            format!("const {c} *in{number} = (const {c} *)p[{at}];")
        }
    };
    body.inputs.iter().enumerate().map(line).collect()
}

/// The statements for the element at an index: each input is loaded before its first use. Empty ones stand for those
/// before the loop.
pub fn turn(body: &Body, scalar: &[bool], index: &str, statements: &[String]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut loaded = scalar.to_vec();
    let mut load = |lines: &mut Vec<String>, arg: Arg| {
        if let Arg::Input(number) = arg
            && !std::mem::replace(&mut loaded[number], true)
        {
            let c = c_type(body.inputs[number]);
            lines.push(format!("const {c} x{number} = in{number}[{index}];"));
        }
    };
    for number in order(body).filter(|&number| !statements[number].is_empty()) {
        body.instructions[number].arguments.iter().for_each(|&arg| load(&mut lines, arg));
        lines.push(statements[number].clone());
    }
    body.outputs.iter().for_each(|&arg| load(&mut lines, arg));
    lines
}

/// The instructions in an order in which calls of functions come first, with their dependencies: no
/// register survives a call, so every value from before one is stored and loaded again.
fn order(body: &Body) -> impl Iterator<Item = usize> {
    let mut early: Vec<bool> =
        body.instructions.iter().map(|one| is_called(one.function)).collect();
    for (number, one) in body.instructions.iter().enumerate().rev() {
        if early[number] {
            for &arg in &one.arguments {
                if let Arg::Local(earlier) = arg {
                    early[earlier] = true;
                }
            }
        }
    }
    let (first, then): (Vec<usize>, Vec<usize>) =
        (0..body.instructions.len()).partition(|&number| early[number]);
    first.into_iter().chain(then)
}
