//! The types of elements.

use std::fmt;

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

/// What kind of number a dtype is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// A truth value.
    Bool,
    /// A signed integer.
    Signed,
    /// An unsigned integer.
    Unsigned,
    /// A real floating-point number.
    Float,
    /// A complex number.
    Complex,
}

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
    pub fn class(self) -> Class {
        match self {
            Bool => Class::Bool,
            Int8 | Int16 | Int32 | Int64 => Class::Signed,
            UInt8 | UInt16 | UInt32 | UInt64 => Class::Unsigned,
            Float32 | Float64 => Class::Float,
            Complex64 | Complex128 => Class::Complex,
        }
    }

    /// True for integers, bool not included.
    pub fn is_integer(self) -> bool {
        matches!(self.class(), Class::Signed | Class::Unsigned)
    }

    /// True for real floating-point numbers.
    pub fn is_float(self) -> bool {
        self.class() == Class::Float
    }

    /// True for complex numbers.
    pub fn is_complex(self) -> bool {
        self.class() == Class::Complex
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
