//! Loops that fold: several accumulators in parallel, so that no addition waits for the previous
//! one, and sums have about the rounding error of pairwise summation.
//!
//! Each lane is an independent chain, so that compilers can vectorise over lanes whatever the
//! reduction (runtime/README.md has the measurements).

use fishplate_emit::Body as Text;
use fishplate_graph::{DType, Reduction};

use crate::ctype::{c_type, limits};
use crate::helpers::{Helpers, helper_name};

/// The elements that are folded at once.
pub const LANES: usize = 32;

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

/// True if a value may be folded twice.
pub fn repeats(reduction: Reduction) -> bool {
    !matches!(reduction, Reduction::Sum | Reduction::Prod)
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

/// True if the NaN of a reduction is kept apart from the best number until the end. Processors have
/// an instruction for the maximum of numbers, and no branch then depends on their order.
fn keeps_nan_apart(reduction: Reduction, dtype: DType) -> bool {
    use Reduction::{Argmax, Argmin, Max, Min, Supremum};
    dtype.is_float() && matches!(reduction, Min | Max | Supremum | Argmin | Argmax)
}

/// The variables of a fold: `r0`, and `nan0` if NaN is kept apart; `place` is an index, or empty.
struct Variables {
    value: String,
    nan: Option<String>,
}

impl Variables {
    fn of(name: &str, &(number, reduction, dtype): &Folded, place: &str) -> Self {
        let apart = keeps_nan_apart(reduction, dtype);
        Self {
            value: format!("{name}{number}{place}"),
            nan: apart.then(|| format!("{name}_nan{number}{place}")),
        }
    }

    fn declare(&self, text: &mut Text, fold: &Folded) {
        let c = state_type(fold.1, fold.2);
        text.line(format!("{c} {};", self.value));
        self.nan.iter().for_each(|nan| text.line(format!("{c} {nan};")));
    }

    fn begin(&self, text: &mut Text, fold: &Folded) {
        text.line(format!("{} = {};", self.value, identity(fold.1, fold.2)));
        self.nan.iter().for_each(|nan| text.line(format!("{nan} = 0;")));
    }

    /// The statements that fold a value `v`, or `nan`, which may be a NaN that is kept apart.
    fn add(&self, fold: &Folded, v: &str, nan: &str) -> Vec<String> {
        let (into, better) = match fold.1 {
            Reduction::Min | Reduction::Argmin => (&self.value, "<"),
            _ => (&self.value, ">"),
        };
        match &self.nan {
            None => vec![accumulate(fold.1, into, v, fold.2)],
            Some(own) => vec![
                format!("{into} = {v} {better} {into} ? {v} : {into};"),
                format!("{own} = {nan} != {nan} ? {nan} : {own};"),
            ],
        }
    }

    /// Puts a NaN that was kept apart in the place of the value.
    fn end(&self, text: &mut Text) {
        if let Some(nan) = &self.nan {
            text.line(format!("{0} = {nan} != {nan} ? {nan} : {0};", self.value));
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

/// Prints the statements for the element at an index; folds by the statements for a number and a
/// value.
pub type Turn<'a> = dyn Fn(&mut Text, &str, &dyn Fn(usize, &str) -> Vec<String>) + 'a;

/// Prints the loop over the elements from `from` to `to`, which leaves each fold in `r` followed by
/// its number. `turn` prints the statements for the element at an index, and folds by the
/// statements that it receives for each number. Each block of elements begins with the lines `first`.
pub fn fold(
    text: &mut Text,
    folds: &[Folded],
    (from, to): (&str, &str),
    first: &[String],
    turn: &Turn<'_>,
) {
    for one in folds {
        let r = Variables::of("r", one, "");
        r.declare(text, one);
        r.begin(text, one);
    }
    text.line(format!("i = {from};"));
    text.block(format!("if ({to} - {from} >= {LANES})"), |text| {
        for one in folds {
            Variables::of("a", one, &format!("[{LANES}]")).declare(text, one);
        }
        text.line("int lane, half;");
        text.block(format!("for (lane = 0; lane < {LANES}; lane++)"), |text| {
            folds.iter().for_each(|one| Variables::of("a", one, "[lane]").begin(text, one));
        });
        // The last elements are folded again if that changes nothing, instead of one by one.
        let (last, again) = (format!("{to} - {LANES}"), folds.iter().all(|fold| repeats(fold.1)));
        let more = if again { format!("i < {to}") } else { format!("i <= {last}") };
        text.block(format!("for (; {more}; i += {LANES})"), |text| {
            if again {
                text.line(format!("i = i < {last} ? i : {last};"));
            }
            first.iter().for_each(|line| text.line(line));
            text.block(format!("for (lane = 0; lane < {LANES}; lane++)"), |text| {
                turn(text, "i + lane", &|number, v| {
                    Variables::of("a", &folds[number], "[lane]").add(&folds[number], v, v)
                });
            });
        });
        text.line("FP_UNROLLED");
        text.block(format!("for (half = {}; half > 0; half /= 2)", LANES / 2), |text| {
            text.block("for (lane = 0; lane < half; lane++)", |text| {
                for one in folds {
                    let other = Variables::of("a", one, "[lane + half]");
                    let nan = other.nan.as_ref().unwrap_or(&other.value);
                    let a = Variables::of("a", one, "[lane]");
                    a.add(one, &other.value, nan).iter().for_each(|line| text.line(line));
                }
            });
        });
        for one in folds {
            let (r, a) = (Variables::of("r", one, ""), Variables::of("a", one, "[0]"));
            text.line(format!("{} = {};", r.value, a.value));
            r.nan.iter().zip(&a.nan).for_each(|(r, a)| text.line(format!("{r} = {a};")));
        }
    });
    text.block(format!("for (; i < {to}; i++)"), |text| {
        turn(text, "i", &|number, v| {
            Variables::of("r", &folds[number], "").add(&folds[number], v, v)
        });
    });
    folds.iter().for_each(|one| Variables::of("r", one, "").end(text));
}
