//! The built-in types, in the C form that ops written for Theano expect.
//!
//! A number is a C scalar `npy_float64 x`, an array a `PyArrayObject *x` that is NULL before an op makes
//! it; `dtype_x` is the type of its elements.

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

/// The file that `HEADER` must be found as.
pub(crate) const HEADER_NAME: &str = "fishplate_values.h";

/// What fragments of built-in types call.
pub(crate) const HEADER: &str = include_str!("../../runtime/fishplate_values.h");

/// What both types need.
pub(crate) fn needs() -> Needs {
    Needs {
        headers: vec![format!("\"{HEADER_NAME}\"")],
        init_code: vec!["import_array();".to_owned()],
        ..Needs::default()
    }
}

/// Ours to vouch for; the cache's key has our own version besides.
pub(crate) fn version(parts: impl IntoIterator<Item = String>) -> Version {
    Version::Parts(parts.into_iter().collect())
}
