//! Arrays and the integers that count them.
//!
//! Purpose: from names and from what stands side by side, which integer is the length of which
//! pointer, and what C does with pointers that nothing counts.
//! Invariant: only an array may be longer than C thinks; where a pointer could be an array of
//! unknown length, there is no guess.
//! Reason: an array where C wants one number is harmless, the reverse is not.

use super::argument::{Argument, Of, Passed};
use super::words::lower_words;
use fishplate_model::Scalar;

/// Names of an integer that counts whatever is there to count.
const PLAIN: &[&str] = &[
    "n",
    "len",
    "length",
    "size",
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
    "sz",
    "dim",
];

/// What is before or behind an array's own name in the name of its length.
const PREFIXES: &[&str] = &["n_", "num_", "len_", "size_", "count_", "num", "len", "n"];
const SUFFIXES: &[&str] = &[
    "_len", "_length", "_size", "_count", "_num", "_n", "_elems", "len", "length", "size", "count",
    "capacity", "_cap", "_max", "bytes",
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

/// Names of the sizes of a table: rows and columns.
const TABLES: &[(&str, &str)] = &[
    ("rows", "cols"),
    ("rows", "columns"),
    ("nrows", "ncols"),
    ("n_rows", "n_cols"),
    ("num_rows", "num_cols"),
    ("nr", "nc"),
    ("height", "width"),
    ("h", "w"),
    ("ny", "nx"),
];

/// Names of matrices in functions that have `m` and `n`.
const MATRICES: &[&str] = &["a", "mat", "matrix", "img", "image", "table"];

/// Names of arrays that C fills.
const FILLED: &[&str] = &["out", "output", "dst", "dest", "result", "results", "res", "ret"];

/// Names of pointers that are hardly to one number.
const ARRAYS: &[&str] = &[
    "buf", "buffer", "arr", "array", "data", "vec", "vector", "mat", "matrix", "work", "values",
    "p", "ptr", "param", "params", "coef", "coeffs", "state",
];

/// Names of pointers to one number, even where something knows of more.
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

pub(super) fn apply(arguments: &mut [Argument], remarks: &mut Vec<String>) -> Result<(), String> {
    intents_of_written_shapes(arguments, remarks);
    lengths_by_name(arguments, remarks);
    tables(arguments, remarks);
    plain_lengths(arguments, remarks);
    one_number(arguments, remarks)?;
    strides(arguments, remarks);
    Ok(())
}

/// Arrays whose shapes the header has.
fn intents_of_written_shapes(arguments: &mut [Argument], remarks: &mut Vec<String>) {
    for argument in arguments {
        if argument.shape.is_some() && !argument.is_const {
            fill_or_change(argument, remarks);
        }
    }
}

/// Says what C does to an array that is not const.
fn fill_or_change(argument: &mut Argument, remarks: &mut Vec<String>) {
    let name = &argument.name;
    let lower = argument.lower.trim_matches('_');
    let filled = FILLED.contains(&lower)
        || ["out_", "dst_", "dest_"].iter().any(|start| lower.starts_with(start))
        || lower.ends_with("_out");
    if filled {
        remarks.push(format!("C fills `{name}`, as its name says"));
        argument.intent = Some("out");
    } else {
        remarks.push(format!("C changes `{name}`, as it is not const; `out` if C only fills it"));
        argument.intent = Some("inplace");
    }
}

/// Makes `arguments[array]` an array of `arguments[count]` elements.
fn join(
    arguments: &mut [Argument],
    array: usize,
    count: usize,
    remarks: &mut Vec<String>,
    why: &str,
) {
    let length = arguments[count].name.clone();
    let array = &mut arguments[array];
    remarks.push(format!("`{}` is an array of `{length}` elements, {why}", array.name));
    array.shape = Some(vec![length]);
    if !array.is_const && !is_memory(array) {
        fill_or_change(array, remarks);
    }
}

/// Memory without a type of its own: what C does with it is guessed where texts are.
fn is_memory(argument: &Argument) -> bool {
    matches!(argument.of, Of::Void | Of::Room)
}

/// True for an integer that hardly counts elements of a size that nobody knows.
fn counts_bytes(memory: &Argument, count: &Argument) -> bool {
    let name = count.lower.trim_matches('_');
    let is_vague = memory.of == Of::Void && matches!(name, "n" | "m");
    !ELEMENTS.contains(&name) && (!is_vague || count.scalar() == Some(Scalar::Size))
}

/// The index of the integer that by its name is the length of what has this name.
pub(super) fn length_of(arguments: &[Argument], name: &str) -> Option<usize> {
    let name = name.trim_matches('_');
    arguments.iter().position(|other| {
        other.is_count()
            && other.intent.is_none()
            && counts_by_name(other.lower.trim_matches('_'), name)
    })
}

/// True for the name of an integer that counts whatever is beside it.
pub(super) fn is_plain_length(argument: &Argument) -> bool {
    let name = argument.lower.trim_matches('_');
    argument.is_count()
        && (PLAIN.contains(&name) || matches!(name, "nbyte" | "nbytes" | "bytes" | "m"))
}

/// True for a pointer that is hardly to an array, by its type or its name.
pub(super) fn is_one(argument: &Argument) -> bool {
    argument.scalar().is_some_and(|scalar| scalar.is_integer() && scalar.size() > 1)
        || NUMBERS.contains(&argument.lower.trim_matches('_'))
}

/// True for a pointer to an integer where C says how long something is.
pub(super) fn is_told_length(argument: &Argument) -> bool {
    argument.passed == Passed::Pointer
        && !argument.is_const
        && argument.shape.is_none()
        && argument.scalar().is_some_and(Scalar::is_integer)
        && ["len", "length", "size", "count", "bytes"]
            .iter()
            .any(|word| argument.lower.trim_matches('_').ends_with(word))
}

/// `source` and `sourceLen`, `x` and `nx`, `dest` and a `destLen` that C sets.
fn lengths_by_name(arguments: &mut [Argument], remarks: &mut Vec<String>) {
    for array in 0..arguments.len() {
        if !arguments[array].is_open() {
            continue;
        }
        let name = arguments[array].lower.trim_matches('_').to_owned();
        let counts = |other: &Argument| counts_by_name(other.lower.trim_matches('_'), &name);
        if let Some(count) = arguments.iter().position(|other| other.is_count() && counts(other)) {
            join(arguments, array, count, remarks, "after the name of the integer");
            continue;
        }
        let room = arguments.iter().position(|other| {
            other.passed == Passed::Pointer
                && other.scalar().is_some_and(Scalar::is_integer)
                && !other.is_const
                && other.shape.is_none()
                && counts(other)
        });
        if let (Some(room), false) = (room, arguments[array].is_const) {
            arguments[room].intent = Some("in out");
            let length = arguments[room].name.clone();
            let array = &mut arguments[array];
            array.array([length.clone()], "out");
            remarks.push(format!(
                "`{length}` says how many elements `{}` has room for, and C sets how many it filled",
                array.name
            ));
        }
    }
}

/// True where `count` is the name of the length of something called `array`.
fn counts_by_name(count: &str, array: &str) -> bool {
    let stem = |rest: &str| rest.trim_matches('_') == array;
    PREFIXES.iter().any(|prefix| count.strip_prefix(prefix).is_some_and(stem))
        || SUFFIXES.iter().any(|suffix| count.strip_suffix(suffix).is_some_and(stem))
}

fn count_named(arguments: &[Argument], name: &str) -> Option<usize> {
    arguments.iter().position(|argument| argument.is_count() && argument.lower == name)
}

/// Rows and columns.
fn tables(arguments: &mut [Argument], remarks: &mut Vec<String>) {
    let pair = |(rows, columns): &(&str, &str)| {
        count_named(arguments, rows).zip(count_named(arguments, columns))
    };
    if let Some((rows, columns)) = TABLES.iter().find_map(pair) {
        let shape = [arguments[rows].name.clone(), arguments[columns].name.clone()];
        for argument in arguments.iter_mut().filter(|argument| argument.is_open()) {
            remarks.push(format!(
                "`{}` is a table of `{}` rows and `{}` columns, row by row",
                argument.name, shape[0], shape[1]
            ));
            argument.shape = Some(shape.to_vec());
            if !argument.is_const {
                fill_or_change(argument, remarks);
            }
        }
        return;
    }
    let Some((m, n)) = count_named(arguments, "m").zip(count_named(arguments, "n")) else { return };
    let is_matrix =
        |argument: &Argument| argument.is_open() && MATRICES.contains(&argument.lower.as_str());
    let Some(matrix) = arguments.iter().position(is_matrix) else { return };
    let (m, n) = (arguments[m].name.clone(), arguments[n].name.clone());
    remarks.push(format!("`{}` is a matrix of `{m}` by `{n}`, row by row", arguments[matrix].name));
    arguments[matrix].array([m.clone(), n.clone()], "inplace");
    // A matrix times a vector of its columns is a vector of its rows.
    for vector in arguments.iter_mut().filter(|argument| argument.is_open()) {
        let length = if vector.is_const { &n } else { &m };
        remarks.push(format!("`{}` is a vector of `{length}` elements", vector.name));
        vector.shape = Some(vec![length.clone()]);
        if !vector.is_const {
            fill_or_change(vector, remarks);
        }
    }
}

/// `n` counts everything; of several such, the nearest.
fn plain_lengths(arguments: &mut [Argument], remarks: &mut Vec<String>) {
    let is_plain = |argument: &Argument| {
        argument.is_count()
            && (PLAIN.contains(&argument.lower.trim_matches('_')) || argument.lower == "m")
    };
    let mut counts: Vec<usize> =
        (0..arguments.len()).filter(|index| is_plain(&arguments[*index])).collect();
    if counts.is_empty() {
        // `const uint8_t *data, size_t bytes`
        let sized = |index: &usize| {
            arguments[*index].is_count()
                && arguments[*index].scalar() == Some(Scalar::Size)
                && index.checked_sub(1).is_some_and(|before| arguments[before].is_open())
        };
        counts = (0..arguments.len()).filter(sized).collect();
    }
    for array in 0..arguments.len() {
        if !arguments[array].is_open() {
            continue;
        }
        let after = counts.iter().find(|count| **count > array);
        let before = counts.iter().rev().find(|count| **count < array);
        let (count, side) = match (counts.as_slice(), after, before) {
            ([], ..) => return,
            ([only], Some(_), _) => (*only, "after"),
            ([only], ..) => (*only, "before"),
            (_, Some(after), Some(before)) if array - before < after - array => (*before, "before"),
            (_, Some(after), _) => (*after, "after"),
            (_, None, Some(before)) => (*before, "before"),
            _ => return,
        };
        let is_beside = array.abs_diff(count) == 1;
        let is_own = is_beside && !is_size(arguments, &arguments[count].name);
        if !is_beside && arguments[array].of == Of::Struct
            || !is_own && has_other_length(arguments, count)
        {
            continue;
        }
        if is_memory(&arguments[array])
            && (counts.len() > 1 || !counts_bytes(&arguments[array], &arguments[count]))
        {
            continue;
        }
        let why = format!("as `{}` is an integer {side} it", arguments[count].name);
        join(arguments, array, count, remarks, &why);
    }
}

/// True for an integer that is the size of an array by now.
fn is_size(arguments: &[Argument], name: &str) -> bool {
    arguments.iter().flat_map(|argument| argument.shape.iter().flatten()).any(|size| size == name)
}

/// True where another integer than this one is called a length, and is that of nothing yet: `frame_size`.
fn has_other_length(arguments: &[Argument], count: usize) -> bool {
    arguments.iter().enumerate().any(|(index, other)| {
        let last = lower_words(&other.name).pop().unwrap_or_default();
        index != count
            && other.is_count()
            && other.intent.is_none()
            && matches!(last.as_str(), "size" | "len" | "length" | "count" | "num" | "capacity")
            && !is_size(arguments, &other.name)
    })
}

/// An integer called a stride behind a vector: C takes the vector as it lies.
fn strides(arguments: &mut [Argument], remarks: &mut Vec<String>) {
    for at in 1..arguments.len() {
        let (vector, stride) = (&arguments[at - 1], &arguments[at]);
        let named = stride.is_count() && stride.lower.contains("stride");
        if named && vector.shape.as_ref().is_some_and(|shape| shape.len() == 1) {
            let (vector, name) = (vector.name.clone(), stride.name.clone());
            remarks.push(format!("`{name}` is how many elements `{vector}` lies apart"));
            arguments[at].hide(format!("stride({vector})"));
        }
    }
}

/// Pointers that nothing counts: one number each, if C sets them and there is no integer that could
/// be their length by another name.
fn one_number(arguments: &mut [Argument], remarks: &mut Vec<String>) -> Result<(), String> {
    let used: Vec<&String> =
        arguments.iter().flat_map(|argument| argument.shape.iter().flatten()).collect();
    let counts_unknown =
        arguments.iter().any(|argument| argument.is_count() && !used.contains(&&argument.name));
    if let Some(memory) = arguments.iter().find(|one| one.is_open() && is_memory(one)) {
        let name = &memory.name;
        return Err(match memory.of {
            Of::Room => format!("`{name}` is a string that C may write"),
            _ => format!("`{name}` is a `void` pointer"),
        });
    }
    // Whatever is behind a handle or a callback may know a length.
    let knows = |one: &Argument| matches!(one.of, Of::Handle(_) | Of::Callback);
    let is_known_elsewhere = arguments.iter().any(knows);
    let unknown = arguments.iter().find(|argument| {
        let name = argument.lower.trim_matches('_');
        let like_array = ARRAYS.contains(&name) || is_known_elsewhere && !is_one(argument);
        argument.is_open()
            && argument.of != Of::Struct
            && (argument.is_const || like_array || counts_unknown)
    });
    if let Some(unknown) = unknown {
        return Err(format!("nothing tells how long `{}` is", unknown.name));
    }
    let has_inputs = arguments.iter().any(|argument| !argument.is_open());
    for argument in arguments.iter_mut().filter(|argument| argument.is_open()) {
        if argument.of == Of::Struct {
            if !argument.is_const {
                fill_or_change(argument, remarks);
            }
        } else if has_inputs {
            argument.intent = Some("out");
            remarks.push(format!("`{}` is one number that C sets", argument.name));
        } else {
            argument.intent = Some("in out");
            remarks.push(format!("`{}` is one number that C reads and sets", argument.name));
        }
    }
    Ok(())
}
