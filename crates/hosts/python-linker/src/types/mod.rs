//! The built-in types, in the C form that ops written for Theano expect.
//!
//! A number is a C scalar `npy_float64 x`, an array a `PyArrayObject *x` that is NULL before an op
//! creates it; `dtype_x` is the type of its elements.

mod dtype;
mod number;
mod object;
mod tensor;

pub(crate) use dtype::{c_name, type_number};
pub use fishplate_model::DType;
pub use number::Scalar;
pub use object::Object;
pub use tensor::Tensor;

use crate::needs::{Needs, Version};

/// The name of the file `HEADER`.
pub(crate) const HEADER_NAME: &str = "fishplate_values.h";

/// The functions that fragments of built-in types call.
pub(crate) const HEADER: &str = include_str!("../../runtime/fishplate_values.h");

/// The common parts of both types.
pub(crate) fn needs() -> Needs {
    Needs {
        headers: vec![format!("\"{HEADER_NAME}\"")],
        init_code: vec!["import_array();".to_owned()],
        ..Needs::default()
    }
}

/// Fishplate's own code has a version; the cache's key also includes Fishplate's.
pub(crate) fn version(parts: impl IntoIterator<Item = String>) -> Version {
    Version::Parts(parts.into_iter().collect())
}
