//! The function that releases memory of the library.
//!
//! Purpose: find the function that frees strings, such as `sqlite3_free`.
//! Invariant: it takes any memory, and nothing else.
//! Reason: memory of one allocator must not be freed by another.

use super::words::lower_words;
use fishplate_readers::header::declarator::Form;
use fishplate_readers::header::meaning::Meaning;
use fishplate_readers::header::syntax::{Declaration, Unit};

/// The only `void lib_free(void *)` among these functions.
pub(super) fn free(functions: &[&Declaration<'_>], unit: &Unit<'_>) -> Option<String> {
    let mut found = functions.iter().filter(|function| {
        let words = lower_words(function.name);
        let [_, last] = words.as_slice() else { return false };
        let [one] = function.parameters.as_slice() else { return false };
        let is_void = |words: &[&str]| unit.meaning(words) == Meaning::Foreign("`void`");
        last == "free"
            && function.result_form == Form::Value
            && is_void(&function.result)
            && one.form == Form::Pointer
            && !one.is_const
            && is_void(&one.words)
    });
    let first = found.next()?;
    found.next().is_none().then(|| first.name.to_owned())
}
