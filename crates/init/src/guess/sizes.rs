//! The meaning of names of integers and of pointers.
//!
//! Purpose: decide by name which integer is a length, of what, and which pointer is to a single
//! number.
//! Invariant: a name alone decides here; callers take positions into account.
//! Reason: arrays, strings, handles and callbacks all depend on whether an integer is a length.

use super::argument::{Argument, Of, Passed};
use super::words::lower_words;
use fishplate_model::Scalar;

/// Prefixes and suffixes that form the name of a length from the name of an array.
const PREFIXES: &[&str] = &["n_", "num_", "len_", "size_", "count_", "num", "len", "n", "l"];
const SUFFIXES: &[&str] = &[
    "_len", "_length", "_size", "_count", "_num", "_n", "_elems", "len", "length", "size", "count",
    "capacity", "_cap", "_max", "bytes",
];

/// The last words of names of sizes.
const SIZES: &[&str] = &[
    "size", "len", "length", "count", "num", "capacity", "bins", "elems", "items", "entries",
    "points", "samples", "rows", "cols", "columns",
];

/// Names of an integer that counts elements, of whatever size these are.
const ELEMENTS: &[&str] = &[
    "count",
    "cnt",
    "num",
    "nelem",
    "nelems",
    "nelements",
    "numel",
    "npts",
    "npoints",
    "nitems",
    "nmemb",
    "nobs",
    "total",
    "dim",
];

/// Its name is that of a length of something unspecified.
pub(super) fn is_plain(argument: &Argument) -> bool {
    let name = argument.lower.trim_matches('_');
    ELEMENTS.contains(&name) || matches!(name, "n" | "len" | "length" | "size" | "sz")
}

/// Names of pointers to one number, even if a length is present.
const NUMBERS: &[&str] = &[
    "result",
    "abserr",
    "err",
    "error",
    "value",
    "val",
    "min",
    "max",
    "sum",
    "mean",
    "norm",
    "resabs",
    "resasc",
    "root",
    "time",
    "factor",
    "tolerance",
];

/// Memory without a type of its own: its use is guessed with strings.
pub(super) fn is_memory(argument: &Argument) -> bool {
    matches!(argument.of, Of::Void | Of::Room)
}

/// True for an integer that is rarely a number of elements of unknown size.
pub(super) fn counts_bytes(memory: &Argument, count: &Argument) -> bool {
    let name = count.lower.trim_matches('_');
    let is_vague = memory.of == Of::Void && matches!(name, "n" | "m");
    !ELEMENTS.contains(&name) && (!is_vague || count.scalar() == Some(Scalar::Size))
}

/// The index of the integer that by its name is the length of the argument with this name.
pub(super) fn length_of(arguments: &[Argument], name: &str) -> Option<usize> {
    let name = name.trim_matches('_');
    arguments.iter().position(|other| {
        other.is_count()
            && other.intent.is_none()
            && counts_by_name(other.lower.trim_matches('_'), name)
    })
}

/// True for the name of an integer that is the length of its neighbour.
pub(super) fn is_plain_length(argument: &Argument) -> bool {
    let name = argument.lower.trim_matches('_');
    argument.is_count()
        && (is_plain(argument) || matches!(name, "nbyte" | "nbytes" | "bytes" | "m"))
}

/// True for a pointer that is rarely to an array, by its type or its name.
pub(super) fn is_one(argument: &Argument) -> bool {
    argument.scalar().is_some_and(|scalar| scalar.is_integer() && scalar.size() > 1)
        || NUMBERS.contains(&argument.lower.trim_matches('_'))
}

/// Last words of the names of pointers that are rarely to one number.
const ARRAYS: &[&str] = &[
    "buf",
    "buffer",
    "arr",
    "array",
    "data",
    "vec",
    "vector",
    "mat",
    "matrix",
    "work",
    "p",
    "ptr",
    "param",
    "coef",
    "state",
    "map",
    "mapping",
    "perm",
    "permutation",
    "list",
    "table",
    "histogram",
    "hist",
    "mask",
    "lookup",
    "lut",
    "shape",
    "set",
];

/// Names of one number that end like plurals.
const ONE: &[&str] = &[
    "flags",
    "status",
    "pos",
    "bits",
    "bytes",
    "radius",
    "modulus",
    "bias",
    "alias",
    "progress",
    "focus",
    "rows",
    "cols",
    "columns",
    "channels",
    "threads",
    "days",
    "months",
    "years",
    "hours",
    "minutes",
    "seconds",
    "secs",
    "milliseconds",
    "microseconds",
    "nanoseconds",
    "millis",
    "micros",
    "nanos",
    "ms",
    "us",
    "ns",
    "has",
    "abs",
    "resabs",
    "rms",
    "eps",
    "fps",
    "bps",
];

/// The name is that of several values: `dims`, `panMap`, `col_perm`.
pub(super) fn names_several(argument: &Argument) -> bool {
    let last = lower_words(&argument.name).pop().unwrap_or_default();
    let is_number = is_called_number(&Argument { passed: Passed::Value, ..argument.clone() });
    let ends = |end: &str| last.ends_with(end);
    let is_plural =
        last.len() > 1 && ends("s") && !ends("ss") && !ends("is") && !ONE.contains(&last.as_str());
    ARRAYS.contains(&last.as_str()) || is_plural && !is_number || is_array_of(&argument.name)
}

/// A name in Hungarian notation for a pointer to an array: `panMap`, `padfX`.
fn is_array_of(name: &str) -> bool {
    name.strip_prefix("pa").is_some_and(|rest| {
        let kind = rest.find(|c: char| !c.is_ascii_lowercase()).unwrap_or_default();
        (1..=3).contains(&kind) && rest[kind..].starts_with(|c: char| c.is_ascii_uppercase())
    })
}

/// True for a pointer to an integer in which C returns a length.
pub(super) fn is_length_argument(argument: &Argument) -> bool {
    argument.passed == Passed::Pointer
        && !argument.is_const
        && argument.shape.is_none()
        && argument.scalar().is_some_and(Scalar::is_integer)
        && ["len", "length", "size", "_sz", "count", "bytes"]
            .iter()
            .any(|word| argument.lower.trim_matches('_').ends_with(word))
}

/// True if `count` is the name of the length of something called `array`.
pub(super) fn counts_by_name(count: &str, array: &str) -> bool {
    let stem = |rest: &str| rest.trim_matches('_') == array;
    PREFIXES.iter().any(|prefix| count.strip_prefix(prefix).is_some_and(stem))
        || SUFFIXES.iter().any(|suffix| count.strip_suffix(suffix).is_some_and(stem))
}

/// True for an integer that has been assigned to an array as its size.
pub(super) fn is_size(arguments: &[Argument], name: &str) -> bool {
    arguments.iter().flat_map(|argument| argument.shape.iter().flatten()).any(|size| size == name)
}

/// True if another integer than this one is named as a size, and is not assigned yet: `frame_size`.
pub(super) fn has_other_length(arguments: &[Argument], count: usize) -> bool {
    let mut others = arguments.iter().enumerate().filter(|(index, _)| *index != count);
    others.any(|(_, other)| is_free_size(arguments, other))
}

/// True for an integer that is named as a size, and is not assigned yet.
pub(super) fn is_free_size(arguments: &[Argument], count: &Argument) -> bool {
    is_called_size(count) && count.intent.is_none() && !is_size(arguments, &count.name)
}

/// True for an integer with a name such as `nbins`, `frame_size` or `numPoints`.
pub(super) fn is_called_size(count: &Argument) -> bool {
    let last = lower_words(&count.name).pop().unwrap_or_default();
    is_called_number(count)
        || count.is_count() && (is_plain(count) || SIZES.contains(&last.as_str()))
}

/// True for an integer that counts frames of sound or video: an array of them has a value for each of several channels.
pub(super) fn counts_frames(count: &Argument) -> bool {
    lower_words(&count.name).pop().is_some_and(|last| matches!(last.as_str(), "frames" | "nframes"))
}

/// True for an integer with a name such as `nbins` or `numPoints`. A `frame_size` may be that of
/// each of several channels; a number of bins is the total.
pub(super) fn is_called_number(count: &Argument) -> bool {
    let words = lower_words(&count.name);
    let first = words.first().map_or("", String::as_str);
    let name = count.lower.trim_matches('_');
    // But `node`, `name` and `next` are words of their own.
    let follows_n = name.strip_prefix('n').is_some_and(|rest| {
        rest.starts_with(|c: char| c.is_ascii_alphabetic() && !"aeiou".contains(c))
            && !matches!(rest, "s" | "th" | "ull" | "fd")
    });
    let is_number = words.len() > 1 && matches!(first, "n" | "num" | "nb" | "nr" | "no");
    count.is_count() && (follows_n || is_number)
}
