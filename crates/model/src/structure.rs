//! C structs whose fields are visible in the target language.

use crate::{CType, Spanned};

/// A C struct: a class in the target language.
#[derive(Clone, Debug, PartialEq)]
pub struct Struct {
    /// Its name in the target language.
    pub name: Spanned<String>,
    /// Its documentation.
    pub doc: String,
    /// The type.
    pub ctype: CType,
    /// The visible fields; the struct may have more.
    pub fields: Vec<Field>,
}

/// A field of a struct.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its name in the target language: that in C, followed by `_` if the language has another use for it.
    pub name: Spanned<String>,
    /// Its name in C.
    pub member: String,
    /// Its type, or that of its elements: a number, or a struct that was declared before.
    pub ctype: CType,
    /// Its dimensions; empty if it is not an array.
    pub shape: Vec<u64>,
    /// It is a string in an array of characters, which is its one dimension.
    pub is_text: bool,
}

impl Field {
    /// The dimensions of an array in the target language.
    pub fn dimensions(&self) -> &[u64] {
        if self.is_text { &[] } else { &self.shape }
    }
}
