//! Scalar functions as C expressions, with NumPy's semantics.

mod definitions;

pub use definitions::helper;

use fishplate_graph::{Class, DType, Function};

use crate::ctype::{c_type, suffix};
use crate::helpers::Helpers;

/// The expression for a function with these arguments, which are names; `from` is the dtype of the
/// last one. Requests the helpers that it calls.
pub fn expression(
    function: Function,
    from: DType,
    arguments: &[String],
    helpers: &mut Helpers,
) -> String {
    use Function::*;
    let a = arguments.first().map_or("", String::as_str);
    let b = arguments.get(1).map_or("", String::as_str);
    let c = c_type(from);
    let class = from.class();
    let float = from.is_float();
    let complex = from.is_complex();
    let integer = from.is_integer();
    let is_bool = from == DType::Bool;
    let infix = |operator: &str| format!("({c})({a} {operator} {b})");
    let truth = |operator: &str| format!("({a} {operator} {b})");
    let mut helper = |name: &str| {
        let name = helpers.request(name, from);
        format!("{name}({})", arguments.join(", "))
    };
    match function {
        Add if is_bool => format!("({a} | {b})"),
        Mul if is_bool => format!("({a} & {b})"),
        Add => infix("+"),
        Sub => infix("-"),
        Mul if complex => helper("multiply"),
        Mul if float => product(c, a, b),
        Mul => infix("*"),
        TrueDivide if complex => helper("divide"),
        TrueDivide => infix("/"),
        FloorDivide => helper("floor_divide"),
        Mod => helper("mod"),
        Fmod if integer => helper("remainder"),
        Fmod => libm("fmod", from, arguments, helpers),
        Pow if integer => helper("power"),
        Pow if complex => {
            libm("pow", from, arguments, helpers);
            for needed in ["multiply", "divide"] {
                helpers.request(needed, from);
            }
            format!("{}({a}, {b})", helpers.request("power", from))
        }
        Pow => libm("pow", from, arguments, helpers),
        Negative => format!("({c})-{a}"),
        Absolute if float => format!("__builtin_fabs{}({a})", f(from)),
        Absolute if complex => libm("abs", from, arguments, helpers),
        Absolute if class == Class::Signed => format!("({c})({a} < 0 ? -{a} : {a})"),
        Absolute => a.to_owned(),
        Sign if complex => helper("sign"),
        Sign if float => format!("({a} > 0 ? 1 : {a} < 0 ? -1 : {a} == 0 ? 0 : {a})"),
        Sign if class == Class::Unsigned => format!("({c})({a} > 0)"),
        Sign => format!("({c})(({a} > 0) - ({a} < 0))"),
        Square if complex => format!("{}({a}, {a})", helpers.request("multiply", from)),
        Square if float => product(c, a, a),
        Square => format!("({c})({a} * {a})"),
        Reciprocal if integer => {
            let name = helpers.request(&format!("to_{}", suffix(from)), DType::Float64);
            format!("{name}(1.0 / {a})")
        }
        Reciprocal if complex => helper("reciprocal"),
        Reciprocal => format!("(1 / {a})"),
        Conj if complex => format!("(~{a})"),
        RealPart if complex => format!("__real__({a})"),
        ImagPart if complex => format!("__imag__({a})"),
        Conj | RealPart => a.to_owned(),
        ImagPart => format!("((void){a}, ({c})0)"),
        Angle if complex => libm("arg", from, arguments, helpers),
        Angle => libm("atan2", from, &["0".to_owned(), a.to_owned()], helpers),
        Eq => truth("=="),
        Ne => truth("!="),
        Lt => truth("<"),
        Le => truth("<="),
        Gt => truth(">"),
        Ge => truth(">="),
        LogicalAnd => format!("(({a} != 0) & ({b} != 0))"),
        LogicalOr => format!("(({a} != 0) | ({b} != 0))"),
        LogicalXor => format!("(({a} != 0) ^ ({b} != 0))"),
        LogicalNot => format!("({a} == 0)"),
        BitwiseAnd => infix("&"),
        BitwiseOr => infix("|"),
        BitwiseXor => infix("^"),
        Invert if is_bool => format!("({a} ^ 1)"),
        Invert => format!("({c})~{a}"),
        LeftShift => helper("left_shift"),
        RightShift => helper("right_shift"),
        Maximum if float => format!("({a} >= {b} || {a} != {a} ? {a} : {b})"),
        Minimum if float => format!("({a} <= {b} || {a} != {a} ? {a} : {b})"),
        Fmax if float => format!("({a} >= {b} || {b} != {b} ? {a} : {b})"),
        Fmin if float => format!("({a} <= {b} || {b} != {b} ? {a} : {b})"),
        Maximum | Fmax => format!("({a} >= {b} ? {a} : {b})"),
        Minimum | Fmin => format!("({a} <= {b} ? {a} : {b})"),
        Where => format!("({a} ? {b} : {})", arguments.get(2).map_or("", String::as_str)),
        Floor | Ceil | Trunc if !float => a.to_owned(),
        Floor => format!("__builtin_floor{}({a})", f(from)),
        Ceil => format!("__builtin_ceil{}({a})", f(from)),
        Trunc => format!("__builtin_trunc{}({a})", f(from)),
        Rint if complex => helper("rint"),
        Rint => format!("__builtin_rint{}({a})", f(from)),
        Sqrt if float => format!("__builtin_sqrt{}({a})", f(from)),
        IsNan if complex => {
            format!("(__real__({a}) != __real__({a}) || __imag__({a}) != __imag__({a}))")
        }
        IsNan if float => format!("({a} != {a})"),
        IsInf if complex => {
            format!(
                "({} || {})",
                is_infinite(&format!("__real__({a})")),
                is_infinite(&format!("__imag__({a})"))
            )
        }
        IsInf if float => is_infinite(a),
        IsNan | IsInf => format!("((void){a}, 0)"),
        IsFinite if complex => {
            format!(
                "({} && {})",
                is_finite(&format!("__real__({a})")),
                is_finite(&format!("__imag__({a})"))
            )
        }
        IsFinite if float => is_finite(a),
        IsFinite => format!("((void){a}, 1)"),
        SignBit => format!("(__builtin_signbit({a}) != 0)"),
        CopySign => format!("__builtin_copysign{}({a}, {b})", f(from)),
        LogAddExp => {
            for needed in ["exp", "log1p"] {
                libm(needed, from, &[a.to_owned()], helpers);
            }
            let name = helpers.request("logaddexp", from);
            format!("{name}({})", arguments.join(", "))
        }
        Sigmoid => {
            let e = libm("exp", from, &[format!("-{a}")], helpers);
            format!("(1 / (1 + {e}))")
        }
        Exp2 | Expm1 | Log2 | Log10 | Log1p if complex => {
            for (needed, dtype) in parts_of(function, from) {
                let count = if matches!(needed, "atan2" | "hypot") { 2 } else { 1 };
                libm(needed, dtype, &vec![String::new(); count], helpers);
            }
            format!("{}({a})", helpers.request(function.name(), from))
        }
        Exp | Exp2 | Expm1 | Log | Log2 | Log10 | Log1p | Sqrt | Cbrt | Sin | Cos | Tan
        | Arcsin | Arccos | Arctan | Arctan2 | Sinh | Cosh | Tanh | Arcsinh | Arccosh | Arctanh
        | Hypot | Erf | Erfc | Gamma | Lgamma | NextAfter | Fma => {
            libm(c_name(function), from, arguments, helpers)
        }
        Cast(DType::Bool) => format!("({a} != 0)"),
        Cast(to) if complex && to.is_float() => format!("({})__real__({a})", c_type(to)),
        Cast(to) if (float || complex) && to.is_integer() => {
            let name = helpers.request(&format!("to_{}", suffix(to)), from.real());
            if complex { format!("{name}(__real__({a}))") } else { format!("{name}({a})") }
        }
        Cast(to) => format!("({}){a}", c_type(to)),
    }
}

/// The replacement for a function of complex numbers that C lacks.
fn parts_of(function: Function, dtype: DType) -> Vec<(&'static str, DType)> {
    let (real, names): (bool, &[&str]) = match function {
        Function::Exp2 => (false, &["exp"]),
        Function::Expm1 => (true, &["exp", "expm1", "sin", "cos"]),
        Function::Log1p => (true, &["log", "hypot", "atan2"]),
        _ => (false, &["log"]),
    };
    let of = if real { dtype.real() } else { dtype };
    names.iter().map(|&name| (name, of)).collect()
}

/// A product of floats, which is rounded before any addition.
fn product(c: &str, a: &str, b: &str) -> String {
    format!("FP_ROUND(({c})({a} * {b}))")
}

fn is_infinite(x: &str) -> String {
    format!("(__builtin_fabs({x}) == __builtin_inf())")
}

fn is_finite(x: &str) -> String {
    format!("(__builtin_fabs({x}) < __builtin_inf())")
}

/// The suffix `f` of single precision.
fn f(dtype: DType) -> &'static str {
    if dtype.real() == DType::Float32 { "f" } else { "" }
}

/// The name in C's math library, if it differs from NumPy's.
fn c_name(function: Function) -> &'static str {
    match function {
        Function::Arcsin => "asin",
        Function::Arccos => "acos",
        Function::Arctan => "atan",
        Function::Arctan2 => "atan2",
        Function::Arcsinh => "asinh",
        Function::Arccosh => "acosh",
        Function::Arctanh => "atanh",
        Function::Gamma => "tgamma",
        other => other.name(),
    }
}

/// A call of the math library.
fn libm(name: &str, dtype: DType, arguments: &[String], helpers: &mut Helpers) -> String {
    let prefix = if dtype.is_complex() { "c" } else { "" };
    let name = format!("{prefix}{name}{}", f(dtype));
    let real = matches!(name.trim_start_matches('c').trim_end_matches('f'), "abs" | "arg");
    let result = if real { dtype.real() } else { dtype };
    helpers.declare(&name, c_type(result), c_type(dtype), arguments.len());
    format!("{name}({})", arguments.join(", "))
}

/// The approximate time of a function per element, in sixteenths of nanoseconds, vectorised.
pub fn cost(function: Function, dtype: DType) -> u32 {
    use Function::*;
    let cost: u32 = match function {
        Pow | Gamma | Lgamma | Fmod | Mod | FloorDivide | LogAddExp | NextAfter => 128,
        Exp | Exp2 | Expm1 | Log | Log2 | Log10 | Log1p | Cbrt | Sin | Cos | Tan | Arcsin
        | Arccos | Arctan | Arctan2 | Sinh | Cosh | Tanh | Arcsinh | Arccosh | Arctanh | Hypot
        | Erf | Erfc | Sigmoid => {
            if dtype.is_complex() {
                500
            } else {
                14
            }
        }
        TrueDivide | Sqrt | Reciprocal => 8,
        _ => 1,
    };
    // Vectors have twice as many elements.
    if dtype == DType::Float32 { cost.div_ceil(2) } else { cost }
}

/// True for a call of the math library, as opposed to a few instructions.
pub fn is_called(function: Function) -> bool {
    cost(function, DType::Float64) >= 14
}
