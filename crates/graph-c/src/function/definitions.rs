//! The C functions that expressions of scalar functions call, for each dtype.

use fishplate_graph::{Class, DType};

use super::f;
use crate::ctype::{c_type, suffix};

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
        // The reciprocal is a normal number, and zeros keep their signs.
        ("is_divisor", _) => {
            "static inline int
fp_is_divisor_S(T b)
{
    const double most = sizeof(T) == 8 ? 0x1p1000 : 0x1p100;
    return b > 1 / most && b < most;
}
"
        }
        // For a reciprocal `r` of a divisor, between the calls of quotients.h, which says when it is exact.
        ("quotient", _) => {
            "static inline T
fp_quotient_S(T a, T b, T r)
{
#if FP_HAS_QUOTIENTS
    const T q = a * r;
    return __builtin_fmaF(-r, __builtin_fmaF(q, b, -a), q);
#else
    (void)r;
    return a / b;
#endif
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
