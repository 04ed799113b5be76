//! The keys of `status` in the schema: return codes and exceptions.

use super::Text;
use schemars::JsonSchema;
use std::collections::BTreeMap;

/// The meaning of return codes. C expressions may use the headers' names, and `status`.
#[derive(JsonSchema, Default)]
#[schemars(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct StatusTable {
    /// The codes of success, or a C expression that is true for them: `status >= 0`. Default: 0, or `true`.
    #[schemars(default)]
    success: Option<StatusSet>,
    /// The codes of warnings, or a C expression that is true for them.
    #[schemars(default)]
    warnings: Option<StatusSet>,
    /// A C expression for the message, such as `gsl_strerror(status)`; it may be NULL. `own(free)` before it names the
    /// function that frees the string.
    #[schemars(default)]
    message: Option<Text>,
    /// Messages for single codes, which take precedence over `message`.
    #[schemars(default)]
    messages: BTreeMap<String, String>,
    /// The Python exceptions for single codes; others raise RuntimeError.
    #[schemars(default)]
    exceptions: BTreeMap<String, PythonException>,
    /// The C function sets `errno`: failures raise OSError. An expression is the error number
    /// instead, such as `status`.
    #[schemars(default)]
    errno: ErrnoChoice,
    /// A C expression that is called before the function, so that no earlier error is reported: `ERR_clear_error()`.
    #[schemars(default)]
    clear: Option<Text>,
    /// The errors that the library stores on a thread: together they are the message.
    #[schemars(default)]
    stack: Option<StackTable>,
}

/// The errors that a library stores on a thread: `next`, or `walk` and `each`.
#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct StackTable {
    /// A C expression for the next error, which the message calls `code`: `ERR_get_error()`. 0 or NULL ends the list.
    #[schemars(default)]
    next: Option<Text>,
    /// A C expression that calls the function `each` with `data` for each error.
    #[schemars(default)]
    walk: Option<Text>,
    /// The prototype of that function: `herr_t each(unsigned n, const H5E_error2_t *error, void *data)`.
    #[schemars(default)]
    each: Option<Text>,
    /// A C expression for the message of one error, such as `error->desc`, or `own(free)` and one; it may be NULL.
    message: Text,
}

/// Return codes.
#[derive(JsonSchema)]
#[schemars(inline, untagged)]
pub(super) enum StatusSet {
    /// One value.
    One(i64),
    /// The value of a `bool`.
    Bool(bool),
    /// Several.
    Several(#[schemars(length(min = 1))] Vec<StatusValue>),
    /// A C expression over `status`, true for these codes.
    Expression(Text),
}

/// A return code.
#[derive(JsonSchema)]
#[schemars(inline, untagged)]
pub(super) enum StatusValue {
    /// The number.
    Number(i64),
    /// A name that the headers define.
    Name(Text),
}

/// Whether C sets `errno`.
#[derive(JsonSchema)]
#[schemars(inline, untagged)]
pub(super) enum ErrnoChoice {
    /// `true` or `false`.
    Is(bool),
    /// A C expression for the error number.
    Expression(Text),
}

impl Default for ErrnoChoice {
    fn default() -> Self {
        ErrnoChoice::Is(false)
    }
}

/// The name of a Python exception.
#[derive(JsonSchema)]
#[schemars(inline, transparent)]
pub(super) struct PythonException(
    #[schemars(regex(pattern = r"^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$"))] String,
);
