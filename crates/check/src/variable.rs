//! Arguments of C, with their properties for the phases after `check`.

use crate::{AnyArray, Array, By, Crossing, Named, Position, ToC, Value};
use fishplate_model::{
    CType, ClassId, EnumId, Expr, ExprKind, Intent, Measure, RowPointers, Scalar, Terminator,
};

/// An argument of C, and the variable that holds its value during the call.
#[derive(Clone, Debug)]
pub struct Variable<P: Position = ToC> {
    /// The argument's name.
    pub name: String,
    /// The type of the value, of the pointee, or of an element, as spelled in C.
    pub ctype: CType,
    /// The pointee, or an element, is const for C.
    pub is_const: bool,
    /// Its crossing.
    pub crossing: Crossing<P>,
    /// The use of its value.
    pub intent: Intent,
    /// It may be NULL.
    pub nullable: bool,
    /// The default, hidden value or initial value of elements.
    pub default: Option<Expr>,
    /// In a batched call, it varies per item: true for arrays, and for scalars on which no shape
    /// depends.
    pub own: bool,
    /// The element by which C finds the end of the array, or of each row.
    pub terminator: Option<Terminator>,
    /// The axes of an array that C accepts with any stride.
    pub strided: Vec<usize>,
}

impl<P: Position> Variable<P> {
    /// The dimensions, for an array of any kind.
    pub fn shape(&self) -> Option<&[Expr]> {
        self.crossing.shape()
    }

    /// It is an array of any kind.
    pub fn is_array(&self) -> bool {
        self.shape().is_some()
    }

    /// The number of dimensions: 0 for everything else.
    pub fn rank(&self) -> usize {
        self.shape().map_or(0, <[Expr]>::len)
    }

    /// The size is the array's own: it has any length, which C finds by the terminator.
    pub fn is_open(&self, size: &Expr) -> bool {
        let is_own = |array: &str| self.terminator.is_some() && array == self.name;
        matches!(&size.kind, ExprKind::Measure { measure: Measure::Len, array, .. } if is_own(array))
    }

    /// The class of the object, if it is one.
    pub fn class(&self) -> Option<&Named<ClassId>> {
        self.crossing.class()
    }

    /// The elements of an array of numbers or structs, if it is one.
    pub fn array(&self) -> Option<&Array> {
        self.crossing.array()
    }

    /// C receives it by value: a single value, or one that its type identifies by a pointer.
    pub fn is_by_value(&self) -> bool {
        self.crossing.by() == Some(By::Value) || self.crossing.properties().is_pointer
    }

    /// C receives its address: it is a pointer to a single value.
    pub fn is_behind_pointer(&self) -> bool {
        self.crossing.by() == Some(By::Pointer)
    }

    /// C receives the address of a pointer, which it sets.
    pub fn is_set_pointer(&self) -> bool {
        self.crossing.out_pointer().is_some_and(|pointer| pointer.stored.is_none())
    }

    /// The array, if its rank or dtype is known only at the call.
    pub fn any_array(&self) -> Option<&AnyArray> {
        self.crossing.any_array()
    }

    /// The pointers to the rows of an array that C receives in place of it.
    pub fn rows(&self) -> Option<RowPointers> {
        self.array()?.rows
    }

    /// For an array of pointers to strings, objects or rows: whether the pointers are const for C.
    pub fn has_const_pointers(&self) -> Option<bool> {
        self.crossing.properties().has_const_pointers
    }

    /// The class of the object that it is, or of those of which it is an array.
    pub fn object_class(&self) -> Option<&Named<ClassId>> {
        self.crossing.properties().class
    }

    /// It is an object, or contains some.
    pub fn has_objects(&self) -> bool {
        let properties = self.crossing.properties();
        properties.class.is_some() || properties.has_objects
    }

    /// It is an array, or another value, with any number of objects.
    pub fn has_several_objects(&self) -> bool {
        self.has_objects() && self.class().is_none()
    }

    /// It is an array of structs, or several of them.
    pub fn has_structs(&self) -> bool {
        self.crossing.properties().has_structs
    }

    /// The enum of which each element of the array is a value.
    pub fn enumeration(&self) -> Option<&Named<EnumId>> {
        match &self.array()?.element {
            Value::Enum(of) => Some(of),
            _ => None,
        }
    }

    /// The number that it is, or that each element of it is.
    pub fn number(&self) -> Option<Scalar> {
        self.crossing.properties().number
    }

    /// Its type for people: `float64`, `float64[m, n]`.
    pub fn type_text(&self) -> String {
        self.crossing.type_text(&self.ctype)
    }

    /// It is one value that all items of a batched call share: a string, an object, an enum or a struct.
    pub fn is_whole(&self) -> bool {
        self.crossing.properties().is_whole
    }

    /// C expects a Fortran-contiguous array with more than one dimension.
    pub fn is_fortran(&self) -> bool {
        self.crossing.is_fortran()
    }
}

impl<P: Position<Value = Value>> Variable<P> {
    /// The single value that it is, if it is one.
    pub fn value(&self) -> Option<&Value> {
        self.crossing.value()
    }
}
