//! Arrays that functions return.
//!
//! Purpose: find the length of the array to which a returned pointer points, and the function that
//! frees it.
//! Invariant: only memory that cannot be part of something else is freed: the function takes no
//! pointers, or its comment instructs the caller to free.
//! Reason: `double *linspace(double a, double b, int n)` is as common as a parameter that C fills.

use super::argument::{Argument, Of};
use super::comment::Comment;
use super::owners;
use super::sizes;
use super::words::has_word;
use fishplate_readers::header::syntax::Declaration;

/// A returned array.
pub(super) struct ReturnedArray {
    /// The keywords before the type: `own(free) `.
    pub owner: String,
    /// The dimensions after the parameters: `[n]`.
    pub shape: String,
    /// The other results, and the array; empty if that is the only one.
    pub returns: Option<Vec<String>>,
}

/// Finds its size and its owner, when the intents of all arguments are known; `free` is the
/// function that frees the library's memory.
pub(super) fn read(
    function: &Declaration<'_>,
    comment: &Comment,
    arguments: &[Argument],
    free: Option<&str>,
    remarks: &mut Vec<String>,
) -> Result<ReturnedArray, String> {
    let unknown = || "the owner of the returned array is unknown".to_owned();
    let is_whole = |argument: &Argument| {
        argument.whole.is_some()
            || argument.shape.is_some()
            || matches!(argument.of, Of::Handle(_) | Of::Callback | Of::Text | Of::Void)
    };
    let is_allocated = has_word(function.name, owners::ALLOCATES);
    let is_owned = comment.caller_frees() || is_allocated;
    if !comment.caller_frees() && (arguments.iter().any(is_whole) || owners::finds(function)) {
        return Err(unknown());
    }
    let is_input = |one: &&Argument| sizes::is_called_size(one) && one.intent.is_none();
    let inputs: Vec<&Argument> = arguments.iter().filter(is_input).collect();
    // `double *divisors(long number, long *n)`
    let is_output = |one: &&Argument| {
        one.intent == Some("out")
            && one.scalar().is_some_and(fishplate_model::Scalar::is_integer)
            && (sizes::is_length_argument(one) || sizes::is_plain(one))
    };
    let outputs: Vec<&Argument> = arguments.iter().filter(is_output).collect();
    let size = match (inputs.as_slice(), outputs.as_slice()) {
        (_, [only]) if is_owned => only,
        ([only], []) => only,
        _ => return Err("the returned array has no known length".to_owned()),
    };
    let (name, free) = (&size.name, free.unwrap_or("free"));
    remarks.push(format!("the result is an array of `{name}` elements, freed by `{free}`"));
    // The array has its length.
    let returns = (size.intent == Some("out")).then(|| {
        let others = arguments.iter().filter(|one| one.is_output() && one.name != *name);
        others.map(|one| one.name.clone()).chain(["result".to_owned()]).collect()
    });
    Ok(ReturnedArray { owner: format!("own({free}) "), shape: format!("[{name}]"), returns })
}
