//! Structs of C whose fields the host sees.

use crate::{CType, Spanned};

/// A struct of C: a class in the host.
#[derive(Clone, Debug, PartialEq)]
pub struct Struct {
    /// Its name in the host.
    pub name: Spanned<String>,
    /// Its documentation.
    pub doc: String,
    /// The type.
    pub ctype: CType,
    /// The fields that the host sees, of those that there are.
    pub fields: Vec<Field>,
}

/// A field of a struct.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its name, in C and in the host.
    pub name: Spanned<String>,
    /// Its type, or that of its elements: a number, or a struct that was described before.
    pub ctype: CType,
    /// Its dimensions: none for what is no array.
    pub shape: Vec<u64>,
}
