//! Pointers that C returns: as its result, or by an out-pointer.
//!
//! Purpose: the pointee of such a pointer, and who frees it, as one closed value.
//! Invariant: arguments are named by their identifiers; an owner that must free memory names the
//! function.
//! Reason: the result and an out-pointer differ in how C returns the pointer, and in nothing else.

use crate::{Crossing, List, Named, Output, Returned, Value};
use fishplate_model::{CType, ClassId, Expr, NewObject, VariableId};

/// The result of a C function.
#[derive(Clone, Debug)]
pub enum Returns {
    /// Nothing.
    Void,
    /// A number, an enum or a struct: an output of the generated function, unless only C uses it.
    Value(Value, CType),
    /// A return code.
    Status(Value, CType),
    /// A pointer to memory or to an object.
    Pointer(Box<OutPointer>),
}

/// A pointer that C returns, or sets.
#[derive(Clone, Debug)]
pub struct OutPointer {
    /// The type of the pointee, as spelled in C; for an object, the type of the pointer.
    pub ctype: CType,
    /// The pointee is const.
    pub is_const: bool,
    /// NULL becomes None.
    pub nullable: bool,
    /// The kind of the pointee.
    pub pointee: Crossing<Returned>,
    /// The owner, who frees it.
    pub owner: Ownership,
    /// The arguments to which an object refers, and that must outlive it.
    pub keeps: Vec<VariableId>,
    /// The first of these, and the class as which the destructor of the object's own class needs it.
    pub context: Option<(VariableId, Named<ClassId>)>,
    /// C receives the address of a new object, whose memory the call allocates.
    pub stored: Option<NewObject>,
}

/// The owner of the memory to which a pointer points. The caller of a callback is C.
#[derive(Clone, Debug)]
pub enum Ownership {
    /// The library; this is the default for a `const char *`.
    Unspecified,
    /// The caller; `None`: with the destructor of the object's class. For a string that a callback returns, the function
    /// allocates the memory.
    Owned(Option<Free>),
    /// These arguments; if empty, it has static storage.
    Borrowed(Vec<VariableId>),
}

/// The C that frees memory.
#[derive(Clone, Debug, PartialEq)]
pub enum Free {
    /// This function, called with the pointer.
    Function(String),
    /// An expression over the pointer and values of the call.
    Expression {
        /// The expression.
        code: Expr,
        /// The name of the pointer in it.
        pointer: String,
        /// The values in it, which the memory needs until it is freed: numbers, enums and objects.
        values: Vec<Output>,
    },
}

impl Free {
    /// The values that C needs besides the pointer.
    pub fn values(&self) -> &[Output] {
        match self {
            Free::Function(_) => &[],
            Free::Expression { values, .. } => values,
        }
    }
}

impl std::fmt::Display for Free {
    /// For people: `free`, `release(x, n)`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Free::Function(name) => f.write_str(name),
            Free::Expression { code, .. } => code.fmt(f),
        }
    }
}

impl Returns {
    /// C returns nothing.
    pub fn is_void(&self) -> bool {
        matches!(self, Returns::Void)
    }

    /// The type of the result, unless that is a pointer.
    pub fn value(&self) -> Option<&Value> {
        match self {
            Returns::Value(value, _) | Returns::Status(value, _) => Some(value),
            Returns::Void | Returns::Pointer(_) => None,
        }
    }

    /// The type of the value, or of the pointee, as spelled in C.
    pub fn ctype(&self) -> Option<&CType> {
        match self {
            Returns::Void => None,
            Returns::Value(_, ctype) | Returns::Status(_, ctype) => Some(ctype),
            Returns::Pointer(pointer) => Some(&pointer.ctype),
        }
    }

    /// The value for people, if there is one: `float64`, `text`, `float64[n]`.
    pub fn type_text(&self) -> Option<String> {
        match self {
            Returns::Void => None,
            Returns::Value(_, ctype) | Returns::Status(_, ctype) => Some(ctype.text().to_owned()),
            Returns::Pointer(pointer) => Some(pointer.type_text()),
        }
    }
}

impl OutPointer {
    /// The class of the object, if it points to one.
    pub fn class(&self) -> Option<&Named<ClassId>> {
        self.pointee.class()
    }

    /// The same, or that of the objects in an array of pointers.
    pub fn object_class(&self) -> Option<&Named<ClassId>> {
        self.pointee.properties().class
    }

    /// The dimensions of an array of any kind, which are computed after the call.
    pub fn shape(&self) -> Option<&[Expr]> {
        self.pointee.shape()
    }

    /// C returns a Fortran-contiguous array with more than one dimension.
    pub fn is_fortran(&self) -> bool {
        self.pointee.is_fortran()
    }

    /// The target language gets a copy: strings, bytes and structs are values there, and arrays are memory. Memory that
    /// is freed with values of the call is freed before the call returns.
    pub fn is_copied(&self) -> bool {
        let properties = self.pointee.properties();
        properties.is_copied
            || properties.is_converted
            || self.list().is_none() && self.free().is_some_and(|free| !free.values().is_empty())
    }

    /// The array of pointers, if it is one.
    pub fn list(&self) -> Option<&List> {
        self.pointee.list()
    }

    /// NULL is always a failure. An array that has no elements may be NULL.
    pub fn must_be_there(&self) -> bool {
        !self.nullable && self.shape().is_none()
    }

    /// The C that frees the memory itself, if the caller owns it: of an array of pointers, the array.
    pub fn free(&self) -> Option<&Free> {
        match (self.list(), &self.owner) {
            (Some(list), _) => list.free.as_ref(),
            (None, Ownership::Owned(free)) => free.as_ref(),
            (None, Ownership::Unspecified | Ownership::Borrowed(_)) => None,
        }
    }

    /// The C function that allocates the memory of a string that a callback returns, and that C takes over.
    pub fn allocator(&self) -> &str {
        match &self.owner {
            Ownership::Owned(Some(Free::Function(allocate))) => allocate,
            _ => "malloc",
        }
    }

    /// The caller frees it.
    pub fn is_owned(&self) -> bool {
        matches!(self.owner, Ownership::Owned(_))
    }

    /// The arguments whose memory the result views.
    pub fn owners(&self) -> &[VariableId] {
        match &self.owner {
            Ownership::Borrowed(owners) if !self.is_copied() => owners,
            _ => &[],
        }
    }

    /// The arguments that must outlive it: its owners, and those to which it refers.
    pub fn needs(&self) -> impl Iterator<Item = VariableId> {
        let owners = match &self.owner {
            Ownership::Borrowed(owners) => owners.as_slice(),
            Ownership::Unspecified | Ownership::Owned(_) => &[],
        };
        owners.iter().chain(&self.keeps).copied()
    }

    /// The type of the value in the target language, for people: `text`, `bytes[n]`, `float64[m,
    /// n]`.
    pub fn type_text(&self) -> String {
        self.pointee.type_text(&self.ctype)
    }
}
