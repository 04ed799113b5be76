//! Loops that fold: several accumulators in parallel, so that no addition waits for the previous
//! one, and sums have about the rounding error of pairwise summation.
//!
//! Each lane is an independent chain, so that compilers can vectorise over lanes whatever the
//! reduction (runtime/README.md has the measurements).

use fishplate_emit::Body as Text;
use fishplate_graph::{DType, Reduction};

use crate::ctype::{c_type, limits};
use crate::helpers::{Helpers, helper_name};

const LANES: usize = 32;

/// A fold: its number, the reduction, and the dtype of the values.
pub type Folded = (usize, Reduction, DType);

/// The initial value of a reduction.
pub fn identity(reduction: Reduction, dtype: DType) -> String {
    match reduction {
        Reduction::Sum | Reduction::Any => "0".to_owned(),
        Reduction::Prod | Reduction::All => "1".to_owned(),
        Reduction::Min | Reduction::Argmin => limits(dtype).1,
        Reduction::Max | Reduction::Supremum | Reduction::Argmax => limits(dtype).0,
    }
}

/// The type of an accumulator of values of a dtype.
pub fn state_type(reduction: Reduction, dtype: DType) -> &'static str {
    match reduction {
        Reduction::Any | Reduction::All => "unsigned char",
        _ => c_type(dtype),
    }
}

/// Requests the helpers that `accumulate` calls.
pub fn request_helpers(reduction: Reduction, dtype: DType, helpers: &mut Helpers) {
    if reduction == Reduction::Prod && dtype.is_complex() {
        helpers.request("multiply", dtype);
    }
}

/// The statement that folds a value `v` into `into`; NaN is preserved. Calls the helpers of `ask`.
pub fn accumulate(reduction: Reduction, into: &str, v: &str, dtype: DType) -> String {
    let c = c_type(dtype);
    let nan = if dtype.is_float() { format!(" || {into} != {into}") } else { String::new() };
    match reduction {
        Reduction::Sum => format!("{into} = ({c})({into} + {v});"),
        Reduction::Prod if dtype.is_complex() => {
            format!("{into} = {}({into}, {v});", helper_name("multiply", dtype))
        }
        Reduction::Prod => format!("{into} = ({c})({into} * {v});"),
        Reduction::Any => format!("{into} |= {v} != 0;"),
        Reduction::All => format!("{into} &= {v} != 0;"),
        Reduction::Min | Reduction::Argmin => {
            format!("{into} = {into} <= {v}{nan} ? {into} : {v};")
        }
        Reduction::Max | Reduction::Supremum | Reduction::Argmax => {
            format!("{into} = {into} >= {v}{nan} ? {into} : {v};")
        }
    }
}

/// The same in a form for which compilers read `v` from memory once; in lanes the other is faster.
pub fn accumulate_later(reduction: Reduction, into: &str, v: &str, dtype: DType) -> String {
    let nan = if dtype.is_float() { format!(" || {v} != {v}") } else { String::new() };
    match reduction {
        Reduction::Min => format!("{into} = {v} < {into}{nan} ? {v} : {into};"),
        Reduction::Max | Reduction::Supremum => {
            format!("{into} = {v} > {into}{nan} ? {v} : {into};")
        }
        _ => accumulate(reduction, into, v, dtype),
    }
}

/// Prints the statements for the element at an index; folds by the statement for a number and a
/// value.
pub type Turn<'a> = dyn Fn(&mut Text, &str, &dyn Fn(usize, &str) -> String) + 'a;

/// Prints the loop over the elements from `from` to `to`, which leaves each fold in `r` followed by
/// its number. `turn` prints the statements for the element at an index, and folds by the statement
/// that it receives for each number.
pub fn fold(text: &mut Text, folds: &[Folded], (from, to): (&str, &str), turn: &Turn<'_>) {
    let statement = |number: usize, into: &str, v: &str| {
        let (_, reduction, dtype) = folds[number];
        accumulate(reduction, into, v, dtype)
    };
    for &(number, reduction, dtype) in folds {
        let (c, first) = (state_type(reduction, dtype), identity(reduction, dtype));
        text.line(format!("{c} r{number} = {first};"));
    }
    text.line(format!("i = {from};"));
    text.block(format!("if ({to} - {from} >= {LANES})"), |text| {
        for &(number, reduction, dtype) in folds {
            text.line(format!("{} a{number}[{LANES}];", state_type(reduction, dtype)));
        }
        text.line("int lane, half;");
        text.block(format!("for (lane = 0; lane < {LANES}; lane++)"), |text| {
            for &(number, reduction, dtype) in folds {
                text.line(format!("a{number}[lane] = {};", identity(reduction, dtype)));
            }
        });
        text.block(format!("for (; i + {LANES} <= {to}; i += {LANES})"), |text| {
            text.block(format!("for (lane = 0; lane < {LANES}; lane++)"), |text| {
                turn(text, "i + lane", &|number, v| {
                    statement(number, &format!("a{number}[lane]"), v)
                });
            });
        });
        text.line("FP_UNROLLED");
        text.block(format!("for (half = {}; half > 0; half /= 2)", LANES / 2), |text| {
            text.block("for (lane = 0; lane < half; lane++)", |text| {
                for &(number, ..) in folds {
                    let (into, v) = (format!("a{number}[lane]"), format!("a{number}[lane + half]"));
                    text.line(statement(number, &into, &v));
                }
            });
        });
        for &(number, ..) in folds {
            text.line(format!("r{number} = a{number}[0];"));
        }
    });
    text.block(format!("for (; i < {to}; i++)"), |text| {
        turn(text, "i", &|number, v| statement(number, &format!("r{number}"), v));
    });
}
