//! The crossing of a value: how it is passed over the language boundary.
//!
//! Purpose: one closed value for each argument, in place of the parts of which a prototype
//! consists.
//! Invariant: only `check` makes one, and only for values that a call can have; an impossible kind has
//! no value at its position ([`Never`]).
//! Reason: each later phase matches once on the kind, and has no case for refused values.

use crate::kinds::properties as kinds;
use crate::{CheckedCallback, Free, OutPointer, Properties};
use fishplate_model::{
    CType, ClassId, DtypesId, EnumId, Expr, Nested, RowPointers, Scalar, StructId, VariableId,
};
use std::borrow::Borrow;
use std::fmt::Debug;

/// A position: where a value crosses, which restricts the kinds that it may have.
pub trait Position: Clone + Debug + 'static {
    /// A single value.
    type Value: SingleValue;
    /// How a single value is passed.
    type By: Borrow<By> + Copy + Debug;
    /// An address to which C writes a pointer.
    type OutPointer: Borrow<OutPointer> + Clone + Debug;
    /// Memory for a string: its length.
    type StringBuffer: Borrow<Vec<Expr>> + Clone + Debug;
    /// The user data of a callback.
    type UserData: Copy + Debug;
    /// A function of the target language.
    type Callback: Borrow<CheckedCallback> + Clone + Debug;
    /// An array of pointers, to strings or to objects.
    type List: Borrow<List> + Clone + Debug;
    /// Arrays of different lengths.
    type Jagged: Borrow<Jagged> + Clone + Debug;
    /// An array whose rank or dtype is known only at the call.
    type AnyArray: Borrow<AnyArray> + Clone + Debug;
    /// A nested value.
    type Nested: Borrow<Nested> + Clone + Debug;
    /// An open file.
    type File: Copy + Debug;
}

/// From the target language to C: the arguments of a function.
#[derive(Clone, Debug)]
pub enum ToC {}

/// From C to the target language: the arguments of a callback.
#[derive(Clone, Debug)]
pub enum FromC {}

/// From C to the target language: the pointee of a pointer that C returns or sets.
#[derive(Clone, Debug)]
pub enum Returned {}

impl Position for ToC {
    type Value = Value;
    type By = By;
    type UserData = ();
    type OutPointer = OutPointer;
    type StringBuffer = Vec<Expr>;
    type Callback = Box<CheckedCallback>;
    type List = List;
    type Jagged = Jagged;
    type AnyArray = AnyArray;
    type Nested = Nested;
    type File = ();
}

impl Position for FromC {
    type Value = Value;
    type By = By;
    type UserData = ();
    type OutPointer = Never;
    type StringBuffer = Never;
    type Callback = Never;
    type List = List;
    type Jagged = Never;
    type AnyArray = Never;
    type Nested = Nested;
    type File = Never;
}

impl Position for Returned {
    type Value = Named<StructId>;
    type By = By;
    type UserData = Never;
    type OutPointer = Never;
    type StringBuffer = Vec<Expr>;
    type Callback = Never;
    type List = List;
    type Jagged = Never;
    type AnyArray = Never;
    type Nested = Nested;
    type File = Never;
}

/// A kind that does not occur.
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

impl Borrow<Jagged> for Never {
    fn borrow(&self) -> &Jagged {
        match *self {}
    }
}

impl Borrow<AnyArray> for Never {
    fn borrow(&self) -> &AnyArray {
        match *self {}
    }
}

/// A kind of argument, with all its properties.
#[derive(Clone, Debug)]
pub enum Crossing<P: Position = ToC> {
    /// A number, a member of an enum or a struct.
    Value(P::Value, P::By),
    /// An object that C identifies by a pointer.
    Object(Named<ClassId>),
    /// An array of numbers or structs.
    Array(Array),
    /// An array of bytes, for which the target language has a type.
    Bytes(Vec<Expr>),
    /// A string that ends at the first NUL: `const char *s`.
    String,
    /// Memory to which C writes a string: `text char s[n]`.
    StringBuffer(P::StringBuffer),
    /// An out-pointer: C sets it to memory or to an object.
    OutPointer(P::OutPointer),
    /// A callback.
    Callback(P::Callback),
    /// The user data of a callback.
    UserData(P::UserData),
    /// Several strings or objects: an array of pointers.
    List(P::List),
    /// Several arrays of numbers or structs: an array of pointers to them.
    Jagged(P::Jagged),
    /// An array whose rank or dtype is known only at the call.
    AnyArray(P::AnyArray),
    /// Sequences, tuples and maps of numbers and strings, as a tree of nodes.
    Nested(P::Nested),
    /// An open file, on which C has a stream: `FILE *f`.
    File(P::File),
}

/// A single value of C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number.
    Number(Scalar),
    /// A member of an enum.
    Enum(Named<EnumId>),
    /// A struct, passed as a copy.
    Struct(Named<StructId>),
    /// A value that only C uses.
    Opaque,
}

/// A single value at a position: any there, or a struct.
pub trait SingleValue: Clone + Debug {
    /// Its properties, for any phase.
    fn properties(&self) -> Properties<'_>;
}

impl SingleValue for Value {
    fn properties(&self) -> Properties<'_> {
        kinds::value(self)
    }
}

/// Memory of C that becomes a copy.
impl SingleValue for Named<StructId> {
    fn properties(&self) -> Properties<'_> {
        Properties {
            is_whole: true,
            is_converted: true,
            has_wide_table: true,
            ..Properties::default()
        }
    }
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
    /// The type of its elements.
    pub element: Value,
    /// The dimensions, outermost first.
    pub shape: Vec<Expr>,
    /// C expects the first dimension to vary fastest.
    pub fortran: bool,
    /// C receives pointers to the rows.
    pub rows: Option<RowPointers>,
}

/// An array of pointers.
#[derive(Clone, Debug)]
pub struct List {
    /// The type of the pointees.
    pub of: Listed,
    /// The length of the array; `None`: a NULL follows the last pointer.
    pub length: Option<Expr>,
    /// The pointers are `const`.
    pub is_const: bool,
    /// The array with the lengths of the strings that C reads, if it reads these.
    pub lengths: Option<VariableId>,
    /// The C that frees the array, if C has allocated it and the caller owns it.
    pub free: Option<Free>,
}

/// The pointees of a list.
#[derive(Clone, Debug)]
pub enum Listed {
    /// Strings.
    Strings,
    /// Objects.
    Objects(Named<ClassId>),
}

/// Arrays of different lengths, the rows, to which C receives pointers.
#[derive(Clone, Debug)]
pub struct Jagged {
    /// The type of their elements.
    pub element: Value,
    /// The number of rows.
    pub length: Expr,
    /// The array with their lengths; `None`: each row has a terminator.
    pub lengths: Option<VariableId>,
    /// The pointers are `const`.
    pub is_const: bool,
}

/// An array whose rank or dtype is known only at the call.
#[derive(Clone, Debug)]
pub struct AnyArray {
    /// Its dimensions, outermost first, if its rank is known; otherwise empty.
    pub shape: Vec<Expr>,
    /// The type of its elements; `None`: the dtypes of a table.
    pub element: Option<Scalar>,
    /// The table, and C's code of the dtype of an array that the call allocates.
    pub dtypes: Option<(Named<DtypesId>, Option<Expr>)>,
    /// The array that has its dimensions.
    pub dims: Option<VariableId>,
    /// C expects the first dimension to vary fastest.
    pub fortran: bool,
}

/// A class, an enum or a struct of the module, and its name in the target language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named<Id> {
    /// Which one.
    pub id: Id,
    /// Its name.
    pub name: String,
}

impl<P: Position> Crossing<P> {
    /// Its properties, for any phase.
    pub fn properties(&self) -> Properties<'_> {
        match self {
            Crossing::Value(value, _) => value.properties(),
            Crossing::Object(class) => kinds::object(class),
            Crossing::Array(array) => kinds::array(array),
            Crossing::Bytes(shape) => kinds::bytes(shape),
            Crossing::String => kinds::string(),
            Crossing::StringBuffer(shape) => kinds::string_buffer(shape.borrow()),
            Crossing::OutPointer(_) => kinds::out_pointer(),
            Crossing::Callback(callback) => kinds::callback(callback.borrow()),
            Crossing::UserData(_) => kinds::user_data(),
            Crossing::List(list) => kinds::list(list.borrow()),
            Crossing::Jagged(jagged) => kinds::jagged(jagged.borrow()),
            Crossing::AnyArray(any) => kinds::any_array(any.borrow()),
            Crossing::Nested(nested) => kinds::nested(nested.borrow()),
            Crossing::File(_) => kinds::file(),
        }
    }

    /// The dimensions, for an array of any kind.
    pub fn shape(&self) -> Option<&[Expr]> {
        self.properties().shape
    }

    /// How C receives it, if it is a single value.
    pub fn by(&self) -> Option<By> {
        match self {
            Crossing::Value(_, by) => Some(*by.borrow()),
            _ => None,
        }
    }

    /// The out-pointer, if it is one.
    pub fn out_pointer(&self) -> Option<&OutPointer> {
        match self {
            Crossing::OutPointer(pointer) => Some(pointer.borrow()),
            _ => None,
        }
    }

    /// The callback, if it is one.
    pub fn callback(&self) -> Option<&CheckedCallback> {
        match self {
            Crossing::Callback(callback) => Some(callback.borrow()),
            _ => None,
        }
    }

    /// The class of the object, if it is one.
    pub fn class(&self) -> Option<&Named<ClassId>> {
        match self {
            Crossing::Object(class) => Some(class),
            _ => None,
        }
    }

    /// It is the user data of a callback.
    pub fn is_user_data(&self) -> bool {
        matches!(self, Crossing::UserData(_))
    }

    /// The array of pointers, if it is one.
    pub fn list(&self) -> Option<&List> {
        match self {
            Crossing::List(list) => Some(list.borrow()),
            _ => None,
        }
    }

    /// The jagged array, if it is one.
    pub fn jagged(&self) -> Option<&Jagged> {
        match self {
            Crossing::Jagged(jagged) => Some(jagged.borrow()),
            _ => None,
        }
    }

    /// The type of the nested value, if it is one.
    pub fn nested(&self) -> Option<&Nested> {
        match self {
            Crossing::Nested(nested) => Some(nested.borrow()),
            _ => None,
        }
    }

    /// The array, if its rank or dtype is known only at the call.
    pub fn any_array(&self) -> Option<&AnyArray> {
        match self {
            Crossing::AnyArray(any) => Some(any.borrow()),
            _ => None,
        }
    }

    /// It is an array of numbers or structs.
    pub fn array(&self) -> Option<&Array> {
        match self {
            Crossing::Array(array) => Some(array),
            _ => None,
        }
    }

    /// It is a string: one that ends at the first NUL, or memory for one.
    pub fn is_string(&self) -> bool {
        matches!(self, Crossing::String | Crossing::StringBuffer(_))
    }

    /// The target language has a type for it, a string or bytes, and does not see C's memory.
    pub fn is_copied(&self) -> bool {
        self.properties().is_copied
    }

    /// C expects, or returns, the first dimension varying fastest, and there is more than one.
    pub fn is_fortran(&self) -> bool {
        self.array().is_some_and(|array| array.fortran && array.shape.len() > 1)
    }

    /// The values that a test for this kind accepts, for people: `float64`, `float64[2-D]`, `text`.
    pub fn test_text(&self, ctype: &CType) -> String {
        if let Some(nested) = self.nested() {
            return nested.text();
        }
        let word = self.properties().word.unwrap_or(ctype.text());
        match (self.array(), self.list()) {
            (Some(array), _) => format!("{word}[{}-D]", array.shape.len()),
            (None, Some(_)) => format!("{word}[1-D]"),
            (None, None) => word.to_owned(),
        }
    }

    /// Its type for people: `float64`, `float64[m, n]`, `text`. `ctype` is its element or value
    /// type, as spelled in C.
    pub fn type_text(&self, ctype: &CType) -> String {
        let word = self.properties().word.unwrap_or(ctype.text());
        let shown = |shape: &[Expr]| -> String {
            let shape: Vec<String> = shape.iter().map(|size| size.shown().to_string()).collect();
            format!("{word}[{}]", shape.join(", "))
        };
        match self {
            Crossing::OutPointer(pointer) => {
                let pointer: &OutPointer = pointer.borrow();
                pointer.type_text()
            }
            Crossing::AnyArray(_) if self.shape().is_some_and(<[Expr]>::is_empty) => {
                format!("{word}[...]")
            }
            Crossing::Nested(nested) => {
                let nested: &Nested = nested.borrow();
                nested.text()
            }
            Crossing::Jagged(_) => format!("{}[]", shown(self.shape().unwrap_or_default())),
            Crossing::List(_) if self.shape().is_none() => format!("{word}[]"),
            _ => self.shape().map_or_else(|| word.to_owned(), shown),
        }
    }
}

impl<P: Position<Value = Value>> Crossing<P> {
    /// The single value that it is, if it is one.
    pub fn value(&self) -> Option<&Value> {
        match self {
            Crossing::Value(value, _) => Some(value),
            _ => None,
        }
    }
}

impl Crossing<Returned> {
    /// The same; if it is an array of pointers, this C frees the array.
    pub(crate) fn freed_by(mut self, free: Option<Free>) -> Self {
        if let Crossing::List(list) = &mut self {
            list.free = free;
        }
        self
    }
}

impl Crossing {
    /// A single value that C receives by value.
    pub fn of_value(value: Value) -> Self {
        Crossing::Value(value, By::Value)
    }

    /// The same kind as an argument of a callback; `None` if it does not occur there.
    pub(crate) fn passed_by_c(self) -> Option<Crossing<FromC>> {
        Some(match self {
            Crossing::Value(value, by) => Crossing::Value(value, by),
            Crossing::Object(class) => Crossing::Object(class),
            Crossing::Array(array) => Crossing::Array(array),
            Crossing::Bytes(shape) => Crossing::Bytes(shape),
            Crossing::String => Crossing::String,
            Crossing::UserData(()) => Crossing::UserData(()),
            Crossing::List(list) => Crossing::List(list),
            Crossing::Nested(nested) => Crossing::Nested(nested),
            Crossing::StringBuffer(_)
            | Crossing::OutPointer(_)
            | Crossing::Callback(_)
            | Crossing::Jagged(_)
            | Crossing::AnyArray(_)
            | Crossing::File(()) => return None,
        })
    }
}
