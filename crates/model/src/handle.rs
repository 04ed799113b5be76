//! Handles: opaque objects of a library.

use crate::{CType, Function, Message, Safety, Spanned, Status};

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
    /// Its objects are values that the module stores; otherwise C allocates them.
    pub stored: Option<StoredValue>,
    /// The constructor; it has the class's name.
    pub constructor: Option<Function>,
    /// The destructor. Without one, the library owns the objects.
    pub destructor: Option<Destructor>,
    /// The class of the object that `free` needs besides the pointer, as `context`: each object keeps the one with which it
    /// was created.
    pub context: Option<Spanned<String>>,
    /// The expression over `object` and `data` that sets the user data of the object, which all its
    /// callbacks share: `XML_SetUserData(object, data)`.
    pub user_data: Option<Spanned<String>>,
    /// The meaning of the return codes of its methods and its constructor, as far as it differs from the module's. The
    /// message may read the `object`.
    pub status: Status,
}

/// How the objects of a class begin whose memory the module allocates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StoredValue {
    /// C that initialises a new object, in memory of zeros. Without it, zeros are an object.
    pub init: Option<Initializer>,
    /// The C type, if it is an array: `mpfr_t`, whose objects are passed by a pointer to their first element.
    pub array: Option<Spanned<String>>,
}

/// C that initialises an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Initializer {
    /// An expression over `object`, a variable with the pointer, or the name of a function that is called with it.
    pub code: Spanned<String>,
    /// The C that is true for a `status`, the value of the expression, that means success. Without it, the value is
    /// ignored.
    pub success: Option<Spanned<String>>,
    /// The message for a `status` that means failure.
    pub message: Option<Message>,
}

impl Initializer {
    /// The name of the C function.
    pub fn function(&self) -> &str {
        self.code.value.split('(').next().unwrap_or_default().trim()
    }

    /// The C as written, in each of its parts.
    pub fn pieces(&self) -> impl Iterator<Item = &Spanned<String>> {
        let message = self.message.as_ref().map(|message| &message.text);
        [Some(&self.code), self.success.as_ref(), message].into_iter().flatten()
    }

    /// The expression over `object`.
    pub fn expression(&self) -> String {
        let code = &self.code.value;
        let is_name = code.chars().all(|c| c.is_ascii_alphanumeric() || "_:".contains(c));
        if is_name { format!("{code}(object)") } else { code.clone() }
    }
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
