//! C types: what they are to us, and how the header spells them.

use crate::{Scalar, ScalarClass, Span};

/// A C type and how the header spells it.
#[derive(Clone, Debug, PartialEq)]
pub struct CType {
    /// What it is.
    pub what: Type,
    /// How the C prototype spells it: `MKL_INT`, `double complex`. Without `const`.
    pub spelling: String,
    /// Where it was written.
    pub span: Span,
}

/// What a C type is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// A number.
    Scalar(Scalar),
    /// An object that only its library looks into: that of this `[handle.NAME]`.
    Handle(String),
    /// One of a few integers: that of this `[enum.NAME]`.
    Enum(String),
    /// A record of fields: that of this `[struct.NAME]`.
    Struct(String),
    /// A function of the host that C calls.
    Function,
    /// Something of the headers' that nobody but C looks at: the type of a hidden value.
    Opaque,
}

impl Type {
    /// To a caller they are the same: one handle, or numbers of one class and size.
    pub fn is_like(&self, other: &Type) -> bool {
        match (self, other) {
            (Type::Scalar(a), Type::Scalar(b)) => a.class() == b.class() && a.size() == b.size(),
            _ => self == other,
        }
    }
}

impl CType {
    /// The number that it is, if it is one.
    pub fn number(&self) -> Option<Scalar> {
        match &self.what {
            Type::Scalar(scalar) => Some(*scalar),
            _ => None,
        }
    }

    /// What it is, for people: its name as a dtype, or that of the handle.
    pub fn text(&self) -> &str {
        match &self.what {
            Type::Scalar(scalar) => scalar.dtype_name(),
            Type::Handle(name) | Type::Enum(name) | Type::Struct(name) => name,
            Type::Function => "function",
            Type::Opaque => &self.spelling,
        }
    }

    /// The handle that it is, if it is one.
    pub fn handle(&self) -> Option<&str> {
        match &self.what {
            Type::Handle(name) => Some(name),
            _ => None,
        }
    }

    /// What crosses as a value of a class of the module's: an enum or a struct.
    pub fn class(&self) -> Option<&str> {
        match &self.what {
            Type::Enum(name) | Type::Struct(name) => Some(name),
            _ => None,
        }
    }

    /// The struct that it is, if it is one.
    pub fn structure(&self) -> Option<&str> {
        match &self.what {
            Type::Struct(name) => Some(name),
            _ => None,
        }
    }

    /// Of a pointer to a function that nobody but C looks at, `void (*)(int)`, the part before its name and
    /// the part behind it.
    pub fn around_name(&self) -> Option<(&str, &str)> {
        let at = self.spelling.find("(*)").filter(|_| self.what == Type::Opaque)? + "(*".len();
        Some(self.spelling.split_at(at))
    }

    /// A function of the host, in what C spells so.
    pub fn function(spelling: String, span: Span) -> Self {
        CType { what: Type::Function, spelling, span }
    }

    /// A number of this type.
    pub fn of(scalar: Scalar, spelling: String, span: Span) -> Self {
        CType { what: Type::Scalar(scalar), spelling, span }
    }

    /// `void`, of which one behind a pointer counts as a byte.
    pub fn is_void(&self) -> bool {
        self.spelling == "void"
    }

    /// `char`, by whatever name: what texts are made of.
    pub fn is_char(&self) -> bool {
        self.what == Type::Scalar(Scalar::Char)
    }

    /// An unsigned integer; of an enum nobody but the compiler knows.
    pub fn is_unsigned(&self) -> bool {
        self.number().is_some_and(|number| number.class() == ScalarClass::Unsigned)
    }

    /// The number that it is.
    ///
    /// # Panics
    ///
    /// Where it is none. Who asks has seen that it is one: by what an argument is passed as, or by the step
    /// that a plan has for it.
    pub fn scalar(&self) -> Scalar {
        match &self.what {
            Type::Scalar(scalar) => *scalar,
            _ => unreachable!("{} is no number", self.text()),
        }
    }
}
