//! Matrices and grids, by the names of their sizes.
//!
//! Purpose: find the shapes of arrays in functions with rows and columns, or with a size for each axis.
//! Invariant: nothing is a matrix if there is a third size: of a volume, or of an image with channels.
//! Reason: with a shape that is too small, C writes beyond the array.

use super::argument::Argument;
use super::counts::fill_or_change;
use super::sizes::{is_free_size, is_memory};

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

/// Names of a third size next to rows and columns.
const THIRD: &[&str] = &[
    "c",
    "channels",
    "nchannels",
    "depth",
    "d",
    "bands",
    "planes",
    "layers",
    "slices",
    "batch",
    "z",
    "components",
];

/// Names of matrices in functions that have `m` and `n`.
const MATRICES: &[&str] = &["a", "mat", "matrix", "img", "image", "table"];

/// Guesses the shapes of matrices, with rows and columns, or with `m` and `n`.
pub(super) fn apply(arguments: &mut [Argument], remarks: &mut Vec<String>) {
    let pair = |(rows, columns): &(&str, &str)| {
        count_named(arguments, rows).zip(count_named(arguments, columns))
    };
    if let Some((rows, columns)) = TABLES.iter().find_map(pair) {
        // Images with channels, and volumes.
        let is_third = |(index, one): (usize, &Argument)| {
            let is_number =
                one.is_count() && one.intent.is_none() && ![rows, columns].contains(&index);
            let name = one.lower.trim_matches('_');
            let is_numbered = name.starts_with('n') && name.ends_with(|c: char| c.is_ascii_digit());
            is_number && (is_free_size(arguments, one) || is_numbered || THIRD.contains(&name))
        };
        if arguments.iter().enumerate().any(is_third) {
            return;
        }
        let shape = [arguments[rows].name.clone(), arguments[columns].name.clone()];
        for argument in arguments.iter_mut().filter(|one| one.is_open() && !is_memory(one)) {
            remarks.push(format!(
                "`{}` is a matrix of `{}` rows and `{}` columns in row-major order",
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
    // `a, n, b, m`: each follows its array.
    if m.abs_diff(n) != 1 {
        return;
    }
    let is_matrix =
        |argument: &Argument| argument.is_open() && MATRICES.contains(&argument.lower.as_str());
    let Some(matrix) = arguments.iter().position(is_matrix) else { return };
    let (m, n) = (arguments[m].name.clone(), arguments[n].name.clone());
    remarks.push(format!(
        "`{}` is a matrix of `{m}` by `{n}` in row-major order",
        arguments[matrix].name
    ));
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

/// `double *x, int nx, int ny`: the values on a grid, since no array has the name of the other axis.
pub(super) fn is_on_grid(arguments: &[Argument], name: &str) -> bool {
    const AXES: [&str; 3] = ["x", "y", "z"];
    let is_given = |axis: &str| arguments.iter().any(|one| one.lower == axis);
    AXES.contains(&name)
        && AXES.iter().any(|axis| {
            !is_given(axis)
                && [format!("n{axis}"), format!("n_{axis}")]
                    .iter()
                    .any(|count| count_named(arguments, count).is_some())
        })
}

fn count_named(arguments: &[Argument], name: &str) -> Option<usize> {
    arguments.iter().position(|argument| argument.is_count() && argument.lower == name)
}
