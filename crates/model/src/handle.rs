//! Handles: opaque objects of a library.

use crate::{CType, Function, Safety, Spanned};

/// A `[handle.NAME]` table: a class of objects that C identifies by a pointer or an integer.
#[derive(Clone, Debug, PartialEq)]
pub struct Handle {
    /// The class's name in the target language.
    pub name: Spanned<String>,
    /// Its documentation.
    pub doc: String,
    /// The type of the pointer or the integer: a [`Type::Handle`](crate::Type::Handle) or a
    /// [`Type::Identifier`](crate::Type::Identifier) of this name.
    pub ctype: CType,
    /// The classes from which it is derived.
    pub bases: Vec<Spanned<String>>,
    /// The lock, if any, that serialises C functions that take such an object.
    pub safety: Option<Safety>,
    /// The fields that are attributes of the objects, as written.
    pub fields: String,
    /// The type of the items of C++ objects that are iterated, as written.
    pub items: String,
    /// The constructor; it has the class's name.
    pub constructor: Option<Function>,
    /// The destructor. Without one, the library owns the objects.
    pub destructor: Option<Destructor>,
    /// The expression over `object` and `data` that sets the user data of the object, which all its
    /// callbacks share: `XML_SetUserData(object, data)`.
    pub user_data: Option<Spanned<String>>,
}

/// C that releases an object.
#[derive(Clone, Debug, PartialEq)]
pub enum Destructor {
    /// This function, called with the pointer or the integer.
    Function(Spanned<String>),
    /// This expression over `object`, a variable with the pointer or the integer: `sym_free(&object)`.
    Expression(Spanned<String>),
    /// This expression, which ends a reference to an object that a `std::shared_ptr` counts.
    Reference(Spanned<String>),
}

impl Handle {
    /// Its objects are references that a `std::shared_ptr` counts.
    pub fn is_counted(&self) -> bool {
        self.destructor.as_ref().is_some_and(Destructor::ends_reference)
    }
}

impl Destructor {
    /// It ends a counted reference; the object may have others in C++.
    pub fn ends_reference(&self) -> bool {
        matches!(self, Destructor::Reference(_))
    }

    /// The C as written.
    pub fn code(&self) -> &Spanned<String> {
        match self {
            Destructor::Function(code)
            | Destructor::Expression(code)
            | Destructor::Reference(code) => code,
        }
    }

    /// The name of the C function.
    pub fn function(&self) -> &str {
        self.code().value.split('(').next().unwrap_or_default().trim()
    }
}
