//! How a value crosses the language boundary.
//!
//! Purpose: one closed value for each argument, in place of the parts that a prototype is written in.
//! Invariant: only `check` makes one, and only of what a call can have; a kind that cannot occur at a position has
//! no value there ([`Never`]).
//! Reason: each phase after this one matches once on the kind, and has no case for what was refused.

use crate::{OutPointer, Returns};
use fishplate_model::{
    CType, Callback, ClassId, Elements, EnumId, Expr, Intent, PerArgument, Scalar, StructId,
    VariableId,
};
use std::borrow::Borrow;
use std::fmt::Debug;

/// Which way a call goes, and with it the kinds that its arguments may be of.
pub trait Position: Clone + Debug + 'static {
    /// An address to which C writes a pointer.
    type OutPointer: Borrow<OutPointer> + Clone + Debug;
    /// Memory for a string: its length.
    type StringBuffer: Borrow<Vec<Expr>> + Clone + Debug;
    /// A function of the target language.
    type Callback: Borrow<CheckedCallback> + Clone + Debug;
    /// An array of pointers, to strings or to objects.
    type List: Borrow<List> + Clone + Debug;
}

/// From the target language to C: the arguments of a function.
#[derive(Clone, Debug)]
pub enum ToC {}

/// From C to the target language: the arguments of a callback.
#[derive(Clone, Debug)]
pub enum FromC {}

impl Position for ToC {
    type OutPointer = OutPointer;
    type StringBuffer = Vec<Expr>;
    type Callback = Box<CheckedCallback>;
    type List = Never;
}

impl Position for FromC {
    type OutPointer = Never;
    type StringBuffer = Never;
    type Callback = Never;
    type List = List;
}

/// What does not occur.
#[derive(Clone, Copy, Debug)]
pub enum Never {}

impl Borrow<OutPointer> for Never {
    fn borrow(&self) -> &OutPointer {
        match *self {}
    }
}

impl Borrow<Vec<Expr>> for Never {
    fn borrow(&self) -> &Vec<Expr> {
        match *self {}
    }
}

impl Borrow<CheckedCallback> for Never {
    fn borrow(&self) -> &CheckedCallback {
        match *self {}
    }
}

impl Borrow<List> for Never {
    fn borrow(&self) -> &List {
        match *self {}
    }
}

/// A kind of argument, with all that this kind has.
#[derive(Clone, Debug)]
pub enum Crossing<P: Position = ToC> {
    /// A number, a member of an enum or a struct.
    Value(Value, By),
    /// An object that C knows by a pointer.
    Object(Named<ClassId>),
    /// An array of numbers or structs.
    Array(Array),
    /// An array of bytes, which the target language has a type for.
    Bytes(Vec<Expr>),
    /// A string that ends at the first NUL: `const char *s`.
    String,
    /// Memory to which C writes a string: `text char s[n]`.
    StringBuffer(P::StringBuffer),
    /// The address of a pointer that C sets to memory or to an object.
    OutPointer(P::OutPointer),
    /// A function that C calls.
    Callback(P::Callback),
    /// The user data of a callback.
    UserData,
    /// Several strings or objects, behind an array of pointers.
    List(P::List),
}

/// A single value of C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number.
    Number(Scalar),
    /// A member of an enum.
    Enum(Named<EnumId>),
    /// A struct, which is copied.
    Struct(Named<StructId>),
    /// A value that only C uses.
    Opaque,
}

/// How C receives a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// By value.
    Value,
    /// By its address.
    Pointer,
}

/// An array of numbers or structs.
#[derive(Clone, Debug)]
pub struct Array {
    /// What its elements are.
    pub element: Value,
    /// The dimensions, outermost first.
    pub shape: Vec<Expr>,
    /// C expects the first dimension to vary fastest.
    pub fortran: bool,
}

/// An array of pointers that C passes to a callback.
#[derive(Clone, Debug)]
pub struct List {
    /// What they point to.
    pub of: Listed,
    /// How many there are.
    pub length: Expr,
}

/// What the pointers of a list point to.
#[derive(Clone, Debug)]
pub enum Listed {
    /// Strings.
    Strings,
    /// Objects.
    Objects(Named<ClassId>),
}

/// A function of the target language, as C calls it.
#[derive(Clone, Debug)]
pub struct CheckedCallback {
    /// As it was written.
    pub callback: Callback,
    /// What it returns to C.
    pub result: Returns,
    /// The arguments that C passes to it.
    pub variables: PerArgument<Variable<FromC>>,
    /// The argument of the function that is its user data; `None` if a struct has it, or there is none.
    pub beside: Option<VariableId>,
}

/// A class, an enum or a struct of the module, and what the target language calls it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named<Id> {
    /// Which one.
    pub id: Id,
    /// Its name.
    pub name: String,
}

/// An argument of C, and the variable that has its value during the call.
#[derive(Clone, Debug)]
pub struct Variable<P: Position = ToC> {
    /// The argument's name.
    pub name: String,
    /// The type of the value, of what is pointed to, or of an element, as C spells it.
    pub ctype: CType,
    /// What is pointed to, or an element, is const for C.
    pub is_const: bool,
    /// How it crosses the boundary.
    pub crossing: Crossing<P>,
    /// What happens to its value.
    pub intent: Intent,
    /// It may be NULL.
    pub nullable: bool,
    /// The default, hidden value or initial value of elements.
    pub default: Option<Expr>,
    /// In a batched call, each item has its own: true for arrays, and for scalars on which no shape depends.
    pub own: bool,
    /// The axes of an array that C accepts with any stride.
    pub strided: Vec<usize>,
}

impl<P: Position> Variable<P> {
    /// The dimensions, for an array of any kind.
    pub fn shape(&self) -> Option<&[Expr]> {
        match &self.crossing {
            Crossing::Array(Array { shape, .. }) | Crossing::Bytes(shape) => Some(shape),
            Crossing::StringBuffer(shape) => {
                let shape: &Vec<Expr> = shape.borrow();
                Some(shape)
            }
            _ => None,
        }
    }

    /// It is an array of any kind.
    pub fn is_array(&self) -> bool {
        self.shape().is_some()
    }

    /// The number of dimensions: 0 for everything else.
    pub fn rank(&self) -> usize {
        self.shape().map_or(0, <[Expr]>::len)
    }

    /// The class of which it is an object, if it is one.
    pub fn class(&self) -> Option<&Named<ClassId>> {
        match &self.crossing {
            Crossing::Object(class) => Some(class),
            _ => None,
        }
    }

    /// The elements of an array of numbers or structs, if it is one.
    pub fn array(&self) -> Option<&Array> {
        match &self.crossing {
            Crossing::Array(array) => Some(array),
            _ => None,
        }
    }

    /// C receives it by value: a single value, or the pointer of an object.
    pub fn is_by_value(&self) -> bool {
        matches!(self.crossing, Crossing::Value(_, By::Value) | Crossing::Object(_))
    }

    /// C receives its address: it is a single value behind a pointer.
    pub fn is_behind_pointer(&self) -> bool {
        matches!(self.crossing, Crossing::Value(_, By::Pointer))
    }

    /// It is an array of structs.
    pub fn has_structs(&self) -> bool {
        matches!(&self.crossing, Crossing::Array(Array { element: Value::Struct(_), .. }))
    }

    /// The number that it is, or that each element of it is.
    pub fn number(&self) -> Option<Scalar> {
        match &self.crossing {
            Crossing::Value(Value::Number(scalar), _)
            | Crossing::Array(Array { element: Value::Number(scalar), .. }) => Some(*scalar),
            _ => None,
        }
    }

    /// Its type for people: `float64`, `float64[m, n]`.
    pub fn type_text(&self) -> String {
        match &self.crossing {
            Crossing::Array(array) => Elements::Numbers.type_text(&self.ctype, &array.shape),
            Crossing::Bytes(shape) => Elements::Bytes.type_text(&self.ctype, shape),
            Crossing::StringBuffer(shape) => Elements::Text.type_text(&self.ctype, shape.borrow()),
            Crossing::String => "text".to_owned(),
            Crossing::OutPointer(pointer) => {
                let pointer: &OutPointer = pointer.borrow();
                pointer.type_text()
            }
            Crossing::List(list) => {
                let List { of, length }: &List = list.borrow();
                let of = match of {
                    Listed::Strings => "text",
                    Listed::Objects(class) => &class.name,
                };
                format!("{of}[{length}]")
            }
            Crossing::Value(..)
            | Crossing::Object(_)
            | Crossing::Callback(_)
            | Crossing::UserData => self.ctype.text().to_owned(),
        }
    }

    /// It is one value that all items of a batched call share: a string, an object, an enum or a struct.
    pub fn is_whole(&self) -> bool {
        matches!(
            self.crossing,
            Crossing::String
                | Crossing::Object(_)
                | Crossing::Value(Value::Enum(_) | Value::Struct(_), _)
        )
    }

    /// C expects the first dimension to vary fastest, and there is more than one.
    pub fn is_fortran(&self) -> bool {
        self.array().is_some_and(|array| array.fortran && array.shape.len() > 1)
    }
}

impl Variable<FromC> {
    /// The sizes of what C passes by an address: of an array, or the length of a list.
    pub fn sizes(&self) -> Option<&[Expr]> {
        match &self.crossing {
            Crossing::List(list) => Some(std::slice::from_ref(&list.length)),
            _ => self.shape(),
        }
    }
}
