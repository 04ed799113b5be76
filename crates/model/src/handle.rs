//! Handles: objects that only their library looks into.

use crate::{CType, Function, Safety, Spanned};

/// A `[handle.NAME]` table: a class of objects that C knows by a pointer.
#[derive(Clone, Debug, PartialEq)]
pub struct Handle {
    /// The class's name in the host.
    pub name: Spanned<String>,
    /// Its documentation.
    pub doc: String,
    /// The pointer: a [`Type::Handle`](crate::Type::Handle) of this name.
    pub ctype: CType,
    /// What keeps C functions that take one from running twice at once.
    pub safety: Option<Safety>,
    /// What makes a new one when the class is called; it has the class's name.
    pub constructor: Option<Function>,
    /// The C function that gives the object back. Without it, objects are the library's own.
    pub destructor: Option<Spanned<String>>,
}
