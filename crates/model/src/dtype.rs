//! The dtypes: types of array elements.

use std::fmt;

use crate::scalar::ScalarClass;

use DType::{Complex64, Complex128, Float32, Float64};

/// Declares the dtypes: NumPy's name, the class of the number, and the bytes of an element.
macro_rules! declare_dtypes {
    ($($dtype:ident $name:literal $class:ident $size:literal)*) => {
        /// The type of an element, as NumPy names it; the order is that of `fp_type` in the native ABI.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum DType {
            $(#[doc = concat!("`", $name, "`")] $dtype,)*
        }

        impl DType {
            /// Every dtype.
            pub const ALL: [DType; [$($size),*].len()] = [$(DType::$dtype),*];

            /// NumPy's name.
            pub fn name(self) -> &'static str {
                match self {
                    $(DType::$dtype => $name,)*
                }
            }

            /// Bytes of an element.
            pub fn size(self) -> usize {
                match self {
                    $(DType::$dtype => $size,)*
                }
            }

            /// The class of the number.
            pub fn class(self) -> ScalarClass {
                match self {
                    $(DType::$dtype => ScalarClass::$class,)*
                }
            }
        }
    };
}

declare_dtypes! {
    Bool "bool" Bool 1
    Int8 "int8" Signed 1
    Int16 "int16" Signed 2
    Int32 "int32" Signed 4
    Int64 "int64" Signed 8
    UInt8 "uint8" Unsigned 1
    UInt16 "uint16" Unsigned 2
    UInt32 "uint32" Unsigned 4
    UInt64 "uint64" Unsigned 8
    Float32 "float32" Float 4
    Float64 "float64" Float 8
    Complex64 "complex64" Complex 8
    Complex128 "complex128" Complex 16
}

impl DType {
    /// The dtype of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|dtype| dtype.name() == name)
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

    /// The real type of a complex dtype's parts; any other dtype itself.
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
