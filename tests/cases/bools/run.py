import inspect

import bools as m
import numpy as np
from support import raises, same

assert m.not_(True) is False and m.not_(np.True_) is False and m.not_(np.array(False)) is True
assert m.not_() is m.not_(None) is True
assert str(inspect.signature(m.not_)) == "(b=False)"
for wrong, got in (
    (1, "int"),
    (0.0, "float"),
    ("", "str"),
    (np.int8(1), "numpy.int8"),
    (np.array([True]), "an array of bool and shape (1,)"),
    ([], "list"),
):
    raises(TypeError, f"not_(): argument 'b': wanted True or False, got {got}", m.not_, wrong)

assert m.count([True, False, True]) == m.count(np.array([True, True])[::-1]) == 2
assert m.count(np.zeros(0, bool)) == m.count([]) == 0
for dtype in ("int8", "uint8", "float64"):
    raises(
        TypeError,
        "count(): argument 'mask': wanted an array that casts safely to bool, got an "
        f"array of {dtype} and shape (2,)",
        m.count,
        np.zeros(2, dtype),
    )
raises(
    TypeError, "count(): argument 'mask': wanted numbers that fit bool, got ...", m.count, [0, 1]
)

mask = np.array([True, False, True, False])
assert m.flip(mask[::2]) is False and m.flip(mask[1::2]) is True
same(mask, [False, True, False, True])
same(m.positive([1, -1, 0]), [True, False, False])
