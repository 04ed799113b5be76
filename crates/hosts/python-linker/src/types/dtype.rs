//! dtypes in the C that ops written for Theano expect.

use fishplate_model::DType;

/// NumPy's name for the C type: `npy_float64`.
pub(crate) fn c_name(dtype: DType) -> String {
    format!("npy_{}", dtype.name())
}

/// NumPy's number: `NPY_FLOAT64`.
pub(crate) fn type_number(dtype: DType) -> String {
    format!("NPY_{}", dtype.name().to_uppercase())
}
