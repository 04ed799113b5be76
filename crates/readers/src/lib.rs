//! Text to model: one module a front end.
//!
//! Purpose: turn what a person wrote into a [`fishplate_model::Interface`], every name with its
//! place.
//! Invariant: pure. A reader gets a text and gives back a model and every diagnostic; it opens no
//! file, prints nothing and panics on no input.
//! Reason: the later phases see one model whatever was written, and a reader can be tested (and
//! fuzzed) on strings alone.
//!
//! The parts: [`interface`] reads our `.toml`, [`header`] C headers, [`kernels`] the `.cfg` of xndtools;
//! [`prototype`] reads one C prototype, and is shared by every front end; [`span_map`] carries places
//! from a decoded string back to the
//! file.

pub mod header;
pub mod interface;
pub mod kernels;
pub mod names;
pub mod prototype;
pub mod span_map;
