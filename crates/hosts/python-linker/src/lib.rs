//! Links types and ops with their own C code into one function.
//!
//! Purpose: the protocol of Theano's C linker. A [`FragmentType`] defines how a value is converted
//! (declare, init or extract, sync, cleanup), a [`FragmentOp`] computes values from values, and
//! [`link`] generates one C function for a graph of them.
//! Invariant: every block that was begun is cleaned up once, in reverse order, on every path;
//! `init` or `extract` is run for a variable, never both; `sync` only for outputs, and only on
//! success.
//! Reason: authors of types and ops know these rules and nothing else about the linked function.
//!
//! ```text
//!   Program ─► roles ─► fragments, blocks ─► Linked ─► print as C or C++ ─► LinkedC
//! ```
//!
//! The code of types and ops is collected once; printing calls none of their methods, so that a
//! function which the C compiler refuses can be printed again as C++ (`fishplate_model::Language`).

mod asked;
mod blocks;
mod error;
mod fragment;
mod fragment_op;
mod fragment_type;
mod gather;
mod language;
mod link;
mod mentions;
mod names;
mod needs;
pub mod ops;
mod print;
mod program;
mod roles;
mod sub;
mod text;
pub mod types;

pub use blocks::{Position, Task};
pub use error::{Error, LinkError};
pub use fragment::{CompilerNote, Fragment, Owner};
pub use fragment_op::{FragmentOp, Site};
pub use fragment_type::{FragmentType, Number, Value};
pub use link::{Linked, link};
pub use needs::{Needs, Version};
pub use print::{HEADERS, LinkedC};
pub use program::{Node, Output, Program, Variable};
pub use roles::VariableRole;
pub use sub::Sub;
