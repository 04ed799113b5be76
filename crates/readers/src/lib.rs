//! From source to model: one module per front end.
//!
//! Purpose: turn source into a [`fishplate_model::Interface`], every name with its place.
//! Invariant: pure. A front end takes a string and returns a model and all diagnostics; it opens no
//! file, prints nothing and panics on no input.
//! Reason: later phases have one model for every input language, and a front end can be tested (and
//! fuzzed) on strings alone.
//!
//! The parts: [`interface`] parses the `.toml` of Fishplate, [`header`] C headers, [`kernels`] the
//! `.cfg` of xndtools; [`f2py`] rewrites its `.pyf` as interface files; [`fortran`]
//! drafts them from Fortran sources; [`prototype`] parses one C prototype, and is shared by every front end;
//! [`span_map`] maps places in a decoded string back to the file.

pub mod f2py;
pub mod fortran;
pub mod header;
pub mod interface;
pub mod kernels;
pub mod names;
pub mod prototype;
pub mod span_map;
