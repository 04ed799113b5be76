//! Memory that C hands over: what it holds, and whose it is.

use crate::{CType, Expr, Span, Spanned};

/// How the host sees the elements of an array.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Elements {
    /// As numbers.
    #[default]
    Numbers,
    /// Together, as the host's type for bytes.
    Bytes,
    /// Together, as a text that ends at the first NUL or with the array.
    Text,
}

impl Elements {
    /// As a prototype writes it.
    pub fn qualifier(self) -> Option<&'static str> {
        match self {
            Elements::Numbers => None,
            Elements::Bytes => Some("bytes"),
            Elements::Text => Some("text"),
        }
    }
}

/// What is behind a pointer that C hands over.
#[derive(Clone, Debug, PartialEq)]
pub enum Holds {
    /// One object of the type.
    One,
    /// `char` up to a NUL.
    Text,
    /// An array, whose dimensions are computed after the call.
    Array {
        /// The dimensions, outermost first.
        shape: Vec<Expr>,
        /// The first dimension varies fastest.
        fortran: bool,
        /// What the host makes of it.
        elements: Elements,
    },
}

/// Whose the memory behind a pointer is after the call.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Owner {
    /// The prototype does not say: the library's, as far as anybody knows.
    #[default]
    Unsaid,
    /// `own(f)`: the caller's, until this C function is called with it. `own` alone: until what the
    /// type itself says is called.
    Caller(Option<Spanned<String>>),
    /// `borrow(a, b)`: that of these arguments. `borrow` alone: nobody's, it is always there.
    Lent(Vec<Spanned<String>>),
}

/// A pointer that C hands over: what it holds, and whose it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Handed {
    /// What is behind it.
    pub holds: Holds,
    /// Whose that is.
    pub owner: Owner,
    /// `keep(x)`: the arguments that an object refers to, and that so must outlive it.
    pub keeps: Vec<Spanned<String>>,
}

impl Handed {
    /// The arguments that must outlive it: those that own it, or that it refers to.
    pub fn needs(&self) -> impl Iterator<Item = &Spanned<String>> {
        let lenders = match &self.owner {
            Owner::Lent(lenders) => lenders.as_slice(),
            Owner::Unsaid | Owner::Caller(_) => &[],
        };
        lenders.iter().chain(&self.keeps)
    }
}

impl Holds {
    /// The dimensions of an array of any kind.
    pub fn shape(&self) -> Option<&[Expr]> {
        match self {
            Holds::Array { shape, .. } => Some(shape),
            _ => None,
        }
    }
}

/// A pointer as the result of a C function.
#[derive(Clone, Debug, PartialEq)]
pub struct Returned {
    /// The type of what is pointed to.
    pub ctype: CType,
    /// What is pointed to is `const`.
    pub is_const: bool,
    /// NULL becomes None.
    pub nullable: bool,
    /// What is behind it, and whose that is.
    pub handed: Handed,
    /// Everything that was written about it before the function's name.
    pub span: Span,
}

impl Returned {
    /// NULL is always a failure. An array that has no elements may be NULL.
    pub fn must_be_there(&self) -> bool {
        !self.nullable && self.handed.holds.shape().is_none()
    }
}
