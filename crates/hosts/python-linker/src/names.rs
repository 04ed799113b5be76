//! The names of variables, nodes and labels in the linked function.

/// The variable's name, for types and ops.
pub(crate) fn variable(index: usize) -> String {
    format!("V{index}")
}

/// The node's own name.
pub(crate) fn node(index: usize) -> String {
    format!("node_{index}")
}

/// The label of a block's cleanup.
pub(crate) fn label(id: usize) -> String {
    format!("__label_{id}")
}
