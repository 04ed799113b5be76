from decimal import Decimal
from fractions import Fraction

import errors as m
import numpy as np
from support import raises

# ---- How it is called ------------------------------------------------------------------------------

x = np.ones(3)
SCALE = "scale(k, x, times=1, *, y=None)"
raises(TypeError, f"{SCALE} needs argument 'k'", m.scale)
raises(TypeError, f"{SCALE} needs argument 'x'", m.scale, 2)
raises(TypeError, f"{SCALE} needs argument 'k'", m.scale, x=x)
raises(TypeError, f"{SCALE} takes 2 to 3 positional arguments, got 4", m.scale, 2, x, 1, x)
raises(TypeError, f"{SCALE} got an unexpected keyword argument 'n'", m.scale, 2, x, n=3)
raises(TypeError, f"{SCALE} got an unexpected keyword argument 'Y'", m.scale, 2, x, Y=x)
raises(TypeError, f"{SCALE} got an unexpected keyword argument 'größe'", m.scale, 2, x, größe=x)
raises(TypeError, f"{SCALE} got two values for argument 'x'", m.scale, 2, x, x=x)
raises(TypeError, "nothing() takes 0 positional arguments, got 1", m.nothing, 1)
raises(TypeError, "nothing() got an unexpected keyword argument 'x'", m.nothing, x=1)
raises(TypeError, "one(x) takes 1 positional argument, got 2", m.one, 1, 2)
raises(TypeError, "one(x) needs argument 'x'", m.one)
assert m.nothing() is None and m.one(x=1) is None

# Names that are equal but not the interned object, and calls through dictionaries.
assert m.scale(**{"".join(["k"]): 2, "".join(["", "x"]): [1.0]}).tolist() == [2]

# ---- Scalars -----------------------------------------------------------------------------------------

GOOD = dict(i=1, u=1, f=1.0, d=1.0, z=1.0, b=True)
assert m.scalars(**GOOD) == 6


def wrong(name, value, exception, text):
    raises(exception, f"scalars(): argument '{name}': {text}", m.scalars, **{**GOOD, name: value})


wrong("i", "1", TypeError, "wanted an integer (int32), got str")
wrong("i", 1.0, TypeError, "wanted an integer (int32), got float")
wrong("i", None, TypeError, "wanted an integer (int32), got None")
wrong("i", x, TypeError, "wanted an integer (int32), got an array of float64 and shape (3,)")
wrong(
    "i", np.array([1]), TypeError, "wanted an integer (int32), got an array of int64 and shape (1,)"
)
wrong("i", Fraction(1), TypeError, "wanted an integer (int32), got Fraction")
wrong("i", 2**31, OverflowError, "2147483648 is out of range for int32 (-2147483648 to 2147483647)")
wrong(
    "i",
    np.int64(2**31),
    OverflowError,
    "2147483648 is out of range for int32 (-2147483648 to 2147483647)",
)
wrong(
    "i",
    -(2**31) - 1,
    OverflowError,
    "-2147483649 is out of range for int32 (-2147483648 to 2147483647)",
)
wrong(
    "i",
    10**30,
    OverflowError,
    "an integer of 2**63 or more is out of range for int32 (-2147483648 to 2147483647)",
)
wrong("u", -1, OverflowError, "-1 is out of range for uint8 (0 to 255)")
wrong("u", 256, OverflowError, "256 is out of range for uint8 (0 to 255)")
wrong("u", -(10**30), OverflowError, "an integer below -2**63 is out of range for uint8 (0 to 255)")
wrong("f", "1", TypeError, "wanted a real number (float32), got str")
wrong("f", 1e39, OverflowError, "the value is out of range for float32")
wrong("f", 10**40, OverflowError, "the value is out of range for float32")
wrong("f", 1j, TypeError, "wanted a real number (float32), got complex")
wrong("d", "1", TypeError, "wanted a real number (float64), got str")
wrong("d", b"1", TypeError, "wanted a real number (float64), got bytes")
wrong("d", 1j, TypeError, "wanted a real number (float64), got complex")
wrong(
    "d",
    np.complex64(1),
    TypeError,
    "wanted a scalar that casts safely to float64, got ...complex64",
)
wrong("d", [1.0], TypeError, "wanted a real number (float64), got list")
wrong("d", x, TypeError, "wanted a scalar (float64), got an array of float64 and shape (3,)")
wrong("d", 10**400, OverflowError, "an integer of 2**63 or more is out of range for float64")
wrong("z", "1", TypeError, "wanted a complex number (complex128), got str")
wrong("z", None, TypeError, "wanted a complex number (complex128), got None")
wrong("b", 1, TypeError, "wanted True or False, got int")
wrong("b", 0.0, TypeError, "wanted True or False, got float")
wrong("b", None, TypeError, "wanted True or False, got None")
wrong("b", "True", TypeError, "wanted True or False, got str")

for number in (Fraction(1), Decimal(1), np.float16(1), np.int8(1), np.array(1.0), True):
    assert m.scalars(**{**GOOD, "d": number}) == 6, number
assert m.scalars(**{**GOOD, "f": float("inf")}) == float("inf")


# Exceptions that the caller's own objects raise are passed through unchanged.
class Broken:
    def __index__(self):
        raise KeyError("index")

    def __float__(self):
        raise KeyError("float")


raises(KeyError, "'index'", m.scalars, **{**GOOD, "i": Broken()})
raises(KeyError, "'float'", m.scalars, **{**GOOD, "d": Broken()})

# ---- Arrays --------------------------------------------------------------------------------------------

WHERE = "scale(): argument 'x':"
raises(TypeError, f"{WHERE} wanted an array of float64, got float", m.scale, 2, 1.0)
raises(TypeError, f"{WHERE} wanted an array of float64, got str", m.scale, 2, "1")
raises(TypeError, f"{WHERE} wanted an array of float64, got None", m.scale, 2, None)
raises(TypeError, f"{WHERE} wanted an array of float64, got dict", m.scale, 2, {})
raises(
    TypeError,
    f"{WHERE} wanted an array that casts safely to float64, got an array of complex128 "
    "and shape (3,)",
    m.scale,
    2,
    x * 1j,
)
raises(
    ValueError,
    f"{WHERE} wanted a 1-D array, got an array of float64 and shape (3, 1)",
    m.scale,
    2,
    x[:, None],
)
raises(
    ValueError,
    f"{WHERE} wanted a 1-D array, got an array of float64 and shape (0, 3)",
    m.scale,
    2,
    np.zeros((0, 3)),
)


class BrokenArray:
    def __array__(self, dtype=None, copy=None):
        raise KeyError("array")


raises(KeyError, "'array'", m.scale, 2, BrokenArray())

# A message never holds the contents.
try:
    m.scale(2, np.ones((1000, 1000)))
except ValueError as error:
    assert len(str(error)) < 200

# An error leaks nothing: the same thousands of times.
for _ in range(10_000):
    try:
        m.scale(2, "1")
    except TypeError:
        pass
