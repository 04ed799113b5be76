//! How variables, nodes and labels are called in the linked function.

/// The variable's name, as types and ops get it.
pub(crate) fn variable(index: usize) -> String {
    format!("V{index}")
}

/// The node's own name.
pub(crate) fn node(index: usize) -> String {
    format!("node_{index}")
}

/// The label at which a block is undone.
pub(crate) fn label(id: usize) -> String {
    format!("__label_{id}")
}
