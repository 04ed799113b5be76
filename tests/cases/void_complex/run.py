import numpy as np
import void_complex as m
from support import same

x, y = np.array([1 + 1j, 2]), np.array([1j, 3])
assert m.dot(x, y) == np.dot(x, y)
assert m.dot([1, 2], [3.0, 4]) == 11
z = np.array([1, 2j], np.complex64)
m.scale(2j, z)
same(z, np.array([2j, -4], np.complex64))
a = np.arange(6).reshape(2, 3) * 1j
same(m.add(a, np.ones((2, 3))), a + 1)
