//! Types and ops written as strings, and helpers that compile and run a linked function.

#![allow(dead_code, unused_imports, reason = "each test file uses its part")]
#![allow(clippy::disallowed_macros, clippy::disallowed_methods)]

mod compile;
mod strings;

pub use compile::{Module, compilers, compilers_for, golden, python, refused};
pub use strings::{TextOp, TextType, number, program};
