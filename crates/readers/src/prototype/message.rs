//! Return codes that are strings: `status const char *f(void)`, `status own(free) char **error`.
//!
//! Purpose: the type of a string that is the message of a failure, and NULL after success.
//! Invariant: a string without an owner is never freed.
//! Reason: results and arguments have the same rules.

use super::owner::Ownership;
use fishplate_model::{CType, Code, Diagnostic, Owner, Span, Type};

/// The type of the string.
pub(crate) fn message(
    is_const: bool,
    ownership: &Ownership,
    span: Span,
    diagnostics: &mut Vec<Diagnostic>,
) -> CType {
    let free = match &ownership.owner {
        Owner::Caller(Some(free)) => {
            if free.as_name().is_none() {
                diagnostics.push(Diagnostic::error(
                    Code::UNSUPPORTED,
                    free.span,
                    "a message is freed by a C function with one argument",
                    "name the function, as in `own(free)`, or write a C function with that argument and name it",
                ));
            }
            free.as_name().map(str::to_owned)
        }
        Owner::Caller(None) => {
            diagnostics.push(Diagnostic::error(
                Code::NO_OWNER,
                span,
                "the function that frees this message is not specified",
                "write it in parentheses, as in `status own(free) char **error`",
            ));
            None
        }
        Owner::Borrowed(_) | Owner::Unspecified => None,
    };
    let spelling = if is_const { "const char *" } else { "char *" };
    CType { what: Type::Message { free }, spelling: spelling.to_owned(), span }
}
