//! How values of a type cross between Python and C.

use crate::error::Error;
use crate::needs::{Needs, Version};
use crate::sub::Sub;
use crate::types::DType;
use std::any::Any;

/// The value of a constant, as whoever made the program keeps it. Built-in types understand
/// [`Number`]; the types of a host understand their host's objects.
pub type Value = dyn Any + Send + Sync;

/// The value of a constant of rank 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A truth value.
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

/// A type whose values C can handle.
///
/// `name` is the variable's: all that is declared has it in its name. `py_<name>` is the Python object.
/// A type that gives `None` for one of the five main fragments has no C.
pub trait FragmentType: Send + Sync {
    /// For messages and comments.
    fn name(&self) -> String;

    /// Declares variables. They are what ops see, and the only ones that `cleanup` sees.
    fn declare(&self, name: &str, sub: &Sub, check_input: bool) -> Text;

    /// Gives the variables a value where there is none from Python.
    fn init(&self, name: &str, sub: &Sub) -> Text;

    /// Sets the variables from the Python object. With `check_input` it validates the object.
    fn extract(&self, name: &str, sub: &Sub, check_input: bool) -> Text;

    /// Sets the variables of an output from what an earlier call left, or from None.
    /// `None`: initialises from None, and extracts from anything else.
    fn extract_out(&self, _name: &str, _sub: &Sub, _check_input: bool) -> Text {
        Ok(None)
    }

    /// Makes `py_<name>` an object with the variables' value.
    fn sync(&self, name: &str, sub: &Sub) -> Text;

    /// Gives back what `declare`, `init`, `extract` or ops acquired.
    fn cleanup(&self, name: &str, sub: &Sub) -> Text;

    /// A constant as a C expression, where C has one for it.
    fn literal(&self, _value: &Value) -> Text {
        Ok(None)
    }

    /// The C type of items, `npy_float64`: fragments may call it `dtype_<name>`.
    fn element_type(&self) -> Option<String> {
        None
    }

    /// Values need no memory of their own, so there is nothing to keep from call to call.
    fn is_simple(&self) -> bool {
        false
    }

    /// `extract` only looks at the object: doing it again costs nothing, and nobody can tell.
    fn is_view(&self) -> bool {
        false
    }

    /// The variable `name` owns the value, a NumPy array: the C type of the variable. Of a temporary the
    /// array is kept for the next call, if nobody else has it.
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

    /// A test in C of what an op made in the variable `name`: it is as the type wants it, or an exception
    /// is set. `None`: it can be nothing else.
    fn check_made(&self, _name: &str) -> Option<String> {
        None
    }

    /// A test of an object in C: it is as the type wants it, so that it need not go through the type's
    /// filter.
    fn accepts(&self, _object: &str) -> Option<String> {
        None
    }

    /// The compiler that must be used.
    fn compiler(&self) -> Result<Option<String>, Error> {
        Ok(None)
    }

    /// What the fragments need, with this compiler if one was asked for.
    fn needs(&self, compiler: Option<&str>) -> Result<Needs, Error>;

    /// The version of the fragments.
    fn version(&self) -> Result<Version, Error>;
}
