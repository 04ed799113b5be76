//! Scalar functions: the functions that maps apply to elements.

use crate::{Class, DType, Error};

macro_rules! functions {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $arity:literal, $takes:ident, $yields:ident;)*) => {
        /// A scalar function with NumPy's semantics, including NaN, signs and integer division.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Function {
            $($(#[$doc])* #[doc = concat!("`", $name, "`")] $variant,)*
            /// A cast to another dtype, as in C; to bool: is it not zero.
            Cast(DType),
        }

        impl Function {
            /// Every function but casts.
            pub const ALL: &'static [Function] = &[$(Function::$variant),*];

            /// NumPy's name (SciPy's for functions that NumPy lacks), short names for operators.
            pub fn name(self) -> &'static str {
                match self {
                    $(Function::$variant => $name,)*
                    Function::Cast(_) => "cast",
                }
            }

            /// The number of its arguments.
            pub fn arity(self) -> usize {
                match self {
                    $(Function::$variant => $arity,)*
                    Function::Cast(_) => 1,
                }
            }

            fn takes(self) -> u8 {
                match self {
                    $(Function::$variant => $takes,)*
                    Function::Cast(_) => ANY,
                }
            }

            fn result_rule(self) -> Yields {
                match self {
                    $(Function::$variant => Yields::$yields,)*
                    Function::Cast(to) => Yields::This(to),
                }
            }
        }
    };
}

const BOOL: u8 = 1;
const INTEGER: u8 = 2;
const FLOAT: u8 = 4;
const COMPLEX: u8 = 8;
const ANY: u8 = BOOL | INTEGER | FLOAT | COMPLEX;
const NUMBER: u8 = INTEGER | FLOAT | COMPLEX;
const REAL: u8 = BOOL | INTEGER | FLOAT;
const SIZED: u8 = INTEGER | FLOAT;
const INEXACT: u8 = FLOAT | COMPLEX;
const BITS: u8 = BOOL | INTEGER;

enum Yields {
    Same,
    Truth,
    Real,
    Last,
    This(DType),
}

functions! {
    Add = "add", 2, ANY, Same;
    Sub = "sub", 2, NUMBER, Same;
    Mul = "mul", 2, ANY, Same;
    TrueDivide = "true_divide", 2, INEXACT, Same;
    FloorDivide = "floor_divide", 2, SIZED, Same;
    Mod = "mod", 2, SIZED, Same;
    Fmod = "fmod", 2, SIZED, Same;
    Pow = "pow", 2, NUMBER, Same;
    Negative = "negative", 1, NUMBER, Same;
    Absolute = "absolute", 1, ANY, Real;
    Sign = "sign", 1, NUMBER, Same;
    Square = "square", 1, NUMBER, Same;
    Reciprocal = "reciprocal", 1, NUMBER, Same;
    Conj = "conj", 1, NUMBER, Same;
    RealPart = "real", 1, ANY, Real;
    ImagPart = "imag", 1, ANY, Real;
    Angle = "angle", 1, INEXACT, Real;
    Eq = "eq", 2, ANY, Truth;
    Ne = "ne", 2, ANY, Truth;
    Lt = "lt", 2, REAL, Truth;
    Le = "le", 2, REAL, Truth;
    Gt = "gt", 2, REAL, Truth;
    Ge = "ge", 2, REAL, Truth;
    LogicalAnd = "logical_and", 2, ANY, Truth;
    LogicalOr = "logical_or", 2, ANY, Truth;
    LogicalXor = "logical_xor", 2, ANY, Truth;
    LogicalNot = "logical_not", 1, ANY, Truth;
    BitwiseAnd = "bitwise_and", 2, BITS, Same;
    BitwiseOr = "bitwise_or", 2, BITS, Same;
    BitwiseXor = "bitwise_xor", 2, BITS, Same;
    Invert = "invert", 1, BITS, Same;
    LeftShift = "left_shift", 2, INTEGER, Same;
    RightShift = "right_shift", 2, INTEGER, Same;
    Maximum = "maximum", 2, REAL, Same;
    Minimum = "minimum", 2, REAL, Same;
    Fmax = "fmax", 2, REAL, Same;
    Fmin = "fmin", 2, REAL, Same;
    Where = "where", 3, ANY, Last;
    Exp = "exp", 1, INEXACT, Same;
    Exp2 = "exp2", 1, INEXACT, Same;
    Expm1 = "expm1", 1, INEXACT, Same;
    Log = "log", 1, INEXACT, Same;
    Log2 = "log2", 1, INEXACT, Same;
    Log10 = "log10", 1, INEXACT, Same;
    Log1p = "log1p", 1, INEXACT, Same;
    Sqrt = "sqrt", 1, INEXACT, Same;
    Cbrt = "cbrt", 1, FLOAT, Same;
    Sin = "sin", 1, INEXACT, Same;
    Cos = "cos", 1, INEXACT, Same;
    Tan = "tan", 1, INEXACT, Same;
    Arcsin = "arcsin", 1, INEXACT, Same;
    Arccos = "arccos", 1, INEXACT, Same;
    Arctan = "arctan", 1, INEXACT, Same;
    Arctan2 = "arctan2", 2, FLOAT, Same;
    Sinh = "sinh", 1, INEXACT, Same;
    Cosh = "cosh", 1, INEXACT, Same;
    Tanh = "tanh", 1, INEXACT, Same;
    Arcsinh = "arcsinh", 1, INEXACT, Same;
    Arccosh = "arccosh", 1, INEXACT, Same;
    Arctanh = "arctanh", 1, INEXACT, Same;
    Hypot = "hypot", 2, FLOAT, Same;
    Erf = "erf", 1, FLOAT, Same;
    Erfc = "erfc", 1, FLOAT, Same;
    Gamma = "gamma", 1, FLOAT, Same;
    Lgamma = "lgamma", 1, FLOAT, Same;
    Sigmoid = "sigmoid", 1, FLOAT, Same;
    Floor = "floor", 1, REAL, Same;
    Ceil = "ceil", 1, REAL, Same;
    Trunc = "trunc", 1, REAL, Same;
    Rint = "rint", 1, INEXACT, Same;
    IsNan = "isnan", 1, ANY, Truth;
    IsInf = "isinf", 1, ANY, Truth;
    IsFinite = "isfinite", 1, ANY, Truth;
    SignBit = "signbit", 1, FLOAT, Truth;
    CopySign = "copysign", 2, FLOAT, Same;
    NextAfter = "nextafter", 2, FLOAT, Same;
    LogAddExp = "logaddexp", 2, FLOAT, Same;
    Fma = "fma", 3, FLOAT, Same;
}

impl Function {
    /// The function with that name; casts have none.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|function| function.name() == name)
    }

    /// The dtype of the result for arguments of these dtypes.
    ///
    /// # Errors
    ///
    /// The wrong number of arguments, dtypes that differ, or a dtype for which the function is not
    /// defined.
    pub fn result(self, arguments: &[DType]) -> Result<DType, Error> {
        let name = self.name();
        if arguments.len() != self.arity() {
            return Err(Error::kind_type(format!(
                "{name} takes {} arguments, got {}",
                self.arity(),
                arguments.len()
            )));
        }
        let values = if self == Function::Where {
            if arguments[0] != DType::Bool {
                return Err(Error::kind_type(format!(
                    "where takes a bool condition, got {}",
                    arguments[0]
                )));
            }
            &arguments[1..]
        } else {
            arguments
        };
        let dtype = values[0];
        if let Some(other) = values.iter().find(|&&other| other != dtype) {
            return Err(Error::kind_type(format!(
                "{name} takes arguments of one dtype, got {dtype} and {other}"
            )));
        }
        let class = match dtype.class() {
            Class::Bool => BOOL,
            Class::Signed | Class::Unsigned => INTEGER,
            Class::Float => FLOAT,
            Class::Complex => COMPLEX,
        };
        if self.takes() & class == 0 {
            return Err(Error::kind_type(format!("{name} is not defined for {dtype}")));
        }
        Ok(match self.result_rule() {
            Yields::Same | Yields::Last => dtype,
            Yields::Truth => DType::Bool,
            Yields::Real => dtype.real(),
            Yields::This(to) => to,
        })
    }

    /// True if the order of two arguments does not matter, for every value, NaN payloads aside.
    pub fn is_commutative(self) -> bool {
        use Function::*;
        matches!(
            self,
            Add | Mul
                | Eq
                | Ne
                | LogicalAnd
                | LogicalOr
                | LogicalXor
                | BitwiseAnd
                | BitwiseOr
                | BitwiseXor
                | Hypot
        )
    }
}
