//! The types of elements.

use std::fmt;

use crate::scalar::ScalarClass;

/// The type of an element, as NumPy names it; the order is that of `fp_type` in the native ABI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DType {
    /// A truth value: a byte of 0 or 1.
    Bool,
    /// A signed integer of 8 bits.
    Int8,
    /// A signed integer of 16 bits.
    Int16,
    /// A signed integer of 32 bits.
    Int32,
    /// A signed integer of 64 bits.
    Int64,
    /// An unsigned integer of 8 bits.
    UInt8,
    /// An unsigned integer of 16 bits.
    UInt16,
    /// An unsigned integer of 32 bits.
    UInt32,
    /// An unsigned integer of 64 bits.
    UInt64,
    /// IEEE 754 single precision.
    Float32,
    /// IEEE 754 double precision.
    Float64,
    /// Two `Float32`.
    Complex64,
    /// Two `Float64`.
    Complex128,
}

use DType::*;

impl DType {
    /// Every dtype.
    pub const ALL: [DType; 13] = [
        Bool, Int8, Int16, Int32, Int64, UInt8, UInt16, UInt32, UInt64, Float32, Float64,
        Complex64, Complex128,
    ];

    /// NumPy's name.
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

    /// The dtype of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|dtype| dtype.name() == name)
    }

    /// Bytes of an element.
    pub fn size(self) -> usize {
        match self {
            Bool | Int8 | UInt8 => 1,
            Int16 | UInt16 => 2,
            Int32 | UInt32 | Float32 => 4,
            Int64 | UInt64 | Float64 | Complex64 => 8,
            Complex128 => 16,
        }
    }

    /// What kind of number it is.
    pub fn class(self) -> ScalarClass {
        match self {
            Bool => ScalarClass::Bool,
            Int8 | Int16 | Int32 | Int64 => ScalarClass::Signed,
            UInt8 | UInt16 | UInt32 | UInt64 => ScalarClass::Unsigned,
            Float32 | Float64 => ScalarClass::Float,
            Complex64 | Complex128 => ScalarClass::Complex,
        }
    }

    /// True for integers, bool not included.
    pub fn is_integer(self) -> bool {
        matches!(self.class(), ScalarClass::Signed | ScalarClass::Unsigned)
    }

    /// True for real floating-point numbers.
    pub fn is_float(self) -> bool {
        self.class() == ScalarClass::Float
    }

    /// True for complex numbers.
    pub fn is_complex(self) -> bool {
        self.class() == ScalarClass::Complex
    }

    /// The type of the real part: that of a complex number's halves, else itself.
    pub fn real(self) -> Self {
        match self {
            Complex64 => Float32,
            Complex128 => Float64,
            other => other,
        }
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
