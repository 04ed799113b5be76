import mdspan_types as m
import numpy as np
from support import raises

a = np.arange(6.0).reshape(2, 3)
assert m.trace(a) == 4 and m.trace(a.T) == 4 and m.trace([[7]]) == 7
assert m.corner(np.asfortranarray(a)) == 5 and m.corner(a) == 5
raises(ValueError, "corner(): argument 'a': ...", m.corner, a.T)
x = np.ones((2, 3, 4), dtype=np.float32)
m.scale(x, 3)
assert (x == 3).all()
raises(TypeError, "scale(): argument 'x': ...", m.scale, x.astype(np.float64), 3)
assert m.last([1, 2, 3]) == 3 and m.last([]) == -1
assert m.table().tolist() == [[1, 2, 3], [4, 5, 6]]
