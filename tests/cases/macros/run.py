import macros as m
import numpy as np
from support import raises, same

assert m.square(3) == 9 and type(m.square(3)) is int and m.square(1.5) == 2.25
y = np.ones(3)
m.add([1, 2, 3], y)
same(y, np.array([2.0, 3.0, 4.0]))
assert m.checked(1) is None
raises(RuntimeError, "checked(): checked returned status 3", m.checked, 3)
same(m.half([1.0, 3.0]), np.array([0.5, 1.5]))
assert m.half(3) == 1.5 and m.plain(1) == 2 and m.renamed(1) == 3
