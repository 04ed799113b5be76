//! The scalar types that can be passed to C.

use crate::dtype::DType;
use crate::platform::Platform;
use Scalar::*;
use core::ffi::{c_int, c_longlong, c_short};

/// Declares the scalar types: the name in this program, and the spelling in C99 and in C++ (with
/// the usual extension for complex types).
macro_rules! declare_scalars {
    ($($name:ident $c_name:literal)*) => {
        /// A C scalar type, named as in C. `int` and `int32_t` are separate because the prototype
        /// check compares C types; hosts that need only the value use [`Scalar::class`] and
        /// [`Scalar::size`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Scalar {
            $(#[doc = concat!("`", $c_name, "`")] $name,)*
        }

        impl Scalar {
            /// Every scalar type.
            pub const ALL: [Scalar; [$($c_name),*].len()] = [$($name),*];

            /// Its C spelling.
            pub fn c_name(self) -> &'static str {
                match self {
                    $($name => $c_name,)*
                }
            }
        }
    };
}

declare_scalars! {
    Bool "_Bool"
    Char "char"
    SChar "signed char"
    UChar "unsigned char"
    Short "short"
    UShort "unsigned short"
    Int "int"
    UInt "unsigned int"
    Long "long"
    ULong "unsigned long"
    LongLong "long long"
    ULongLong "unsigned long long"
    Int8 "int8_t"
    Int16 "int16_t"
    Int32 "int32_t"
    Int64 "int64_t"
    UInt8 "uint8_t"
    UInt16 "uint16_t"
    UInt32 "uint32_t"
    UInt64 "uint64_t"
    Size "size_t"
    SSize "ssize_t"
    PtrDiff "ptrdiff_t"
    IntPtr "intptr_t"
    UIntPtr "uintptr_t"
    Float "float"
    Double "double"
    ComplexFloat "float _Complex"
    ComplexDouble "double _Complex"
}

/// The class of number that a scalar is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ScalarClass {
    /// A bool.
    Bool,
    /// A signed integer.
    Signed,
    /// An unsigned integer.
    Unsigned,
    /// A real floating-point number.
    Float,
    /// A complex number of two floats.
    Complex,
}

impl Scalar {
    /// Bool, signed, unsigned, float or complex on the [`Platform`] in force.
    pub fn class(self) -> ScalarClass {
        match self {
            Bool => ScalarClass::Bool,
            // The platform decides whether it is signed.
            Char if !Platform::current().char_is_signed => ScalarClass::Unsigned,
            Char | SChar | Short | Int | Long | LongLong | Int8 | Int16 | Int32 | Int64 | SSize
            | PtrDiff | IntPtr => ScalarClass::Signed,
            UChar | UShort | UInt | ULong | ULongLong | UInt8 | UInt16 | UInt32 | UInt64 | Size
            | UIntPtr => ScalarClass::Unsigned,
            Float | Double => ScalarClass::Float,
            ComplexFloat | ComplexDouble => ScalarClass::Complex,
        }
    }

    /// Size in bytes on the [`Platform`] in force. The C compiler confirms it when the module is built.
    pub fn size(self) -> usize {
        match self {
            Bool | Char | SChar | UChar | Int8 | UInt8 => 1,
            Short | UShort => size_of::<c_short>(),
            Int | UInt => size_of::<c_int>(),
            Long | ULong => Platform::current().long_size,
            LongLong | ULongLong => size_of::<c_longlong>(),
            Int16 | UInt16 => 2,
            Int32 | UInt32 | Float => 4,
            Int64 | UInt64 | Double | ComplexFloat => 8,
            Size | SSize | PtrDiff | IntPtr | UIntPtr => size_of::<usize>(),
            ComplexDouble => 16,
        }
    }

    /// True for signed and unsigned integers, not for `_Bool`.
    pub fn is_integer(self) -> bool {
        matches!(self.class(), ScalarClass::Signed | ScalarClass::Unsigned)
    }

    /// The dtype of an array of such elements.
    pub fn dtype(self) -> DType {
        match (self.class(), self.size()) {
            (ScalarClass::Bool, _) => DType::Bool,
            (ScalarClass::Signed, 1) => DType::Int8,
            (ScalarClass::Signed, 2) => DType::Int16,
            (ScalarClass::Signed, 4) => DType::Int32,
            (ScalarClass::Signed, _) => DType::Int64,
            (ScalarClass::Unsigned, 1) => DType::UInt8,
            (ScalarClass::Unsigned, 2) => DType::UInt16,
            (ScalarClass::Unsigned, 4) => DType::UInt32,
            (ScalarClass::Unsigned, _) => DType::UInt64,
            (ScalarClass::Float, 4) => DType::Float32,
            (ScalarClass::Float, _) => DType::Float64,
            (ScalarClass::Complex, 8) => DType::Complex64,
            (ScalarClass::Complex, _) => DType::Complex128,
        }
    }

    /// The name of the dtype in NumPy, Arrow and the array API standard: `int64`, `float32`,
    /// `complex128`, `bool`.
    pub fn dtype_name(self) -> &'static str {
        self.dtype().name()
    }

    /// The type for a name: a NumPy name (`int64`, `float32`) or a C spelling with its words in any
    /// order (`unsigned long`, `long unsigned int`, `double complex`).
    pub fn from_name(name: &str) -> Option<Scalar> {
        Some(match name {
            "bool" => Bool,
            "int8" => Int8,
            "int16" => Int16,
            "int32" => Int32,
            "int64" => Int64,
            "uint8" => UInt8,
            "uint16" => UInt16,
            "uint32" => UInt32,
            "uint64" => UInt64,
            "float32" => Float,
            "float64" => Double,
            "complex64" => ComplexFloat,
            "complex128" => ComplexDouble,
            _ => return Self::from_words(&name.split_whitespace().collect::<Vec<_>>()),
        })
    }

    /// The type for a list of C type specifiers, in any order, as C allows (C99 6.7.2).
    pub fn from_words(words: &[&str]) -> Option<Scalar> {
        if let [word] = words {
            let found = Self::ALL.into_iter().find(|scalar| scalar.c_name() == *word);
            if found.is_some() {
                return found;
            }
        }
        let mut words: Vec<&str> = words.to_vec();
        words.sort_unstable();
        Some(match words.as_slice() {
            ["_Bool"] | ["bool"] => Bool,
            ["char"] => Char,
            ["char", "signed"] => SChar,
            ["char", "unsigned"] => UChar,
            ["short"] | ["int", "short"] | ["short", "signed"] | ["int", "short", "signed"] => {
                Short
            }
            ["short", "unsigned"] | ["int", "short", "unsigned"] => UShort,
            ["int"] | ["signed"] | ["int", "signed"] => Int,
            ["unsigned"] | ["int", "unsigned"] => UInt,
            ["long"] | ["int", "long"] | ["long", "signed"] | ["int", "long", "signed"] => Long,
            ["long", "unsigned"] | ["int", "long", "unsigned"] => ULong,
            ["long", "long"]
            | ["int", "long", "long"]
            | ["long", "long", "signed"]
            | ["int", "long", "long", "signed"] => LongLong,
            ["long", "long", "unsigned"] | ["int", "long", "long", "unsigned"] => ULongLong,
            ["float"] => Float,
            ["double"] => Double,
            ["_Complex", "float"] | ["complex", "float"] => ComplexFloat,
            ["_Complex", "double"] | ["complex", "double"] => ComplexDouble,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_is_found_by_its_own_spelling() {
        for scalar in Scalar::ALL {
            assert_eq!(Scalar::from_name(scalar.c_name()), Some(scalar));
        }
    }

    #[test]
    fn specifiers_come_in_any_order() {
        assert_eq!(Scalar::from_name("long unsigned int long"), Some(ULongLong));
        assert_eq!(Scalar::from_name("complex double"), Some(ComplexDouble));
        assert_eq!(Scalar::from_name("short double"), None);
    }

    #[test]
    fn array_names_are_found_again() {
        for scalar in Scalar::ALL {
            let found = Scalar::from_name(scalar.dtype_name()).unwrap();
            assert_eq!((found.class(), found.size()), (scalar.class(), scalar.size()));
        }
    }
}
