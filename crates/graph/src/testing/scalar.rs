//! Scalars, and the effect of each function on them. Complex numbers are covered by the tests in
//! Python.

use crate::{Class, DType, Function};

/// A number: of an integer dtype (a bool is 0 or 1), or a float.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Scalar {
    Int(i128),
    Float(f64),
}

use Scalar::{Float, Int};

impl Scalar {
    pub(crate) fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Int(a), Int(b)) => a == b,
            (Float(a), Float(b)) => (a.is_nan() && b.is_nan()) || a.to_bits() == b.to_bits(),
            _ => false,
        }
    }

    pub(crate) fn truth(self) -> bool {
        match self {
            Int(value) => value != 0,
            Float(value) => value != 0.0,
        }
    }

    fn float(self) -> f64 {
        match self {
            Int(value) => value as f64,
            Float(value) => value,
        }
    }

    pub(crate) fn int(self) -> i128 {
        match self {
            Int(value) => value,
            Float(value) => value as i128,
        }
    }

    /// Converted to a dtype: integers wrap around, floats are rounded.
    pub(crate) fn cast(self, dtype: DType) -> Self {
        match dtype.class() {
            Class::Bool => Int(self.truth().into()),
            Class::Signed | Class::Unsigned => {
                let bits = 8 * dtype.size() as u32;
                let low = self.int().rem_euclid(1 << bits);
                let negative = dtype.class() == Class::Signed && low >> (bits - 1) == 1;
                Int(if negative { low - (1 << bits) } else { low })
            }
            Class::Float if dtype == DType::Float32 => Float(f64::from(self.float() as f32)),
            Class::Float => Float(self.float()),
            Class::Complex => unimplemented!("complex numbers"),
        }
    }

    pub(crate) fn bytes(self, dtype: DType) -> Vec<u8> {
        match self {
            Int(value) => value.to_le_bytes()[..dtype.size()].to_vec(),
            Float(value) if dtype == DType::Float32 => (value as f32).to_le_bytes().to_vec(),
            Float(value) => value.to_le_bytes().to_vec(),
        }
    }

    pub(crate) fn of(dtype: DType, bytes: &[u8]) -> Self {
        match dtype {
            DType::Float32 => Float(f32::from_le_bytes(bytes.try_into().unwrap()).into()),
            DType::Float64 => Float(f64::from_le_bytes(bytes.try_into().unwrap())),
            _ => {
                let mut all = [0; 16];
                all[..bytes.len()].copy_from_slice(bytes);
                Int(i128::from_le_bytes(all)).cast(dtype)
            }
        }
    }
}

/// The result of a function for arguments of one dtype (that of the last, for `where`).
pub(crate) fn call(function: Function, dtype: DType, arguments: &[Scalar]) -> Scalar {
    let result = match (function, arguments) {
        (Function::Cast(to), &[x]) => return x.cast(to),
        (Function::Where, &[condition, yes, no]) => {
            return if condition.truth() { yes } else { no };
        }
        (_, &[x]) => unary(function, x),
        (_, &[Int(a), Int(b)]) => integers(function, a, b, dtype),
        (_, &[Float(a), Float(b)]) => floats(function, a, b),
        (Function::Fma, &[Float(a), Float(b), Float(c)]) => Float(a.mul_add(b, c)),
        _ => unimplemented!("{function:?} of {arguments:?}"),
    };
    match function {
        Function::Add | Function::Mul if dtype == DType::Bool => Int(result.truth().into()),
        Function::Invert if dtype == DType::Bool => Int(1 - arguments[0].int()),
        _ => result.cast(function.result(&vec![dtype; arguments.len()]).unwrap()),
    }
}

fn truth(value: bool) -> Scalar {
    Int(value.into())
}

fn unary(function: Function, x: Scalar) -> Scalar {
    use Function::*;
    match (function, x) {
        (LogicalNot, x) => truth(!x.truth()),
        (Conj | RealPart, x) => x,
        (Negative, Int(x)) => Int(-x),
        (Absolute, Int(x)) => Int(x.abs()),
        (Sign, Int(x)) => Int(x.signum()),
        (Square, Int(x)) => Int(x.wrapping_mul(x)),
        (Invert, Int(x)) => Int(!x),
        (Reciprocal, Int(x)) => Int(if x == 0 { 0 } else { 1 / x }),
        (ImagPart, Int(_)) | (IsNan | IsInf, Int(_)) => Int(0),
        (IsFinite, Int(_)) => Int(1),
        (Floor | Ceil | Trunc, Int(x)) => Int(x),
        (IsNan, Float(x)) => truth(x.is_nan()),
        (IsInf, Float(x)) => truth(x.is_infinite()),
        (IsFinite, Float(x)) => truth(x.is_finite()),
        (SignBit, Float(x)) => truth(x.is_sign_negative()),
        (_, Float(x)) => Float(match function {
            Negative => -x,
            Absolute => x.abs(),
            Square => x * x,
            Reciprocal => 1.0 / x,
            Sign if x == 0.0 => 0.0,
            Sign if x.is_nan() => x,
            Sign => x.signum(),
            ImagPart => 0.0,
            Exp => x.exp(),
            Log => x.ln(),
            Sqrt => x.sqrt(),
            Sin => x.sin(),
            Cos => x.cos(),
            Tanh => x.tanh(),
            Floor => x.floor(),
            Ceil => x.ceil(),
            Trunc => x.trunc(),
            Rint => x.round_ties_even(),
            Sigmoid => 1.0 / (1.0 + (-x).exp()),
            _ => unimplemented!("{function:?}"),
        }),
        _ => unimplemented!("{function:?} of {x:?}"),
    }
}

fn compare<T: PartialOrd>(function: Function, a: T, b: T) -> Option<Scalar> {
    Some(truth(match function {
        Function::Eq => a == b,
        Function::Ne => a != b,
        Function::Lt => a < b,
        Function::Le => a <= b,
        Function::Gt => a > b,
        Function::Ge => a >= b,
        _ => return None,
    }))
}

fn logic(function: Function, a: bool, b: bool) -> Option<Scalar> {
    Some(truth(match function {
        Function::LogicalAnd => a && b,
        Function::LogicalOr => a || b,
        Function::LogicalXor => a != b,
        _ => return None,
    }))
}

fn integers(function: Function, a: i128, b: i128, dtype: DType) -> Scalar {
    use Function::*;
    let known = compare(function, a, b).or_else(|| logic(function, a != 0, b != 0));
    let bits = 8 * dtype.size() as i128;
    known.unwrap_or_else(|| {
        Int(match function {
            Add => a + b,
            Sub => a - b,
            Mul => a.wrapping_mul(b),
            FloorDivide | Mod if b == 0 => 0,
            FloorDivide => (a - (a % b + b) % b) / b,
            Mod => (a % b + b) % b,
            Pow if b < 0 => 0,
            Pow => power(a, b, dtype),
            BitwiseAnd => a & b,
            BitwiseOr => a | b,
            BitwiseXor => a ^ b,
            LeftShift => {
                if (0..bits).contains(&b) {
                    a << b
                } else {
                    0
                }
            }
            RightShift => a >> if (0..bits).contains(&b) { b } else { bits - 1 },
            Maximum | Fmax => a.max(b),
            Minimum | Fmin => a.min(b),
            _ => unimplemented!("{function:?}"),
        })
    })
}

fn floats(function: Function, a: f64, b: f64) -> Scalar {
    use Function::*;
    let known = compare(function, a, b).or_else(|| logic(function, a != 0.0, b != 0.0));
    let nan = a.is_nan() || b.is_nan();
    known.unwrap_or_else(|| {
        Float(match function {
            Add => a + b,
            Sub => a - b,
            Mul => a * b,
            TrueDivide => a / b,
            // Rounded exactly, as `powf` is not: so the rewrites of these compare bit by bit.
            Pow if b == -1.0 => 1.0 / a,
            Pow if b == 0.5 && a.is_finite() => a.sqrt().abs(),
            Pow => a.powf(b),
            FloorDivide => (a / b).floor(),
            Mod => a - b * (a / b).floor(),
            Maximum | Minimum if nan => f64::NAN,
            Maximum => {
                if a >= b {
                    a
                } else {
                    b
                }
            }
            Minimum => {
                if a <= b {
                    a
                } else {
                    b
                }
            }
            Hypot => a.hypot(b),
            CopySign => a.copysign(b),
            _ => unimplemented!("{function:?}"),
        })
    })
}

fn power(a: i128, b: i128, dtype: DType) -> i128 {
    let times = |a: i128, b: i128| Int(a.wrapping_mul(b)).cast(dtype).int();
    let (mut power, mut square, mut rest) = (1, a, b);
    while rest > 0 {
        if rest % 2 == 1 {
            power = times(power, square);
        }
        square = times(square, square);
        rest /= 2;
    }
    power
}
