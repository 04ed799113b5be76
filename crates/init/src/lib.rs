//! First interfaces of plain C headers.
//!
//! Purpose: guess what plain headers do not say ([`draft()`]), and write an interface file with a comment at each
//! guess.
//! Invariant: pure; whatever is guessed reads as an interface. The caller preprocesses headers, and
//! leaves out what `check`, the compiler and the linker refuse.
//! Reason: a guess is a proposal that a person checks, so it is apart from the readers, which never
//! guess.

mod draft;
mod guess;
mod reserved;

pub use draft::{Draft, DraftFunction, DraftModule, LeftOut, draft};
pub use reserved::Reserved;
