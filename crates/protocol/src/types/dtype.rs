//! The types of elements.

/// A type of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum DType {
    Bool,
    Int8,
    Int16,
    Int32,
    Int64,
    UInt8,
    UInt16,
    UInt32,
    UInt64,
    Float32,
    Float64,
    Complex64,
    Complex128,
}

use DType::*;

impl DType {
    /// Every one of them.
    pub const ALL: [DType; 13] = [
        Bool, Int8, Int16, Int32, Int64, UInt8, UInt16, UInt32, UInt64, Float32, Float64,
        Complex64, Complex128,
    ];

    /// NumPy's name: `float64`.
    pub fn name(self) -> &'static str {
        match self {
            Bool => "bool",
            Int8 => "int8",
            Int16 => "int16",
            Int32 => "int32",
            Int64 => "int64",
            UInt8 => "uint8",
            UInt16 => "uint16",
            UInt32 => "uint32",
            UInt64 => "uint64",
            Float32 => "float32",
            Float64 => "float64",
            Complex64 => "complex64",
            Complex128 => "complex128",
        }
    }

    /// The type of a name.
    pub fn from_name(name: &str) -> Option<DType> {
        Self::ALL.into_iter().find(|dtype| dtype.name() == name)
    }

    /// NumPy's name for the C type: `npy_float64`.
    pub fn c_name(self) -> String {
        format!("npy_{}", self.name())
    }

    /// NumPy's number: `NPY_FLOAT64`.
    pub fn type_number(self) -> String {
        format!("NPY_{}", self.name().to_uppercase())
    }

    /// Real and imaginary part.
    pub fn is_complex(self) -> bool {
        matches!(self, Complex64 | Complex128)
    }
}
