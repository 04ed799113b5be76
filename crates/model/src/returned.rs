//! C-allocated memory: its content and its owner.

use crate::{CType, Expr, Span, Spanned};

/// The type that the target language has for the elements of an array.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Elements {
    /// Numbers.
    #[default]
    Numbers,
    /// The bytes type of the target language.
    Bytes,
    /// A string that ends at the first NUL or at the end of the array.
    String,
}

impl Elements {
    /// Its keyword in a prototype.
    pub fn qualifier(self) -> Option<&'static str> {
        match self {
            Elements::Numbers => None,
            Elements::Bytes => Some("bytes"),
            Elements::String => Some("text"),
        }
    }
}

/// The pointee of a pointer that C returns.
#[derive(Clone, Debug, PartialEq)]
pub enum Pointee {
    /// One object of the type.
    One,
    /// A C string: `char` up to a NUL.
    String,
    /// An array, whose dimensions are computed after the call.
    Array {
        /// The dimensions, outermost first.
        shape: Vec<Expr>,
        /// The first dimension varies fastest.
        fortran: bool,
        /// The type that the target language has for it.
        elements: Elements,
    },
    /// An array of pointers to strings or objects.
    List(PointerList),
}

/// An array of pointers that C has allocated. The owner of the pointer that C returns is that of the pointees.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PointerList {
    /// The number of pointers, computed after the call; `None`: a NULL follows the last one.
    pub length: Option<Expr>,
    /// The pointers are `const`.
    pub is_const: bool,
    /// The C that frees the array itself, as in [`Owner::Caller`].
    pub free: Option<Box<Expr>>,
    /// C fills memory of the call, which has room for so many pointers.
    pub capacity: Option<Expr>,
}

/// The owner of C-allocated memory after the call.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Owner {
    /// Not specified: assumed to be the library.
    #[default]
    Unspecified,
    /// `own(f)`: the caller owns it and releases it with this C function. `own(f(x, n))`: with this expression, in
    /// which the pointer has the name of its argument, or is called `result`. `own` alone: with the destructor of the
    /// type. In the result of a callback, the caller is C, and the function allocates the memory of a string.
    Caller(Option<Expr>),
    /// `borrow(a, b)`: these arguments own it. `borrow` alone: it has static storage.
    Borrowed(Vec<Spanned<String>>),
}

/// A pointer that C returns: its pointee and the owner.
#[derive(Clone, Debug, PartialEq)]
pub struct ReturnedPointer {
    /// The pointee.
    pub holds: Pointee,
    /// The owner.
    pub owner: Owner,
    /// `keep(x)`: the arguments to which the object refers, and which must therefore outlive it.
    pub keeps: Vec<Spanned<String>>,
    /// C receives the address of a new object, whose memory the module has allocated.
    pub stored: Option<NewObject>,
}

/// The function that initialises an object in memory of the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewObject {
    /// The `init` of its class, before C is called: `out mpfr_t x`.
    ByClass,
    /// The C function, unless it fails: `out init mpfr_t x`.
    ByFunction,
}

impl ReturnedPointer {
    /// The arguments that must outlive it: its owners, and those to which it refers.
    pub fn needs(&self) -> impl Iterator<Item = &Spanned<String>> {
        let owners = match &self.owner {
            Owner::Borrowed(owners) => owners.as_slice(),
            Owner::Unspecified | Owner::Caller(_) => &[],
        };
        owners.iter().chain(&self.keeps)
    }
}

impl Pointee {
    /// The dimensions of an array of any kind.
    pub fn shape(&self) -> Option<&[Expr]> {
        match self {
            Pointee::Array { shape, .. } => Some(shape),
            Pointee::List(list) => list.length.as_ref().map(std::slice::from_ref),
            Pointee::One | Pointee::String => None,
        }
    }

    /// The same, to change them.
    pub fn shape_mut(&mut self) -> &mut [Expr] {
        match self {
            Pointee::Array { shape, .. } => shape,
            Pointee::List(PointerList { length: Some(length), .. }) => std::slice::from_mut(length),
            Pointee::List(_) | Pointee::One | Pointee::String => &mut [],
        }
    }

    /// The array of pointers, if it is one.
    pub fn list(&self) -> Option<&PointerList> {
        match self {
            Pointee::List(list) => Some(list),
            _ => None,
        }
    }
}

/// A pointer as the result of a C function.
#[derive(Clone, Debug, PartialEq)]
pub struct Returned {
    /// The type of the pointee.
    pub ctype: CType,
    /// The pointee is `const`.
    pub is_const: bool,
    /// NULL becomes None.
    pub nullable: bool,
    /// The pointee and its owner.
    pub out_pointer: ReturnedPointer,
    /// The annotations before the function's name.
    pub span: Span,
}

impl Returned {
    /// NULL is always a failure. (An array without elements may be NULL.)
    pub fn must_be_there(&self) -> bool {
        !self.nullable && self.out_pointer.holds.shape().is_none()
    }
}
