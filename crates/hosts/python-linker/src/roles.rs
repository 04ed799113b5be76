//! The role of a variable in the linked function, which determines its blocks.

use crate::error::{Error, LinkError};
use crate::program::Program;

/// The role of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VariableRole {
    /// From the caller; perhaps an output too. Extracted.
    Input,
    /// A constant without a literal in C; `orphan` is its number. Extracted.
    Orphan {
        /// Its index among the objects of the function.
        orphan: usize,
    },
    /// A constant that is inserted into the ops: no block.
    Literal(String),
    /// An output of a node that other nodes read. Initialised.
    Temporary,
    /// An output of a node and of the function. Initialised, and synced in the end.
    Output,
    /// The same, but initialised from the object of the last call.
    Recycled,
    /// Unused: no block.
    Unused,
}

/// The roles of all variables, and the variables that are orphans, in their order.
pub(crate) fn roles(program: &Program) -> Result<(Vec<VariableRole>, Vec<usize>), LinkError> {
    let mut roles = vec![VariableRole::Unused; program.variables.len()];
    for node in &program.nodes {
        for &output in &node.outputs {
            roles[output] = VariableRole::Temporary;
        }
    }
    for &input in &program.inputs {
        roles[input] = VariableRole::Input;
    }
    for output in &program.outputs {
        let role = &mut roles[output.variable];
        let recycled = output.recycled && !program.variables[output.variable].ty.is_simple();
        // An output that is listed twice may be recycled only if both may be.
        match role {
            VariableRole::Temporary if recycled => *role = VariableRole::Recycled,
            VariableRole::Temporary => *role = VariableRole::Output,
            VariableRole::Recycled if !recycled => *role = VariableRole::Output,
            _ => {}
        }
    }

    let mut orphans = Vec::new();
    let is_constant = |index: usize| program.variables[index].constant.is_some();
    let mut orphan = |roles: &mut Vec<VariableRole>, index: usize| {
        if roles[index] == VariableRole::Unused {
            roles[index] = VariableRole::Orphan { orphan: orphans.len() };
            orphans.push(index);
        }
    };
    // Outputs for the caller, and parameters, must be objects.
    for output in program.outputs.iter().filter(|output| is_constant(output.variable)) {
        orphan(&mut roles, output.variable);
    }
    for params in program.nodes.iter().filter_map(|node| node.params) {
        orphan(&mut roles, params);
    }
    for &index in program.nodes.iter().flat_map(|node| &node.inputs) {
        if roles[index] != VariableRole::Unused {
            continue;
        }
        match literal(program, index)? {
            Some(text) => roles[index] = VariableRole::Literal(format!("({text})")),
            None => orphan(&mut roles, index),
        }
    }
    Ok((roles, orphans))
}

fn literal(program: &Program, index: usize) -> Result<Option<String>, LinkError> {
    let variable = &program.variables[index];
    let Some(value) = &variable.constant else { return Ok(None) };
    variable.ty.literal(value.as_ref()).map_err(|error: Error| LinkError::User {
        what: format!("{}.c_literal of {}", variable.ty.name(), program.label(index)),
        node: None,
        error,
    })
}
