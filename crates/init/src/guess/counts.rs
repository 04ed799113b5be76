//! Arrays and their lengths.
//!
//! Purpose: derive from names and positions which integer is the length of which pointer, and how
//! C uses pointers without a length.
//! Invariant: an array may only be longer than C assumes; if a pointer could be an array of unknown
//! length, nothing is guessed.
//! Reason: an array for a single number is harmless, the reverse is not.

use super::argument::{Argument, Of, Passed};
use super::buffers;
use super::comment::Comment;
use super::getters;
use super::sizes::{
    counts_by_name, counts_bytes, counts_frames, has_other_length, is_called_number,
    is_called_size, is_free_size, is_memory, is_one, is_plain, is_size, names_several,
};
use super::sparse;
use super::status;
use super::tables;
use super::words::{has_word, lower_words};
use fishplate_model::Scalar;

/// Names of arrays that C fills.
const FILLED: &[&str] = &["out", "output", "dst", "dest", "result", "results", "res", "ret"];

/// Names of memory whose size an algorithm defines: `encrypt(key, nonce, in, out, n)`.
const FIXED: &[&str] = &["key", "iv", "nonce", "salt", "digest", "md", "mac", "tag", "seed"];

/// Verbs of functions that read what they are passed.
const SETTERS: &[&str] = &["set", "put", "write", "reorder", "permute", "apply"];

/// Names of one number that describes many, and words of functions that compute several of them.
const STATISTICS: &[&str] = &[
    "mean", "avg", "average", "median", "mode", "sum", "total", "var", "variance", "std", "stdev",
    "stddev", "sd", "sigma", "skew", "skewness", "kurtosis", "min", "max", "minimum", "maximum",
    "minval", "maxval", "rms", "norm", "mu",
];
const SEVERAL: &[&str] = &[
    "running",
    "rolling",
    "moving",
    "cumulative",
    "each",
    "per",
    "row",
    "rows",
    "col",
    "cols",
    "column",
    "columns",
    "batch",
    "axis",
    "local",
    "windowed",
    "many",
    "all",
];

/// Guesses for the arguments of `function`.
pub(super) fn apply(
    function: &str,
    comment: &Comment,
    arguments: &mut [Argument],
    remarks: &mut Vec<String>,
) -> Result<(), String> {
    sparse::refuse(arguments)?;
    intents_of_written_shapes(arguments, remarks);
    lengths_by_name(arguments, remarks);
    last_code(arguments, remarks);
    tables::apply(arguments, remarks);
    lengths_that_follow(arguments, remarks);
    statistics(function, arguments, remarks);
    buffers::filled_lengths(arguments, remarks);
    plain_lengths(function, arguments, remarks);
    one_number(function, comment, arguments, remarks)?;
    strides(arguments, remarks);
    refuse_strides(arguments)?;
    buffers::refuse_points(arguments)?;
    buffers::refuse_capacities(arguments)?;
    buffers::refuse_conversions(function, arguments)
}

/// Arrays with shapes in the header.
fn intents_of_written_shapes(arguments: &mut [Argument], remarks: &mut Vec<String>) {
    for argument in arguments {
        if argument.shape.is_some() && !argument.is_const {
            fill_or_change(argument, remarks);
        }
    }
}

/// Sets the intent of an array that is not const.
pub(super) fn fill_or_change(argument: &mut Argument, remarks: &mut Vec<String>) {
    let name = &argument.name;
    let lower = argument.lower.trim_matches('_');
    let filled = FILLED.contains(&lower)
        || ["out_", "dst_", "dest_"].iter().any(|start| lower.starts_with(start))
        || lower.ends_with("_out");
    if filled {
        remarks.push(format!("C fills `{name}`, according to its name"));
        argument.intent = Some("out");
    } else {
        remarks.push(format!(
            "C modifies `{name}`, which is not const; write `out` if C only fills it"
        ));
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

/// `source` and `sourceLen`, `x` and `nx`, `dest` and a `destLen` that C sets.
fn lengths_by_name(arguments: &mut [Argument], remarks: &mut Vec<String>) {
    for array in 0..arguments.len() {
        if !arguments[array].is_open() {
            continue;
        }
        let name = arguments[array].lower.trim_matches('_').to_owned();
        if tables::is_on_grid(arguments, &name) {
            continue;
        }
        let counts = |other: &Argument| counts_by_name(other.lower.trim_matches('_'), &name);
        if let Some(count) = arguments.iter().position(|other| other.is_count() && counts(other)) {
            join(arguments, array, count, remarks, "according to the name of the integer");
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
                "`{length}` is the capacity of `{}` in elements, and C sets how many it filled",
                array.name
            ));
        }
    }
}

/// A return code at the end is one number, whatever lengths there are.
fn last_code(arguments: &mut [Argument], remarks: &mut Vec<String>) {
    let code = arguments.last_mut().filter(|one| one.is_open() && status::is_code(one));
    if let Some(code) = code {
        code.intent = Some("out");
        remarks.push(format!("`{}` is one number that C writes", code.name));
    }
}

/// `counts, size_t nbins`: a directly following length takes precedence over a distant `n`.
fn lengths_that_follow(arguments: &mut [Argument], remarks: &mut Vec<String>) {
    for array in 0..arguments.len() {
        let count = array + 1;
        let is_table = arguments.get(array + 2).is_some_and(|next| is_free_size(arguments, next));
        let follows = arguments.get(count).is_some_and(|next| {
            let is_plain = is_plain(next);
            let is_of_other = arguments.iter().any(|other| {
                counts_by_name(next.lower.trim_matches('_'), other.lower.trim_matches('_'))
            });
            is_called_number(next)
                && is_free_size(arguments, next)
                && !is_plain
                && !is_of_other
                && !counts_frames(next)
        });
        if follows && !is_table && arguments[array].is_open() && !is_memory(&arguments[array]) {
            let why = format!("because the integer `{}` follows it", arguments[count].name);
            join(arguments, array, count, remarks, &why);
        }
    }
}

/// `x, n, mean, var`: of the one array that the one integer counts.
fn statistics(function: &str, arguments: &mut [Argument], remarks: &mut Vec<String>) {
    let numbers = arguments.iter().filter(|argument| argument.passed == Passed::Value);
    let [count] = numbers.collect::<Vec<_>>()[..] else { return };
    let is_plain = count.is_count() && is_plain(count);
    let has_data = arguments.iter().any(|argument| argument.is_const && argument.is_open());
    if !is_plain
        || !has_data
        || lower_words(function).iter().any(|word| SEVERAL.contains(&word.as_str()))
    {
        return;
    }
    for argument in arguments.iter_mut().filter(|one| one.is_open() && !one.is_const) {
        let words = lower_words(&argument.name);
        let words: Vec<&str> =
            words.iter().map(String::as_str).filter(|word| *word != "out").collect();
        if argument.scalar().is_some() && matches!(words[..], [word] if STATISTICS.contains(&word))
        {
            argument.intent = Some("out");
            remarks.push(format!(
                "`{}` is one number that C writes, according to its name",
                argument.name
            ));
        }
    }
}

/// `n` is the length of all; of several such, the nearest.
fn plain_lengths(function: &str, arguments: &mut [Argument], remarks: &mut Vec<String>) {
    let gets = has_word(function, &["get"]);
    let is_plain =
        |argument: &Argument| argument.is_count() && (is_plain(argument) || argument.lower == "m");
    let mut counts: Vec<usize> =
        (0..arguments.len()).filter(|index| is_plain(&arguments[*index])).collect();
    if counts.is_empty() {
        // `const uint8_t *data, size_t bytes`
        let sized = |index: &usize| {
            arguments[*index].is_count()
                && arguments[*index].scalar() == Some(Scalar::Size)
                && !counts_frames(&arguments[*index])
                && !is_of_another(arguments, *index)
                && index.checked_sub(1).is_some_and(|before| arguments[before].is_open())
        };
        counts = (0..arguments.len()).filter(sized).collect();
    }
    for array in 0..arguments.len() {
        if !arguments[array].is_open() {
            continue;
        }
        let (count, side) = match counts.as_slice() {
            [only] => (*only, if *only > array { "follows" } else { "precedes" }),
            _ => match nearest(arguments, &counts, array) {
                Some(found) => found,
                None => continue,
            },
        };
        let is_beside = array.abs_diff(count) == 1;
        let is_own = is_beside && !is_size(arguments, &arguments[count].name);
        // The integer after it may be its own length, or one of several.
        let is_followed = count < array
            && arguments.get(array + 1).is_some_and(|next| is_free_size(arguments, next));
        let is_fixed = FIXED.contains(&arguments[array].lower.trim_matches('_'));
        if is_lone_struct(arguments, array, count)
            || is_fixed && !is_own
            // `get_ordinate(s, index, dim, double *value)`
            || gets && count < array && is_one(&arguments[array])
            || !is_own && has_other_length(arguments, count)
            || is_followed
        {
            continue;
        }
        // The elements of two buffers may differ in size, as those of a conversion do.
        let is_of_void = |one: &&Argument| one.of == Of::Void;
        let is_conversion = arguments.iter().filter(is_of_void).count() > 1
            && arguments[count].scalar() != Some(Scalar::Size);
        if is_memory(&arguments[array])
            && (counts.len() > 1
                || is_conversion
                || !counts_bytes(&arguments[array], &arguments[count]))
        {
            continue;
        }
        let why = format!("because the integer `{}` {side} it", arguments[count].name);
        join(arguments, array, count, remarks, &why);
    }
}

/// `int *flags, size_t namelen, char *name`: by its name, the length of another argument than the one before it.
fn is_of_another(arguments: &[Argument], count: usize) -> bool {
    let length = arguments[count].lower.trim_matches('_');
    let is_of = |one: &Argument| counts_by_name(length, one.lower.trim_matches('_'));
    let before = count.checked_sub(1).map(|index| &arguments[index]);
    arguments.iter().any(is_of) && !before.is_some_and(is_of)
}

/// Which of several lengths is that of an array: the one after it, if arrays come first and a length last, or the one
/// before it, if it is the other way round. Of lengths that follow each other, `int m, int n`, each may be it.
fn nearest(
    arguments: &[Argument],
    counts: &[usize],
    array: usize,
) -> Option<(usize, &'static str)> {
    let is_array = |index: &usize| arguments[*index].is_open() || arguments[*index].shape.is_some();
    let items: Vec<usize> =
        (0..arguments.len()).filter(|index| counts.contains(index) || is_array(index)).collect();
    let is_count = |at: Option<usize>| {
        at.and_then(|at| items.get(at)).is_some_and(|index| counts.contains(index))
    };
    let at = items.iter().position(|index| *index == array)?;
    let (found, side) = match (is_count(Some(0)), is_count(items.len().checked_sub(1))) {
        (false, true) => ((at..items.len()).find(|at| is_count(Some(*at)))?, "follows"),
        (true, false) => ((0..at).rev().find(|at| is_count(Some(*at)))?, "precedes"),
        _ => return None,
    };
    let is_alone = !is_count(found.checked_sub(1)) && !is_count(Some(found + 1));
    is_alone.then_some((items[found], side))
}

/// True for a struct that may be a single one: the integer is neither next to it nor next to one of
/// its type.
fn is_lone_struct(arguments: &[Argument], index: usize, count: usize) -> bool {
    let one = &arguments[index];
    let is_next = |(at, other): (usize, &Argument)| {
        let is_kind = other.of == Of::Struct && other.spelling == one.spelling;
        is_kind && other.passed == Passed::Pointer && at.abs_diff(count) == 1
    };
    one.of == Of::Struct && !arguments.iter().enumerate().any(is_next)
}

/// An integer called a stride after a vector: C uses the vector in place.
fn strides(arguments: &mut [Argument], remarks: &mut Vec<String>) {
    for at in 1..arguments.len() {
        let (vector, stride) = (&arguments[at - 1], &arguments[at]);
        let named = stride.is_count() && stride.lower.contains("stride");
        if named && vector.shape.as_ref().is_some_and(|shape| shape.len() == 1) {
            let (vector, name) = (vector.name.clone(), stride.name.clone());
            remarks.push(format!("`{name}` is the stride of `{vector}` in elements"));
            arguments[at].hide(format!("stride({vector})"));
        }
    }
}

/// Another stride could lead beyond an array: `double *x, size_t sx, size_t nx`.
fn refuse_strides(arguments: &[Argument]) -> Result<(), String> {
    const STRIDES: &[&str] = &["stride", "pitch", "rowbytes", "linesize", "bytesperline"];
    for stride in arguments.iter().filter(|one| one.is_count() && one.value.is_none()) {
        let name = stride.lower.replace('_', "");
        let is_of = |array: &&Argument| {
            let is_named = stride.lower.strip_prefix('s') == Some(array.lower.as_str());
            let is_stride = is_named || STRIDES.iter().any(|word| name.contains(word));
            array.shape.is_some() && array.name != stride.name && is_stride
        };
        if let Some(array) = arguments.iter().find(is_of) {
            let (stride, array) = (&stride.name, &array.name);
            return Err(format!("`{stride}` may be the stride of `{array}`"));
        }
    }
    Ok(())
}

/// A pointer called `n` or `count`: to one integer, which C sets.
fn is_count_argument(argument: &Argument) -> bool {
    let is_integer = argument.scalar().is_some_and(Scalar::is_integer);
    is_integer && is_plain(argument)
}

/// `int *nparts`, which C reads.
fn is_called_size_by_pointer(argument: &Argument) -> bool {
    argument.is_open() && is_called_size(&Argument { passed: Passed::Value, ..argument.clone() })
}

/// Pointers without a length: one number each, if C sets them and no integer could be their length
/// by another name.
fn one_number(
    function: &str,
    comment: &Comment,
    arguments: &mut [Argument],
    remarks: &mut Vec<String>,
) -> Result<(), String> {
    let used: Vec<&String> =
        arguments.iter().flat_map(|argument| argument.shape.iter().flatten()).collect();
    let counts_unknown =
        arguments.iter().any(|argument| argument.is_count() && !used.contains(&&argument.name));
    if let Some(memory) = arguments.iter().find(|one| one.is_open() && is_memory(one)) {
        let name = &memory.name;
        return Err(match memory.of {
            Of::Room => format!("the parameter `{name}` is a string buffer with no known size"),
            _ => format!("`{name}` is a `void` pointer"),
        });
    }
    // An object or a callback may contain a length.
    let knows = |one: &Argument| matches!(one.of, Of::Handle(_) | Of::Callback);
    let has_inputs = arguments.iter().any(|argument| !argument.is_open());
    // If every argument is a pointer, as in Fortran, sizes are too.
    let is_counted_by_pointer = !has_inputs && arguments.iter().any(is_called_size_by_pointer);
    let is_known_elsewhere = arguments.iter().any(knows);
    let reads = has_word(function, SETTERS);
    let unknown = arguments.iter().find(|argument| {
        let is_one = is_one(argument) || getters::sets_one(function, comment, argument, arguments);
        let like_array = names_several(argument) || is_known_elsewhere && !is_one;
        argument.is_open()
            && argument.of != Of::Struct
            && (argument.is_const
                || reads
                || like_array
                || counts_unknown && !is_count_argument(argument)
                || buffers::is_of_unknown_size(argument)
                || is_counted_by_pointer && !is_called_size_by_pointer(argument)
                || !has_inputs && !is_one)
    });
    if let Some(unknown) = unknown {
        return Err(format!("the parameter `{}` has no known length", unknown.name));
    }
    for argument in arguments.iter_mut().filter(|argument| argument.is_open()) {
        if argument.of == Of::Struct {
            remarks.push(format!("`{}` is one struct, not an array of structs", argument.name));
            if !argument.is_const && getters::fills(function, comment, argument) {
                remarks.push(format!("C only sets `{}`", argument.name));
                argument.intent = Some("out");
            } else if !argument.is_const {
                fill_or_change(argument, remarks);
            }
        } else if has_inputs {
            argument.intent = Some("out");
            remarks.push(format!("`{}` is one number that C writes", argument.name));
        } else {
            argument.intent = Some("in out");
            remarks.push(format!("`{}` is one number that C reads and writes", argument.name));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::guess::tests::{left_out, proto};

    #[test]
    fn each_array_has_the_length_on_its_side() {
        for (function, guessed) in [
            (
                "double f(const double *a, size_t n, const double *b, size_t m);",
                "double f(const double a[n], size_t n, const double b[m], size_t m)",
            ),
            (
                "void f(int n, const double *x, const double *y, int m, const double *z);",
                "void f(int n, const double x[n], const double y[n], int m, const double z[m])",
            ),
            (
                "void f(const double *x, int n, const double *y, const double *z, int m);",
                "void f(const double x[n], int n, const double y[m], const double z[m], int m)",
            ),
        ] {
            assert_eq!(proto(function), guessed);
        }
        for (function, name) in [
            ("int f(int m, int n, double *x, double *y);", "x"),
            ("void f(int n, const double *x, int m);", "x"),
            ("void f(const unsigned char *key, const unsigned char *in, size_t n);", "key"),
            ("void f(const double *a, size_t n, const double *b, size_t m, double *out);", "a"),
        ] {
            assert_eq!(left_out(function), format!("the parameter `{name}` has no known length"));
        }
    }

    #[test]
    fn pointers_to_integers_may_be_arrays() {
        const TABLE: &str =
            "typedef struct table table; table *table_new(void); void table_free(table *t); ";
        for (function, guessed) in [
            ("int table_get_flags(const table *t, int *flags);", "out int *flags"),
            (
                "int table_get_size(const table *t, int *nrows, int *ncols);",
                "out int *nrows, out int *ncols",
            ),
            ("int table_find(const table *t, const char *key, int *index);", "out int *index"),
        ] {
            assert!(proto(&format!("{TABLE}{function}")).contains(guessed), "{function}");
        }
        for (function, name) in [
            ("int table_get_dims(const table *t, int *dims);", "dims"),
            ("int table_indices(const table *t, int *colIndices);", "colIndices"),
            ("int table_order(const table *t, int *col_perm);", "col_perm"),
            ("int table_read(const table *t, int *panMap);", "panMap"),
            ("int table_set_order(table *t, int *order);", "order"),
            ("int table_reorder(table *t, int *by);", "by"),
        ] {
            let reason = format!("the parameter `{name}` has no known length");
            assert_eq!(left_out(&format!("{TABLE}{function}")), reason);
        }
    }

    #[test]
    fn strides_could_lead_beyond_arrays() {
        for (function, reason) in [
            ("int move(double *x, size_t sx, size_t nx);", "`sx` may be the stride of `x`"),
            (
                "int draw(const unsigned char *pixels, size_t size, int row_bytes);",
                "`row_bytes` may be the stride of `pixels`",
            ),
        ] {
            assert_eq!(left_out(function), reason);
        }
    }
}
