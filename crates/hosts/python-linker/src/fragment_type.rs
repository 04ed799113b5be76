//! How values of a type are converted between Python and C.

use crate::error::Error;
use crate::needs::{Needs, Version};
use crate::sub::Sub;
use crate::types::DType;
use std::any::Any;

/// The value of a constant, in the form of the program's creator. Built-in types support
/// [`Number`]; the types of a host support their host's objects.
pub type Value = dyn Any + Send + Sync;

/// The value of a constant of rank 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A bool.
    Bool(bool),
    /// An integer.
    Integer(i128),
    /// A real number.
    Real(f64),
    /// A complex number.
    Complex(f64, f64),
}

/// A fragment of C. `None`: the type or op does not define it.
pub(crate) type Text = Result<Option<String>, Error>;

/// A type with values in C.
///
/// `name` is the variable's: all declarations contain it. `py_<name>` is the Python object. A type
/// that returns `None` for one of the five main fragments has no C.
pub trait FragmentType: Send + Sync {
    /// For messages and comments.
    fn name(&self) -> String;

    /// Declares variables. They are visible to ops, and the only ones that are visible to
    /// `cleanup`.
    fn declare(&self, name: &str, sub: &Sub, check_input: bool) -> Text;

    /// Sets the variables without a Python object.
    fn init(&self, name: &str, sub: &Sub) -> Text;

    /// Sets the variables from the Python object. With `check_input` it validates the object.
    fn extract(&self, name: &str, sub: &Sub, check_input: bool) -> Text;

    /// Sets the variables of an output from the object of an earlier call, or from None. `None`:
    /// initialises from None, and extracts from anything else.
    fn extract_out(&self, _name: &str, _sub: &Sub, _check_input: bool) -> Text {
        Ok(None)
    }

    /// Creates `py_<name>`, an object with the variables' value.
    fn sync(&self, name: &str, sub: &Sub) -> Text;

    /// Releases the resources that `declare`, `init`, `extract` or ops have acquired.
    fn cleanup(&self, name: &str, sub: &Sub) -> Text;

    /// A constant as a C expression, if C has one for it.
    fn literal(&self, _value: &Value) -> Text {
        Ok(None)
    }

    /// The C type of items, `npy_float64`: fragments may use it as `dtype_<name>`.
    fn element_type(&self) -> Option<String> {
        None
    }

    /// Values need no memory of their own, so nothing is retained between calls.
    fn is_simple(&self) -> bool {
        false
    }

    /// `extract` only reads the object: repeating it costs nothing and has no visible effect.
    fn is_view(&self) -> bool {
        false
    }

    /// The variable `name` owns the value, a NumPy array: the C type of the variable. The array of
    /// a temporary is retained for the next call, if nothing else refers to it.
    fn keeps(&self) -> Option<&'static str> {
        None
    }

    /// The variable `name` is a `PyArrayObject *` that owns its array, as that of a built-in type.
    fn is_array(&self) -> bool {
        self.keeps().is_some()
    }

    /// The variable `name` is a number of this built-in type.
    fn number(&self) -> Option<DType> {
        None
    }

    /// A C test of an op's result in the variable `name`: it is valid for the type, or an exception
    /// is set. `None`: every value is valid.
    fn check_made(&self, _name: &str) -> Option<String> {
        None
    }

    /// A C test of an object: it is valid for the type, and need not pass through the type's
    /// filter.
    fn accepts(&self, _object: &str) -> Option<String> {
        None
    }

    /// The required compiler.
    fn compiler(&self) -> Result<Option<String>, Error> {
        Ok(None)
    }

    /// The requirements of the fragments, with the selected compiler if there is one.
    fn needs(&self, compiler: Option<&str>) -> Result<Needs, Error>;

    /// The version of the fragments.
    fn version(&self) -> Result<Version, Error>;
}
