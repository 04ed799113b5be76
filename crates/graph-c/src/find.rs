//! Loops that find the index of a value, in vectors.
//!
//! Lanes are counted in integers as large as the elements, so that vectors have as many of both.

use fishplate_emit::Body as Text;
use fishplate_graph::{DType, Reduction};

use crate::body;
use crate::ctype::c_type;
use crate::fold::{Fold, finds};
use crate::lanes::{LANES, accumulate_later, repeats};

/// The integer for lanes of a dtype.
fn lane_type(dtype: DType) -> &'static str {
    match dtype.size() {
        1 => "signed char",
        2 => "short",
        4 => "int",
        _ => "fp_int64",
    }
}

/// The condition that a value replaces the best one: it is better, or the first NaN. It has no
/// branches, so that it can be computed in vectors.
pub fn is_better(reduction: Reduction, dtype: DType, v: &str, best: &str) -> String {
    let better = if reduction == Reduction::Argmin { "<" } else { ">" };
    if dtype.is_float() {
        format!("({best} == {best}) & (({v} {better} {best}) | ({v} != {v}))")
    } else {
        format!("{v} {better} {best}")
    }
}

/// Sets `i` to the first element from `from` on that is equal to `r` followed by `k`, or to the
/// first NaN. There is one before `to`. In vectors, first some lanes are found that have it.
pub fn search(fold: &Fold<'_>, text: &mut Text, k: usize, v: &str, dtype: DType) {
    let integer = lane_type(dtype);
    let is_number = if dtype.is_float() { format!("r{k} == r{k} && ") } else { String::new() };
    let lanes = |text: &mut Text, count: usize, result: &str, of_lane: &[String]| {
        let head = format!("for (; {is_number}i <= to - {count}; i += {count})");
        text.open(&head);
        text.line(format!("{integer} lane, {result};"));
        text.block(format!("for (lane = 0; lane < {count}; lane++)"), |text| {
            fold.turn(text, "i + lane");
            of_lane.iter().for_each(|line| text.line(line));
        });
    };
    text.line("i = from;");
    lanes(text, 2 * LANES, "found = 0", &[format!("found |= {v} == r{k} ? -1 : 0;")]);
    text.block("if (found)", |text| text.line("break;"));
    text.close();
    let here = format!("const {integer} here = {v} == r{k} ? lane : {LANES};");
    let least = "at = here < at ? here : at;".to_owned();
    lanes(text, LANES, &format!("at = {LANES}"), &[here, least]);
    text.block(format!("if (at < {LANES})"), |text| {
        text.line("i += at;");
        text.line("break;");
    });
    text.close();
    let is_nan = if dtype.is_float() { format!(" || {v} != {v}") } else { String::new() };
    text.block("for (; i < to; i++)", |text| {
        fold.turn(text, "i");
        text.block(format!("if ({v} == r{k}{is_nan})"), |text| text.line("break;"));
    });
}

/// Folds rows into a row of states `s`, some columns at once. Leaves `i` at the first column that
/// remains.
pub fn rows(fold: &Fold<'_>, text: &mut Text) {
    let again = fold.outputs().all(|(_, reduction, ..)| repeats(reduction));
    let last = format!("n - {LANES}");
    let more = if again { "n".to_owned() } else { format!("{last} + 1") };
    text.block(format!("for (; rows > 1 && n >= {LANES} && i < {more}; i += {LANES})"), |text| {
        for (k, reduction, _, dtype) in fold.outputs() {
            text.line(format!("{} a{k}[{LANES}];", c_type(dtype)));
            if finds(reduction) {
                text.line(format!("{} at{k}[{LANES}];", lane_type(dtype)));
            }
        }
        text.line("int lane;");
        if again {
            text.line(format!("i = i < {last} ? i : {last};"));
        }
        text.block(format!("for (lane = 0; lane < {LANES}; lane++)"), |text| {
            for (k, reduction, ..) in fold.outputs() {
                text.line(format!("a{k}[lane] = s[i + lane].s{k};"));
                if finds(reduction) {
                    text.line(format!("at{k}[lane] = -1;"));
                }
            }
        });
        text.block("for (row = 0; row < rows; row++)", |text| {
            text.block(format!("for (lane = 0; lane < {LANES}; lane++)"), |text| {
                fold.element_of_row(text, "i + lane");
                for (k, reduction, arg, dtype) in fold.outputs() {
                    let (v, a) = (body::name(arg), format!("a{k}[lane]"));
                    if !finds(reduction) {
                        text.line(accumulate_later(reduction, &a, &v, dtype));
                        continue;
                    }
                    let test = is_better(reduction, dtype, &v, &a);
                    text.line(format!("const int better{k} = {test};"));
                    let integer = lane_type(dtype);
                    let at = format!("at{k}[lane]");
                    text.line(format!("{at} = better{k} ? ({integer})row : {at};"));
                    text.line(format!("{a} = better{k} ? {v} : {a};"));
                }
            });
        });
        text.block(format!("for (lane = 0; lane < {LANES}; lane++)"), |text| {
            for (k, reduction, ..) in fold.outputs() {
                text.line(format!("s[i + lane].s{k} = a{k}[lane];"));
                if finds(reduction) {
                    text.block(format!("if (at{k}[lane] >= 0)"), |text| {
                        text.line(format!("s[i + lane].at{k} = first + at{k}[lane];"));
                    });
                }
            }
        });
    });
}
