//! Drafts of interfaces for plain headers of C and C++.
//!
//! Purpose: guess the annotations that plain headers lack ([`draft()`]), and write an interface
//! file with a comment at each guess.
//! Invariant: pure; every guess is a valid interface. The caller preprocesses headers, and removes
//! what `check`, the compiler and the linker refuse.
//! Reason: a guess is a proposal that a person checks, so it is separate from the front ends, which
//! never guess.

pub mod cplusplus;
mod draft;
mod guess;
mod reserved;

pub use draft::{Draft, DraftFunction, DraftModule, LeftOut, draft};
pub use reserved::Reserved;
