//! Values of C under names of the host's: by themselves, and as those of an enum.

use crate::{CType, Spanned};

/// A value that headers define: a macro, a global, an enumerator.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    /// Its name in the host.
    pub name: Spanned<String>,
    /// The expression of C that has the value.
    pub value: Spanned<String>,
}

/// A type of C that has a few integers as its values: a class in the host.
#[derive(Clone, Debug, PartialEq)]
pub struct Enum {
    /// Its name in the host.
    pub name: Spanned<String>,
    /// Its documentation.
    pub doc: String,
    /// The type.
    pub ctype: CType,
    /// Its values may be combined by `|`.
    pub flags: bool,
    /// Its values, in the order they were written.
    pub values: Vec<Constant>,
}
