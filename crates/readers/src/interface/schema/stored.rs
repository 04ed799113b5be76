//! The keys of handles whose objects the module stores.

use super::Text;
use schemars::JsonSchema;

/// The owner of the memory of objects.
#[derive(JsonSchema, Default)]
#[schemars(inline, rename_all = "kebab-case")]
pub(super) enum Storage {
    /// C, which returns a pointer.
    #[default]
    Pointer,
    /// The module. C receives a pointer to memory of the object's size.
    Value,
}

/// C that initialises a new object.
#[derive(JsonSchema)]
#[schemars(inline, untagged)]
pub(super) enum Init {
    /// The name of a function that is called with the pointer, or an expression over `object`.
    Code(Text),
    /// The same, with a return code.
    Checked(InitTable),
}

/// C that initialises a new object, and may fail.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(super) struct InitTable {
    /// The name of a function that is called with the pointer, or an expression over `object`.
    call: Text,
    /// The value, or an expression over `status`, that means success; 0 by default.
    success: Option<Success>,
    /// The message for a `status` that means failure: `igraph_strerror(status)`.
    #[schemars(default)]
    message: String,
}

/// A return code that means success.
#[derive(JsonSchema)]
#[schemars(inline, untagged)]
pub(super) enum Success {
    /// The number.
    Number(i64),
    /// An expression over `status`.
    Expression(Text),
}
