//! Pointers of C's standard library that callers pass, one at a time.
//!
//! Purpose: find such a type by its words, and refuse it where no caller passes it.
//! Invariant: C receives one by value; it returns none, and there are no arrays of them.
//! Reason: the parsers of arguments and of results name none of these types.

use fishplate_model::{CType, Code, Diagnostic, Span, Type};

/// The streams of C's standard library, and of C++.
const STREAMS: [&str; 2] = ["FILE", "std::FILE"];

/// The pointer to what these words spell.
pub(super) fn pointer(words: &[&str], span: Span) -> Option<CType> {
    let spelling = format!("{} *", STREAMS.iter().find(|stream| words == [**stream])?);
    Some(CType { what: Type::File, spelling, span })
}

/// It is such a type.
pub(super) fn is_passed_alone(ctype: &CType) -> bool {
    ctype.what == Type::File
}

/// Refuses such a type for what C returns, and for several values: a stream that C opens is an object.
pub(super) fn refuse(ctype: &CType, span: Span) -> Option<Diagnostic> {
    if !is_passed_alone(ctype) {
        return None;
    }
    let spelling = &ctype.spelling;
    Some(Diagnostic::error(
        Code::UNSUPPORTED_TYPE,
        span,
        format!("`{spelling}` is an open file, which callers pass one at a time"),
        format!(
            "if C opens it, declare `[handle.NAME]` with `ctype = \"{spelling}\"` and `free = \"fclose\"`: then it is an object"
        ),
    ))
}
