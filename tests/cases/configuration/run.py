import configuration as m
import numpy as np
from support import raises, same, strided

for dtype in ("float64", "float32"):
    a = np.array([1, 2, 3], dtype)
    assert m.scale(a) is None
    same(a, np.array([2, 4, 6], dtype))
    view = strided(a)
    m.scale(view, 0.5)
    m.scale(view[::-1], s=None)
    same(np.array(view), np.array([2, 4, 6], dtype))
assert "Multiplies a by s.\nNone is two." in m.scale.__doc__

a = np.arange(9.0).reshape(3, 3)
assert m.trace(a) == m.trace(strided(a)) == 12
assert m.trace(np.asfortranarray(a)) == -12, "the kind Fortran has a function of its own"
raises(ValueError, "trace(): argument 'a': ...", m.trace, a[:, :2])

made, result = m.fill(2, 3)
same(made, np.array([[1.0, 0, 0], [2, 0, 0]]))
assert made.flags.f_contiguous and result == 7
assert not hasattr(m, "waits")
