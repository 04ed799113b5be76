import numpy as np
import vla as m
from support import raises, same

a = np.arange(6.0).reshape(2, 3)
assert m.trace(np.arange(9.0).reshape(3, 3)) == 12
same(m.transpose(a), a.T)
same(m.transpose(a.T), a)
assert m.fixed(np.diag([1, 2, 3])) == 6
raises(
    ValueError,
    "fixed(): argument 'a': dimension 1 of shape (3, 2) is 2, but must be 3",
    m.fixed,
    np.zeros((3, 2)),
)
c = np.zeros((3, 2, 2), np.float32)
m.cube(c[::-1])
assert c[:, 1, 0].tolist() == [20, 10, 0] and c.sum() == 30
assert m.vector([1, 2, 3]) == 6
