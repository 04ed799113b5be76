//! Graphs of ops over arrays.
//!
//! Purpose: the data structure that a front end builds and rewrites improve, and the memory plan
//! for a printer.
//! Invariant: pure data; a [`Graph`] is always well typed and acyclic, because a node is only
//! created by inferring its outputs' types from existing variables.
//! Reason: rewrites and hosts then have no error paths.

mod body;
mod error;
mod function;
mod graph;
mod infer;
mod memory_plan;
mod op;
pub mod rewrite;
mod tensor;
#[cfg(test)]
mod testing;
mod wrapped;

pub use body::{Arg, Body, Instruction, RowArg, RowResult, Rows, Stage};
pub use error::{Error, ErrorKind};
pub use fishplate_model::{DType, ScalarClass as Class};
pub use function::Function;
pub use graph::{Graph, Node, Origin, Rebuild, Value, Var, Variable};
pub use infer::infer;
pub use memory_plan::{Home, MemoryPlan};
pub use op::{Op, Param, Reduction, Subscript};
pub use tensor::{Tensor, broadcast};
pub use wrapped::Wrapped;
