//! C values with names in the target language: single constants, and the members of enums.

use crate::{CType, Spanned};

/// A value that headers define: a macro, a global, an enumerator.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    /// Its name in the target language.
    pub name: Spanned<String>,
    /// The expression of C that has the value.
    pub value: Spanned<String>,
}

/// A C type with a few integer values: a class in the target language.
#[derive(Clone, Debug, PartialEq)]
pub struct Enum {
    /// Its name in the target language.
    pub name: Spanned<String>,
    /// Its documentation.
    pub doc: String,
    /// The type.
    pub ctype: CType,
    /// Its values may be combined with `|`.
    pub flags: bool,
    /// Its values, in source order.
    pub values: Vec<Constant>,
}
