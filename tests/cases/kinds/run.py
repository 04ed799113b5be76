import kinds as m
import numpy as np
from support import raises

c = np.ones((3, 4))
f = np.asfortranarray(c)
s = np.ones((6, 8))[::2, ::2]
both = np.ones((1, 4))

assert [m.each(a) for a in (c, f, s, both, c.T, c.tolist())] == [1, 2, 3, 1, 2, 1]
assert [m.by_order(a) for a in (c, f, s, both)] == [1, 2, 1, 1]
assert [m.by_order(a.astype(np.float32)) for a in (c, f)] == [4, 4]
assert m.only_c(c) == 1 and m.only_c(both) == 1
assert m.only_fortran(f) == 2 and m.only_fortran(both) == 2
assert m.vectors(c[0]) == 5
raises(
    TypeError,
    "only_c(): no overload takes (an array of float64 and shape (3, 4)); it takes:\n"
    "    only_c(a: float64[m, n]) -> int32 for C-contiguous arrays",
    m.only_c,
    f,
)
raises(TypeError, "only_fortran(): no overload takes ...for F-contiguous arrays", m.only_fortran, c)
raises(TypeError, "vectors(): no overload takes ...", m.vectors, c[:, 0])

# `explain` shows what a call would do.
assert "calls  int columns(" in m.explain.each(f) and "kind   Fortran" in m.explain.each(f)
assert "a      used in place: an array of float64 and shape (3, 4), F-contiguous" in m.explain.each(
    f
)
assert "kind   Strided" in m.explain.each(s) and "a      copied, from an array" in m.explain.each(s)
assert "cast and copied" in m.explain.by_order(c.astype(np.int16))
