//! Compressed arrays: rows of different lengths, concatenated.
//!
//! Purpose: recognise `xadj` and `adjncy`, `indptr`, `indices` and `data`, and their like.
//! Invariant: none of these is guessed to have the length of an adjacent integer.
//! Reason: the first has one element more than there are rows, and its content determines the
//! length of the others, which a prototype cannot express: with a wrong length, C reads past an
//! array.

use super::argument::Argument;

/// Names of arrays with the positions at which rows begin, in any context.
const STARTS: &[&str] = &[
    "xadj",
    "indptr",
    "rowptr",
    "rowptrs",
    "colptr",
    "colptrs",
    "rowstart",
    "rowstarts",
    "colstart",
    "colstarts",
    "rowoffsets",
    "coloffsets",
    "offsets",
    "eptr",
    "vtxdist",
    "xpins",
];
/// Names of the same next to an array of indices.
const POINTERS: &[&str] =
    &["ap", "bp", "lp", "up", "ia", "ptr", "ptrs", "rp", "cp", "pointers", "start", "starts"];
/// Names of arrays of indices.
const INDICES: &[&str] = &[
    "adjncy",
    "adj",
    "indices",
    "index",
    "ai",
    "bi",
    "li",
    "ui",
    "ja",
    "ind",
    "inds",
    "idx",
    "ri",
    "ci",
    "cols",
    "rows",
    "rowind",
    "colind",
    "rowidx",
    "colidx",
    "rowindices",
    "colindices",
    "eind",
    "pins",
];

/// Refuses a function that takes a compressed array.
pub(super) fn refuse(arguments: &[Argument]) -> Result<(), String> {
    let named = |names: &[&str]| {
        arguments.iter().find(|argument| {
            let name = argument.lower.replace('_', "");
            argument.is_open() && argument.scalar().is_some() && names.contains(&name.as_str())
        })
    };
    let starts = named(STARTS).or_else(|| named(INDICES).and_then(|_| named(POINTERS)));
    match starts {
        Some(starts) => Err(format!(
            "the values of `{}` are positions in another array, whose length is unknown",
            starts.name
        )),
        None => Ok(()),
    }
}
