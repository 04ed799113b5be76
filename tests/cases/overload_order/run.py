import inspect

import numpy as np
import overload_order as m
from support import raises, same

assert (m.area(2), m.area(2, 3), m.area(2, 3, 4)) == (12, 6, 9)
assert (m.area(radius=2), m.area(2, height=3), m.area(c=2, b=3, a=4)) == (12, 6, 9)
raises(
    TypeError,
    """area(): no overload takes (int, int, int, int); it takes:
    area(radius: float64) -> float64
    area(width: float64, height: float64) -> float64
    area(a: float64, b: float64, c: float64) -> float64""",
    m.area,
    1,
    2,
    3,
    4,
)
raises(TypeError, "area(): no overload takes (int, radius=int); ...", m.area, 1, radius=2)
raises(TypeError, "area(): no overload takes (width=int); ...", m.area, width=2)
assert str(inspect.signature(m.area)) == "(*args, **kwargs)"

assert (m.make(), m.make(7), m.make([7, 8]), m.make(like=[7]), m.make(size=3)) == (
    -1,
    7,
    102,
    101,
    3,
)

assert m.either(2) == 2 and m.either(degrees=2) == 2 and m.either(radians=2) == 120

assert (m.optional(1), m.optional(1, 2), m.optional(1, 2, 3)) == (11, 21, 321)
assert m.optional(1, 2, z=None) == 221 and m.optional(y=2, x=1) == 21
assert m.optional(1, None) == 11

assert m.apply(3) == 9.0 and type(m.apply(3)) is float
same(m.apply([1, 2]), [1.0, 4.0])
same(m.apply(np.float32([1, 2])), [1.0, 4.0])
y = np.zeros(2)
assert m.apply([1, 2], y=y) is y and y[1] == 4
raises(TypeError, "apply(): no overload takes (list, y=list); ...", m.apply, [1, 2], y=[0.0, 0.0])

# An integer that fits no overload is out of range, not of the wrong type.
raises(
    OverflowError,
    f"make(): argument 'size': {2**40} is out of range for int32 (-2147483648 to 2147483647)",
    m.make,
    2**40,
)
