"""Functions of elements.

Purpose: NumPy's arithmetic, comparisons, logic and C's mathematics, on tensors.
Invariant: arguments are cast to the dtypes of NumPy's loop, so an op never casts.
Reason: one function, `scalar_map`, does it for all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.nodes import Constant, Variable
from .builtin import apply
from .convert import as_variable
from .dtypes import WEAK, Strength, common, loop, name_of

if TYPE_CHECKING:
    from .convert import Tensor
    from .variable import TensorVariable

Unary = Callable[["Tensor"], "TensorVariable"]
Binary = Callable[["Tensor", "Tensor"], "TensorVariable"]

_COMPARISONS = frozenset(["eq", "ne", "lt", "le", "gt", "ge"])


def cast(x: Tensor, dtype: Any) -> TensorVariable:
    """`x` with elements of another dtype, converted as in C."""
    name = name_of(dtype)
    variable = as_variable(x)
    if variable.type.dtype == name:
        return variable
    return apply("map", (("cast", name),), variable)


def scalar_map(function: str, *arguments: Tensor) -> TensorVariable:
    """A function of scalars, element by element, with NumPy's broadcasting and dtypes.

    Parameters
    ----------
    function : str
        The function's name, as in `Builtin("map", (function,))`.
    *arguments : tensor
        The arguments of NumPy's function. Python's own numbers are weak.
    """
    operands = [_operand(argument) for argument in arguments]
    try:
        return _map(function, operands)
    except OverflowError:
        # A Python int out of range can be compared nevertheless.
        if function not in _COMPARISONS:
            raise
        return _map(function, [as_variable(operand) for operand in operands])


def _map(function: str, operands: list[Any]) -> TensorVariable:
    strengths = tuple(map(_strength, operands))
    wanted = loop(function, strengths)
    if function in _COMPARISONS and wanted[0] != wanted[1]:
        return _compare_signs(function, *map(as_variable, operands))
    inputs = [
        _as(operand, strength, dtype)
        for operand, strength, dtype in zip(operands, strengths, wanted, strict=True)
    ]
    return apply("map", (function,), *inputs)


def _as(operand: Any, strength: Strength, dtype: str) -> TensorVariable:
    if strength == dtype:
        return operand  # type: ignore[no-any-return]
    if isinstance(operand, Variable):
        return cast(operand, dtype)
    return as_variable(operand, dtype)


def _compare_signs(function: str, x: TensorVariable, y: TensorVariable) -> TensorVariable:
    """Compares an int64 with a uint64 exactly, as NumPy does."""
    if x.type.dtype == "uint64":
        turned = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}.get(function, function)
        return _compare_signs(turned, y, x)
    positive = scalar_map("ge", cast(x, "int64"), 0)
    same = scalar_map(function, cast(x, "uint64"), y)
    if function in ("ne", "lt", "le"):
        return scalar_map("logical_or", scalar_map("logical_not", positive), same)
    return scalar_map("logical_and", positive, same)


def _operand(argument: Any) -> Any:
    return argument if type(argument) in WEAK else as_variable(argument)


def _strength(operand: Any) -> Strength:
    if isinstance(operand, Variable):
        return operand.type.dtype  # type: ignore[attr-defined,no-any-return]
    return type(operand)


def _unary(name: str, doc: str, function: str | None = None) -> Unary:
    def one(x: Tensor) -> TensorVariable:
        return scalar_map(function or name, x)

    _introduce(one, name, doc)
    return one


def _binary(name: str, doc: str, function: str | None = None) -> Binary:
    def two(x: Tensor, y: Tensor) -> TensorVariable:
        return scalar_map(function or name, x, y)

    _introduce(two, name, doc)
    return two


def _introduce(function: Any, name: str, doc: str) -> None:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc


# Arithmetic.
add = _binary("add", "`x + y`.")
subtract = sub = _binary("subtract", "`x - y`.", "sub")
multiply = mul = _binary("multiply", "`x * y`.", "mul")
floor_divide = _binary("floor_divide", "`x // y`: the quotient, rounded down.")
mod = remainder = _binary("mod", "`x % y`: the remainder, with the sign of `y`.")
fmod = _binary("fmod", "The remainder, with the sign of `x`.")


def power(x: Tensor, y: Tensor) -> TensorVariable:
    """`x ** y`. An integer to a negative integer power has no integer value, and is refused.

    If the exponent is known only in a call, it raises a ValueError then, as in NumPy. With the
    number 0.5 it is `sqrt(x)`, as in NumPy: NaN for a negative infinity.
    """
    result = scalar_map("pow", x, y)
    if result.type.numpy_dtype.kind in "fc" and _is_half(y):
        return sqrt(cast(x, result.type.dtype))
    if result.type.numpy_dtype.kind in "iu" and _has_negative(y):
        raise ValueError(
            f"{as_variable(x)!r} is of integers, which have no negative integer powers; "
            "cast it to float64, or give a float as the power"
        )
    return result


pow = power


def _has_negative(power: Any) -> bool:
    known = power.data if isinstance(power, Constant) else power
    return not isinstance(known, Variable) and bool(np.any(np.less(known, 0)))


def _is_half(power: Any) -> bool:
    known = power.data if isinstance(power, Constant) else power
    return not isinstance(known, Variable) and np.ndim(known) == 0 and bool(known == 0.5)


negative = neg = _unary("negative", "`-x`.")
absolute = abs = _unary("absolute", "The absolute value.")
sign = _unary("sign", "-1, 0 or 1; of complex numbers, that of modulus 1.")
square = sqr = _unary("square", "`x * x`.")
reciprocal = _unary("reciprocal", "`1 / x`.")
conj = conjugate = _unary("conj", "The complex conjugate.")
real = _unary("real", "The real part.")
imag = _unary("imag", "The imaginary part.")
angle = _unary("angle", "The argument of complex numbers, in radians.")


def true_divide(x: Tensor, y: Tensor) -> TensorVariable:
    """`x / y`; of integers a float."""
    operands = [_operand(x), _operand(y)]
    wanted = loop("true_divide", tuple(map(_strength, operands)))[0]
    if wanted == "bool" or "int" in wanted:  # NumPy's loops for integers give float64
        operands = [cast(as_variable(operand), "float64") for operand in operands]
    return _map("true_divide", operands)


divide = true_divide


def divmod(x: Tensor, y: Tensor) -> tuple[TensorVariable, TensorVariable]:
    """`x // y` and `x % y`."""
    return floor_divide(x, y), mod(x, y)


def positive(x: Tensor) -> TensorVariable:
    """`+x`; not for bools, as in NumPy."""
    variable = as_variable(x)
    loop("positive", (variable.type.dtype,))
    return variable


# Comparison. The results are of dtype bool.
eq = equal = _binary("eq", "Whether `x` equals `y`. (`==` compares variables, not values.)")
ne = neq = not_equal = _binary("ne", "Whether `x` differs from `y`.")
lt = less = _binary("lt", "Whether `x < y`.")
le = less_equal = _binary("le", "Whether `x <= y`.")
gt = greater = _binary("gt", "Whether `x > y`.")
ge = greater_equal = _binary("ge", "Whether `x >= y`.")

# Logic.
logical_and = _binary("logical_and", "Whether both are not zero.")
logical_or = _binary("logical_or", "Whether one is not zero.")
logical_xor = _binary("logical_xor", "Whether exactly one is not zero.")
logical_not = _unary("logical_not", "Whether `x` is zero.")
bitwise_and = and_ = _binary("bitwise_and", "`x & y`.")
bitwise_or = or_ = _binary("bitwise_or", "`x | y`.")
bitwise_xor = xor = _binary("bitwise_xor", "`x ^ y`.")
invert = bitwise_not = _unary("invert", "`~x`.")
left_shift = _binary("left_shift", "`x << y`.")
right_shift = _binary("right_shift", "`x >> y`.")

# Choice.
maximum = _binary("maximum", "The greater of two; NaN if one is NaN.")
minimum = _binary("minimum", "The lesser of two; NaN if one is NaN.")
fmax = _binary("fmax", "The greater of two; NaN only if both are NaN.")
fmin = _binary("fmin", "The lesser of two; NaN only if both are NaN.")


def where(condition: Tensor, x: Tensor, y: Tensor) -> TensorVariable:
    """`x` where `condition` is not zero, else `y`."""
    if type(condition) is bool:
        raise TypeError(
            f"the condition is {condition}, known already; `==` and `!=` compare variables, "
            "not their values: use g.eq and g.ne"
        )
    return scalar_map("where", cast(condition, "bool"), x, y)


switch = where


def clip(x: Tensor, low: Tensor | None = None, high: Tensor | None = None) -> TensorVariable:
    """`x`, but at least `low` and at most `high`; None: without that bound."""
    result = as_variable(x)
    kind = result.type.numpy_dtype
    if kind.kind in "iu":
        # As in NumPy: a bound beyond the range of the dtype is ignored.
        limits = np.iinfo(kind)
        low = None if type(low) is int and low <= limits.min else low
        high = None if type(high) is int and high >= limits.max else high
    if low is not None:
        result = maximum(result, low)
    return result if high is None else minimum(result, high)


# Exponentials and roots.
exp = _unary("exp", "e to the power of `x`.")
exp2 = _unary("exp2", "2 to the power of `x`.")
expm1 = _unary("expm1", "`exp(x) - 1`, accurate near 0.")
log = _unary("log", "The natural logarithm.")
log2 = _unary("log2", "The logarithm to base 2.")
log10 = _unary("log10", "The logarithm to base 10.")
log1p = _unary("log1p", "`log(1 + x)`, accurate near 0.")
logaddexp = _binary("logaddexp", "`log(exp(x) + exp(y))`, without overflow.")
sqrt = _unary("sqrt", "The square root.")
cbrt = _unary("cbrt", "The cube root.")
hypot = _binary("hypot", "`sqrt(x * x + y * y)`, without overflow.")

# Trigonometry.
sin = _unary("sin", "The sine of `x` in radians.")
cos = _unary("cos", "The cosine of `x` in radians.")
tan = _unary("tan", "The tangent of `x` in radians.")
arcsin = asin = _unary("arcsin", "The inverse of the sine.")
arccos = acos = _unary("arccos", "The inverse of the cosine.")
arctan = atan = _unary("arctan", "The inverse of the tangent.")
arctan2 = atan2 = _binary(
    "arctan2", "The angle of the point (`y`, `x`): here `x`, `y` in this order."
)
sinh = _unary("sinh", "The hyperbolic sine.")
cosh = _unary("cosh", "The hyperbolic cosine.")
tanh = _unary("tanh", "The hyperbolic tangent.")
arcsinh = asinh = _unary("arcsinh", "The inverse of the hyperbolic sine.")
arccosh = acosh = _unary("arccosh", "The inverse of the hyperbolic cosine.")
arctanh = atanh = _unary("arctanh", "The inverse of the hyperbolic tangent.")

# Special functions.
erf = _unary("erf", "The error function.")
erfc = _unary("erfc", "`1 - erf(x)`, accurate for large `x`.")
gamma = _unary("gamma", "The gamma function.")
lgamma = gammaln = _unary("lgamma", "The logarithm of the absolute value of the gamma function.")
sigmoid = expit = _unary("sigmoid", "`1 / (1 + exp(-x))`.")

# Rounding.
floor = _unary("floor", "The greatest integer that is not greater.")
ceil = _unary("ceil", "The least integer that is not less.")
trunc = fix = _unary("trunc", "The integer part.")
rint = _unary("rint", "The nearest integer; halves to even.")


def round(x: Tensor, decimals: int = 0) -> TensorVariable:
    """`x`, rounded to this many decimals, halves to even; integers keep their dtype.

    Computed as in NumPy: `rint(x * 10**decimals) / 10**decimals`, and for negative decimals `rint(x
    / 10**-decimals) * 10**-decimals`, in float64 for integers.
    """
    variable = as_variable(x)
    if isinstance(decimals, Variable) or not hasattr(decimals, "__index__"):
        raise TypeError(
            f"the decimals are an int that is known when the graph is made, not {decimals!r}"
        )
    digits = int(decimals.__index__())
    kind = variable.type.numpy_dtype.kind
    if kind in "iu" and digits >= 0:
        return variable
    if digits == 0:
        return rint(variable)
    if kind in "bc":
        what = "bools" if kind == "b" else "complex numbers; round x.real and x.imag"
        raise TypeError(f"{variable!r} cannot be rounded to decimals: it is of {what}")
    scale = float(f"1e{max(digits, -digits)}")
    first, last = ("mul", "true_divide") if digits > 0 else ("true_divide", "mul")
    exact = variable if kind == "f" else cast(variable, "float64")
    return cast(scalar_map(last, rint(scalar_map(first, exact, scale)), scale), variable.type.dtype)


# Parts of numbers.
isnan = _unary("isnan", "Whether `x` is NaN.")
isinf = _unary("isinf", "Whether `x` is infinite.")
isfinite = _unary("isfinite", "Whether `x` is neither infinite nor NaN.")
signbit = _unary("signbit", "Whether the sign is negative, also of 0 and NaN.")
copysign = _binary("copysign", "`x` with the sign of `y`.")
nextafter = _binary("nextafter", "The number after `x`, towards `y`.")


def fma(x: Tensor, y: Tensor, z: Tensor) -> TensorVariable:
    """`x * y + z`, rounded once."""
    return scalar_map("fma", x, y, z)


def result_type(*arguments: Tensor) -> str:
    """NumPy's dtype for the result of these together."""
    return common([_strength(_operand(argument)) for argument in arguments])
