import platform
import sys

import numpy as np
import scalars
from support import raises, same

# name, dtype, and for integers their range
LONG = np.dtype("long").itemsize * 8
SIGNED = {
    "schar": 8,
    "short": 16,
    "int": 32,
    "long": LONG,
    "longlong": 64,
    "int8": 8,
    "int16": 16,
    "int32": 32,
    "int64": 64,
    "ssize": 64,
    "ptrdiff": 64,
    "intptr": 64,
}
UNSIGNED = {
    "uchar": 8,
    "ushort": 16,
    "uint": 32,
    "ulong": LONG,
    "ulonglong": 64,
    "uint8": 8,
    "uint16": 16,
    "uint32": 32,
    "uint64": 64,
    "size": 64,
    "uintptr": 64,
}
# A plain char is unsigned on ARM and on IBM Z.
is_signed = sys.platform == "darwin" or platform.machine() in ("x86_64", "AMD64")
(SIGNED if is_signed else UNSIGNED)["char"] = 8


def keeps(name, dtype, values):
    """Each value is returned unchanged, by every way."""
    keep = getattr(scalars, f"keep_{name}")
    for value in values:
        for given in (value, np.dtype(dtype).type(value), np.array(value, dtype)):
            behind, made, result = keep(given, given, [value, value])
            assert (behind, result) == (value, value), (name, given, behind, result)
            assert type(behind) is type(value) and type(result) is type(value)
            same(made, np.array([value, value], dtype))


for name, bits in SIGNED.items():
    keeps(name, f"int{bits}", [0, -1, 2 ** (bits - 1) - 1, -(2 ** (bits - 1))])
for name, bits in UNSIGNED.items():
    keeps(name, f"uint{bits}", [0, 1, 2**bits - 1])
keeps("bool", "bool", [False, True])
keeps("float", "float32", [0.0, -1.5, float("inf"), 2.0**127])
keeps("double", "float64", [0.0, -1.5, float("-inf"), 1e300])
keeps("cfloat", "complex64", [0j, 1.5 - 2j])
keeps("cdouble", "complex128", [0j, 1e300 - 2j])

# Integers that do not fit are refused, wherever they are; none wraps.
for name, bits in (SIGNED | UNSIGNED).items():
    keep = getattr(scalars, f"keep_{name}")
    dtype = f"{'' if name in SIGNED else 'u'}int{bits}"
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1)) if name in SIGNED else (0, 2**bits)
    for wrong in (low - 1, high, 2**200, -(2**200)):
        number = str(wrong) if -(2**63) <= wrong < 2**63 else "an integer ..."
        message = f"{number} is out of range for {dtype} ({low} to {high - 1})"
        where = f"keep_{name}(): argument"
        raises(OverflowError, f"{where} 'value': {message}", keep, wrong, 0, [])
        raises(OverflowError, f"{where} 'pointer': {message}", keep, 0, wrong, [])
        raises(OverflowError, f"{where} 'array': ...", keep, 0, 0, [wrong, wrong])

    # Other types are refused, even if Python could convert them to an integer.
    for wrong, got in (
        (1.0, "float"),
        ("1", "str"),
        (None, "None"),
        (1j, "complex"),
        ([1], "list"),
        (np.float64(1), "numpy.float64"),
        (np.array([1]), "an array of int64 and shape (1,)"),
        (np.array(1.0), "an array of float64 and shape ()"),
    ):
        raises(
            TypeError,
            f"keep_{name}(): argument 'value': wanted an integer ({dtype}), got {got}",
            keep,
            wrong,
            0,
            [],
        )

# True and numpy.True_ are integers to Python and NumPy.
assert scalars.keep_int(True, np.True_, [])[0::2] == (1, 1)
