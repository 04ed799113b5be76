//! Scalar functions as C expressions, with NumPy's semantics.

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

/// The source of a helper for a dtype; `T` is its C type, `S` its part of names, `F` the `f` of
/// single precision.
pub fn helper(name: &str, dtype: DType) -> String {
    let text = match (name, dtype.class()) {
        // Towards zero, then modulo 2 to the power of the bits. C leaves values beyond int64 (int32
        // for int32) and NaN undefined: here they are the least int64 (int32), as on x86, of which
        // narrow types have the lowest bits.
        ("to_int32", _) => {
            "static inline int
fp_to_int32_S(T a)
{
    return a > (T)-0x1p31 - 1 && a < (T)0x1p31 ? (int)a : -0x7fffffff - 1;
}
"
        }
        ("to_uint64", _) => {
            "static inline fp_uint64
fp_to_uint64_S(T a)
{
    return a >= (T)0x1p63 && a < (T)0x1p64 ? (fp_uint64)a
        : a >= (T)-0x1p63 && a < (T)0x1p63 ? (fp_uint64)(fp_int64)a
                                            : (fp_uint64)1 << 63;
}
"
        }
        (name, _) if name.starts_with("to_") => {
            let to = DType::from_name(&name[3..]).expect("it is named for a dtype");
            return text_for(
                &format!(
                    "static inline {c}
fp_{name}_S(T a)
{{
    return ({c})(a >= (T)-0x1p63 && a < (T)0x1p63 ? (fp_int64)a : -0x7fffffffffffffff - 1);
}}
",
                    c = c_type(to)
                ),
                dtype,
            );
        }
        ("floor_divide", Class::Unsigned) => {
            "static inline T\nfp_floor_divide_S(T a, T b)\n{\n    return b == 0 ? 0 : a / b;\n}\n"
        }
        ("floor_divide", Class::Signed) => {
            "static inline T
fp_floor_divide_S(T a, T b)
{
    if (b == 0 || b == -1) {
        return (T)(b == 0 ? 0 : -a);
    }
    return (T)(a / b - (a % b != 0 && (a < 0) != (b < 0)));
}
"
        }
        ("floor_divide", _) => {
            "static inline T
fp_floor_divide_S(T a, T b)
{
    T rest = __builtin_fmodF(a, b), whole, down;
    if (b == 0) {
        return a / b;
    }
    whole = (a - rest) / b - (rest != 0 && (b < 0) != (rest < 0));
    if (whole == 0) {
        return __builtin_copysignF(0, a / b);
    }
    down = __builtin_floorF(whole);
    return whole - down > (T)0.5 ? down + 1 : down;
}
"
        }
        ("mod", Class::Unsigned) => {
            "static inline T\nfp_mod_S(T a, T b)\n{\n    return b == 0 ? 0 : a % b;\n}\n"
        }
        ("mod", Class::Signed) => {
            "static inline T
fp_mod_S(T a, T b)
{
    T rest;
    if (b == 0 || b == -1) {
        return 0;
    }
    rest = (T)(a % b);
    return (T)(rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest);
}
"
        }
        ("mod", _) => {
            "static inline T
fp_mod_S(T a, T b)
{
    T rest = __builtin_fmodF(a, b);
    if (rest == 0 && b != 0) {
        return __builtin_copysignF(0, b);
    }
    return rest != 0 && (b < 0) != (rest < 0) ? rest + b : rest;
}
"
        }
        ("remainder", Class::Unsigned) => {
            "static inline T\nfp_remainder_S(T a, T b)\n{\n    return b == 0 ? 0 : a % b;\n}\n"
        }
        ("remainder", _) => {
            "static inline T
fp_remainder_S(T a, T b)
{
    return (T)(b == 0 || b == -1 ? 0 : a % b);
}
"
        }
        // Small integer powers are products, which are exact where those of integers are.
        ("power", Class::Complex) => {
            "static inline T
fp_power_S(T a, T b)
{
    const int whole = __imag__(b) == 0 && __builtin_fabsF(__real__(b)) < 100
        && __builtin_truncF(__real__(b)) == __real__(b);
    int count = whole ? (int)__builtin_fabsF(__real__(b)) : 0;
    T power = 1;
    if (b == 0) {
        return 1;
    }
    if (a == 0) {
        __real__(power) = __imag__(power) = __real__(b) > 0 ? 0 : __builtin_nanF(\"\");
        return power;
    }
    if (!whole) {
        return cpowF(a, b);
    }
    if (__real__(b) > 0 && count <= 3) {
        for (power = a; count > 1; count--) {
            power = fp_multiply_S(power, a);
        }
        return power;
    }
    for (; count > 0; count /= 2) {
        power = count % 2 == 1 ? fp_multiply_S(power, a) : power;
        a = fp_multiply_S(a, a);
    }
    return __real__(b) < 0 ? fp_divide_S(1, power) : power;
}
"
        }
        // No power is negative: that has been checked before (`Op::Unless`).
        ("power", _) => {
            "static inline T
fp_power_S(T a, T b)
{
    T power = 1;
    for (; b > 0; b /= 2) {
        power = (T)(b % 2 == 1 ? power * a : power);
        a = (T)(a * a);
    }
    return power;
}
"
        }
        ("left_shift", _) => {
            "static inline T
fp_left_shift_S(T a, T b)
{
    return (T)((fp_uint64)b < 8 * sizeof(T) ? (fp_uint64)a << b : 0);
}
"
        }
        ("right_shift", Class::Unsigned) => {
            "static inline T
fp_right_shift_S(T a, T b)
{
    return (T)(b < 8 * sizeof(T) ? a >> b : 0);
}
"
        }
        ("right_shift", _) => {
            "static inline T
fp_right_shift_S(T a, T b)
{
    return (T)((fp_uint64)b < 8 * sizeof(T) ? a >> b : -(a < 0));
}
"
        }
        // Complex functions follow NumPy: C's own would check for infinities, in functions of a
        // compiler's library.
        ("multiply", _) => {
            "static inline T
fp_multiply_S(T a, T b)
{
    T product = 0;
    __real__(product) = FP_ROUND(__real__(a) * __real__(b)) - FP_ROUND(__imag__(a) * __imag__(b));
    __imag__(product) = FP_ROUND(__real__(a) * __imag__(b)) + FP_ROUND(__imag__(a) * __real__(b));
    return product;
}
"
        }
        // Smith's method: the square would overflow.
        ("divide", _) => {
            "static inline T
fp_divide_S(T a, T b)
{
    T quotient = 0;
    if (b == 0) {
        __real__(quotient) = __real__(a) / __builtin_fabsF(__real__(b));
        __imag__(quotient) = __imag__(a) / __builtin_fabsF(__real__(b));
    }
    else if (__builtin_fabsF(__real__(b)) >= __builtin_fabsF(__imag__(b))) {
        const __typeof__(__real__(a)) ratio = __imag__(b) / __real__(b);
        const __typeof__(__real__(a)) scale = 1 / (__real__(b) + FP_ROUND(__imag__(b) * ratio));
        __real__(quotient) = (__real__(a) + FP_ROUND(__imag__(a) * ratio)) * scale;
        __imag__(quotient) = (__imag__(a) - FP_ROUND(__real__(a) * ratio)) * scale;
    }
    else {
        const __typeof__(__real__(a)) ratio = __real__(b) / __imag__(b);
        const __typeof__(__real__(a)) scale = 1 / (__imag__(b) + FP_ROUND(__real__(b) * ratio));
        __real__(quotient) = (FP_ROUND(__real__(a) * ratio) + __imag__(a)) * scale;
        __imag__(quotient) = (FP_ROUND(__imag__(a) * ratio) - __real__(a)) * scale;
    }
    return quotient;
}
"
        }
        // An infinite number has the direction of its infinite part; two infinite ones have none.
        ("sign", _) => {
            "static inline T
fp_sign_S(T a)
{
    const __typeof__(__real__(a)) length = cabsF(a), infinity = __builtin_infF();
    const int x = __builtin_fabsF(__real__(a)) == infinity;
    const int y = __builtin_fabsF(__imag__(a)) == infinity;
    T sign = 0;
    if (length == 0 || (x && y)) {
        __real__(sign) = __imag__(sign) = length == 0 ? 0 : __builtin_nanF(\"\");
    }
    else if (x || y) {
        __real__(sign) = x ? __builtin_copysignF(1, __real__(a)) : 0;
        __imag__(sign) = y ? __builtin_copysignF(1, __imag__(a)) : 0;
    }
    else {
        __real__(sign) = __real__(a) / length;
        __imag__(sign) = __imag__(a) / length;
    }
    return sign;
}
"
        }
        ("reciprocal", _) => {
            "static inline T
fp_reciprocal_S(T a)
{
    const int turned = __builtin_fabsF(__imag__(a)) > __builtin_fabsF(__real__(a));
    const __typeof__(__real__(a)) large = turned ? __imag__(a) : __real__(a);
    const __typeof__(__real__(a)) ratio = (turned ? __real__(a) : __imag__(a)) / large;
    const __typeof__(__real__(a)) scale = large + FP_ROUND((turned ? __real__(a) : __imag__(a)) * ratio);
    T quotient = 0;
    __real__(quotient) = (turned ? ratio : 1) / scale;
    __imag__(quotient) = -(turned ? 1 : ratio) / scale;
    return quotient;
}
"
        }
        ("exp2", _) => {
            "static inline T
fp_exp2_S(T a)
{
    __real__(a) *= (__typeof__(__real__(a)))0.693147180559945309417232121458176568;
    __imag__(a) *= (__typeof__(__real__(a)))0.693147180559945309417232121458176568;
    return cexpF(a);
}
"
        }
        ("expm1", _) => {
            "static inline T
fp_expm1_S(T a)
{
    const __typeof__(__real__(a)) half = sinF(__imag__(a) / 2);
    T result = 0;
    __real__(result) = expm1F(__real__(a)) * cosF(__imag__(a)) - 2 * half * half;
    __imag__(result) = expF(__real__(a)) * sinF(__imag__(a));
    return result;
}
"
        }
        ("log2", _) => {
            "static inline T
fp_log2_S(T a)
{
    a = clogF(a);
    __real__(a) *= (__typeof__(__real__(a)))1.442695040888963407359924681001892137;
    __imag__(a) *= (__typeof__(__real__(a)))1.442695040888963407359924681001892137;
    return a;
}
"
        }
        ("log10", _) => {
            "static inline T
fp_log10_S(T a)
{
    a = clogF(a);
    __real__(a) *= (__typeof__(__real__(a)))0.434294481903251827651128918916605082;
    __imag__(a) *= (__typeof__(__real__(a)))0.434294481903251827651128918916605082;
    return a;
}
"
        }
        ("log1p", _) => {
            "static inline T
fp_log1p_S(T a)
{
    const __typeof__(__real__(a)) x = __real__(a) + 1, y = __imag__(a);
    T result = 0;
    __real__(result) = logF(hypotF(x, y));
    __imag__(result) = atan2F(y, x);
    return result;
}
"
        }
        ("rint", _) => {
            "static inline T
fp_rint_S(T a)
{
    __real__(a) = __builtin_rintF(__real__(a));
    __imag__(a) = __builtin_rintF(__imag__(a));
    return a;
}
"
        }
        ("logaddexp", _) => {
            "static inline T
fp_logaddexp_S(T a, T b)
{
    T apart = a - b;
    if (a == b) {
        return a + (T)0.693147180559945309417232121458176568;
    }
    return apart > 0 ? a + log1pF(expF(-apart)) : apart <= 0 ? b + log1pF(expF(apart)) : apart;
}
"
        }
        _ => unreachable!("unknown helper {name}"),
    };
    text_for(text, dtype)
}

fn text_for(text: &str, dtype: DType) -> String {
    // `F` stands at the end of names only, `T` and `S` are words or end names.
    let mut out = String::with_capacity(text.len() + 64);
    let mut word = String::new();
    let finish = |word: &mut String, out: &mut String| {
        match word.as_str() {
            "T" => out.push_str(c_type(dtype)),
            text if text.starts_with("fp_") && text.ends_with("_S") => {
                out.push_str(&text[..text.len() - 1]);
                out.push_str(suffix(dtype));
            }
            text if text.ends_with('F') && text.len() > 1 => {
                out.push_str(&text[..text.len() - 1]);
                out.push_str(f(dtype));
            }
            text => out.push_str(text),
        }
        word.clear();
    };
    for letter in text.chars() {
        if letter.is_ascii_alphanumeric() || letter == '_' {
            word.push(letter);
        } else {
            finish(&mut word, &mut out);
            out.push(letter);
        }
    }
    finish(&mut word, &mut out);
    out
}
