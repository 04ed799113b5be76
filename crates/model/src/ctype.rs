//! C types: their meaning to Fishplate, and their spelling in the header.

use crate::{Nested, Scalar, ScalarClass, Span};
use std::borrow::Cow;

/// A C type and its spelling in the header.
#[derive(Clone, Debug, PartialEq)]
pub struct CType {
    /// Its meaning.
    pub what: Type,
    /// How the C prototype spells it: `MKL_INT`, `double complex`. Without `const`.
    pub spelling: String,
    /// Its place in the source.
    pub span: Span,
}

/// A declaration: `double x`, `rng *r`, `Item &item`. If the type or the name is empty, the other alone.
pub fn declared(spelling: &str, name: &str) -> String {
    let is_apart = !(name.is_empty() || spelling.is_empty() || spelling.ends_with(['*', '&']));
    format!("{spelling}{}{name}", if is_apart { " " } else { "" })
}

/// The beginning of the names of pointers to arrays. Nothing else in a generated file has this prefix.
const ARRAY: &str = "fpa_";
/// The same for arrays that C only reads.
const CONST: &str = "const_";

/// The meaning of a C type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// A number.
    Scalar(Scalar),
    /// An opaque object, which C identifies by a pointer: that of this `[handle.NAME]`.
    Handle(String),
    /// An opaque object, which C identifies by an integer: that of this `[handle.NAME]`.
    Identifier {
        /// The handle's name.
        handle: String,
        /// The integer that is not an object: a number, or a name that the headers define.
        invalid: String,
    },
    /// One of a few integers: that of this `[enum.NAME]`.
    Enum(String),
    /// A record of fields: that of this `[struct.NAME]`.
    Struct(String),
    /// A nested value, which adapters of C++ receive and return as a tree of nodes.
    Nested(Nested),
    /// A stream of C's standard library: `FILE *`.
    File,
    /// A callback.
    Function,
    /// The message of a failure: a string, of which NULL is success.
    Message {
        /// The C function that frees it; `None`: the library retains it.
        free: Option<String>,
    },
    /// A type that only C uses: that of a hidden value.
    Opaque,
}

impl Type {
    /// Types that a caller cannot distinguish: one handle, or numbers of one class and size.
    pub fn is_like(&self, other: &Type) -> bool {
        match (self, other) {
            (Type::Scalar(a), Type::Scalar(b)) => a.class() == b.class() && a.size() == b.size(),
            _ => self == other,
        }
    }
}

impl CType {
    /// The scalar type, if it is a number.
    pub fn number(&self) -> Option<Scalar> {
        match &self.what {
            Type::Scalar(scalar) => Some(*scalar),
            _ => None,
        }
    }

    /// Its name in messages: the name of the dtype or of the handle.
    pub fn text(&self) -> &str {
        match &self.what {
            Type::Scalar(scalar) => scalar.dtype_name(),
            Type::Handle(name)
            | Type::Identifier { handle: name, .. }
            | Type::Enum(name)
            | Type::Struct(name) => name,
            Type::Nested(_) => "nested value",
            Type::File => "file",
            Type::Function => "function",
            Type::Message { .. } => "message",
            Type::Opaque => &self.spelling,
        }
    }

    /// The handle's name, if it is a handle.
    pub fn handle(&self) -> Option<&str> {
        match &self.what {
            Type::Handle(name) | Type::Identifier { handle: name, .. } => Some(name),
            _ => None,
        }
    }

    /// The type of the nested value, if it is one.
    pub fn nested(&self) -> Option<&Nested> {
        match &self.what {
            Type::Nested(nested) => Some(nested),
            _ => None,
        }
    }

    /// Its spelling ends with the `*`: it is a handle, a nested value or a file.
    pub fn is_pointer(&self) -> bool {
        self.handle().is_some() || self.nested().is_some() || self.is_file()
    }

    /// It is the message of a failure.
    pub fn is_message(&self) -> bool {
        matches!(self.what, Type::Message { .. })
    }

    /// `_Bool`, or `bool` of C++.
    pub fn is_bool(&self) -> bool {
        self.number() == Some(Scalar::Bool)
    }

    /// It is a stream of C's standard library.
    pub fn is_file(&self) -> bool {
        self.what == Type::File
    }

    /// The integer that is not an object, if C identifies objects of this type by integers.
    pub fn invalid_identifier(&self) -> Option<&str> {
        match &self.what {
            Type::Identifier { invalid, .. } => Some(invalid),
            _ => None,
        }
    }

    /// The pointer to the first element of an array `name`, by which C receives it: the generated C has a name for it.
    pub fn pointer_to_array(name: &str, is_const: bool) -> String {
        format!("{ARRAY}{}{name}", if is_const { CONST } else { "" })
    }

    /// Headers spell it as an array.
    pub fn is_array_of_header(&self) -> bool {
        self.handle().is_some() && self.spelling.starts_with(ARRAY)
    }

    /// How annotated prototypes spell it: as C does, but a handle that is a `void *` or an integer by its name.
    pub fn written(&self) -> Cow<'_, str> {
        if let Some(array) = self.spelling.strip_prefix(ARRAY).filter(|_| self.is_array_of_header())
        {
            return match array.strip_prefix(CONST) {
                Some(of) => Cow::Owned(format!("const {of}")),
                None => Cow::Borrowed(array),
            };
        }
        match self.handle() {
            Some(name) if self.spelling == "void *" || self.invalid_identifier().is_some() => {
                Cow::Borrowed(name)
            }
            Some(name) if self.spelling == "const void *" => Cow::Owned(format!("const {name}")),
            _ => Cow::Borrowed(&self.spelling),
        }
    }

    /// Its values are instances of a class of the module: it is an enum or a struct.
    pub fn class(&self) -> Option<&str> {
        match &self.what {
            Type::Enum(name) | Type::Struct(name) => Some(name),
            _ => None,
        }
    }

    /// The struct's name, if it is a struct.
    pub fn structure(&self) -> Option<&str> {
        match &self.what {
            Type::Struct(name) => Some(name),
            _ => None,
        }
    }

    /// The enum's name, if it is an enum.
    pub fn enumeration(&self) -> Option<&str> {
        match &self.what {
            Type::Enum(name) => Some(name),
            _ => None,
        }
    }

    /// For a function pointer that only C uses, `void (*)(int)`: the part before the name and the
    /// part after it.
    pub fn around_name(&self) -> Option<(&str, &str)> {
        let at = self.spelling.find("(*)").filter(|_| self.what == Type::Opaque)? + "(*".len();
        Some(self.spelling.split_at(at))
    }

    /// A callback whose C type has this spelling.
    pub fn function(spelling: String, span: Span) -> Self {
        CType { what: Type::Function, spelling, span }
    }

    /// A number of this type.
    pub fn of(scalar: Scalar, spelling: String, span: Span) -> Self {
        CType { what: Type::Scalar(scalar), spelling, span }
    }

    /// `void`; as a pointee it counts as a byte.
    pub fn is_void(&self) -> bool {
        self.spelling == "void"
    }

    /// `char`, by whatever name: the element of strings.
    pub fn is_char(&self) -> bool {
        self.what == Type::Scalar(Scalar::Char)
    }

    /// An unsigned integer. For an enum, only the compiler can tell.
    pub fn is_unsigned(&self) -> bool {
        self.number().is_some_and(|number| number.class() == ScalarClass::Unsigned)
    }

    /// The scalar type of a number.
    ///
    /// # Panics
    ///
    /// Panics if this is not a number; callers check first, by the kind of the argument or by the
    /// step of the plan.
    pub fn scalar(&self) -> Scalar {
        match &self.what {
            Type::Scalar(scalar) => *scalar,
            _ => unreachable!("{} is no number", self.text()),
        }
    }
}
