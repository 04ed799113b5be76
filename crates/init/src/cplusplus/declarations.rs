//! The declarations of C++ headers, as data.
//!
//! Purpose: describe what a parser of C++ found, for the rules that draft an interface.
//! Invariant: names are qualified, typedefs are replaced by the types that they name, and everything is in source order.
//! Reason: the drafts depend neither on the parser nor on its memory.

use std::collections::BTreeSet;
use std::fmt;

/// The declarations of the named headers themselves.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    /// Classes and structs.
    pub classes: Vec<Class>,
    /// Enumerations.
    pub enums: Vec<Enum>,
    /// Functions that belong to no class.
    pub functions: Vec<Function>,
    /// Constants: their qualified names and places.
    pub constants: Vec<(String, Place)>,
    /// Names that the headers give to types: `using Path = std::vector<Point>;`.
    pub aliases: Vec<(String, Type)>,
    /// Declarations without a rule: name, place, reason.
    pub others: Vec<(String, Place, String)>,
}

impl Unit {
    /// The headers declare nothing that a draft could have or leave out.
    pub fn is_empty(&self) -> bool {
        self.classes.is_empty()
            && self.enums.is_empty()
            && self.functions.is_empty()
            && self.others.is_empty()
    }
}

/// A line of one of the headers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The position of the header in the list of headers.
    pub header: usize,
    /// The line, from 1; 0 for what the class inherits from another file.
    pub line: usize,
}

/// A class or a struct.
#[derive(Clone, Debug, Default)]
pub struct Class {
    /// `lib::Square`; for an instance of a template, its alias.
    pub name: String,
    /// Its declaration.
    pub place: Place,
    /// The names of its public bases.
    pub bases: Vec<String>,
    /// Some pure virtual method is not overridden.
    pub is_abstract: bool,
    /// Objects can be deleted.
    pub is_destructible: bool,
    /// Objects of derived classes can be deleted as objects of this one.
    pub has_virtual_destructor: bool,
    /// A constructor is declared, accessible or not.
    pub has_constructor: bool,
    /// Public constructors, without those that copy and move.
    pub constructors: Vec<Function>,
    /// Public methods, operators and static functions.
    pub methods: Vec<Function>,
    /// Public fields.
    pub fields: Vec<Field>,
}

/// An enumeration.
#[derive(Clone, Debug, Default)]
pub struct Enum {
    /// `lib::Color`
    pub name: String,
    /// Its declaration.
    pub place: Place,
    /// The qualified names of its values.
    pub values: Vec<String>,
}

/// A function, a method or a constructor.
#[derive(Clone, Debug, Default)]
pub struct Function {
    /// The name alone: `area`, `operator+`.
    pub name: String,
    /// The namespace or the class: `lib::Square`.
    pub scope: String,
    /// Its declaration.
    pub place: Place,
    /// `Type::Void` for constructors.
    pub result: Type,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// It has an object.
    pub is_method: bool,
    /// A static member function.
    pub is_static: bool,
    /// A `const` method.
    pub is_const: bool,
    /// The names of types that the header uses for it.
    pub names: BTreeSet<String>,
    /// A method of objects that are not moved: `&` follows its parameters.
    pub is_of_lvalues: bool,
    /// A friend, which a class defines.
    pub is_friend: bool,
    /// Its result is an object that has pointers to what it does not own.
    pub returns_view: bool,
    /// It ends with `...`.
    pub is_variadic: bool,
    /// `= delete`
    pub is_deleted: bool,
    /// A function template.
    pub is_template: bool,
    /// A virtual method, which is pure if there is no implementation.
    pub is_virtual: bool,
    /// `= 0`
    pub is_pure: bool,
    /// The classes whose virtual methods it overrides.
    pub overrides: Vec<String>,
    /// The object of another class, of which it has a pointer.
    pub lifetime: Lifetime,
}

/// The fate of the object that a method returns or receives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lifetime {
    /// This is not known.
    #[default]
    Unknown,
    /// It creates it, as a part of its own object.
    Created,
    /// It returns one that another method has created.
    Lent,
    /// It destroys it.
    Destroyed,
}

/// A parameter.
#[derive(Clone, Debug, Default)]
pub struct Parameter {
    /// Empty if it has none.
    pub name: String,
    /// The type.
    pub ctype: Type,
    /// The header's comment says that C++ only sets it.
    pub is_output: bool,
    /// The default, as an expression that is valid everywhere; otherwise its source.
    pub default: Option<DefaultValue>,
}

/// A default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DefaultValue {
    /// A literal or the qualified name of an enumerator.
    Constant(String),
    /// Another expression.
    Other(String),
}

/// A public field.
#[derive(Clone, Debug, Default)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its declaration.
    pub place: Place,
    /// The type.
    pub ctype: Type,
    /// The names of types that the header uses for it.
    pub names: BTreeSet<String>,
    /// It has a width in bits.
    pub is_bit_field: bool,
    /// All objects share it.
    pub is_static: bool,
}

/// A type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Type {
    /// `void`
    #[default]
    Void,
    /// A number, by its name in C.
    Number(String),
    /// An enumeration, by its qualified name.
    Enum(String),
    /// A class, by its qualified name; `std::string` too.
    Class(String),
    /// An instance of a template: its name and arguments, without those that are defaults.
    Template(String, Vec<Type>),
    /// An argument of a template that is a value.
    Value(String),
    /// `T *`
    Pointer(Box<Type>),
    /// `T &`
    Reference(Box<Type>),
    /// `T &&`
    Moved(Box<Type>),
    /// `const T`
    Const(Box<Type>),
    /// `T[3]`
    Array(Box<Type>, usize),
    /// `double(int, double)`, the argument of `std::function`.
    Function(Box<Type>, Vec<Type>),
    /// Anything else, as the header spells it.
    Other(String),
}

impl Type {
    /// The type without `const`.
    pub fn unqualified(&self) -> &Type {
        match self {
            Type::Const(inner) => inner.unqualified(),
            other => other,
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |all: &[Type]| all.iter().map(Type::to_string).collect::<Vec<_>>().join(", ");
        match self {
            Type::Void => write!(f, "void"),
            Type::Number(name)
            | Type::Enum(name)
            | Type::Class(name)
            | Type::Value(name)
            | Type::Other(name) => write!(f, "{name}"),
            Type::Template(name, arguments) => write!(f, "{name}<{}>", list(arguments)),
            Type::Pointer(to) => {
                let space = if matches!(**to, Type::Pointer(_)) { "" } else { " " };
                write!(f, "{to}{space}*")
            }
            Type::Reference(to) => write!(f, "{to} &"),
            Type::Moved(to) => write!(f, "{to} &&"),
            Type::Const(inner) => match **inner {
                Type::Pointer(_) => write!(f, "{inner} const"),
                _ => write!(f, "const {inner}"),
            },
            Type::Array(element, size) => write!(f, "{element}[{size}]"),
            Type::Function(result, parameters) => write!(f, "{result}({})", list(parameters)),
        }
    }
}

/// `std::ostream`
pub(super) fn is_stream(ctype: &Type) -> bool {
    matches!(ctype, Type::Class(name) if name == "std::ostream")
}

impl Function {
    /// A parameter is a stream, to which it writes.
    pub fn writes_to_stream(&self) -> bool {
        let mut parameters = self.parameters.iter();
        parameters.any(|one| matches!(&one.ctype, Type::Reference(to) if is_stream(to)))
    }

    /// `lib::Square::area`
    pub fn qualified(&self) -> String {
        if self.scope.is_empty() {
            return self.name.clone();
        }
        format!("{}::{}", self.scope, self.name)
    }
}
