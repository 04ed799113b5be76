import fortran_source as m
import numpy as np
from support import raises, same

a = np.arange(6.0).reshape(2, 3)
x = np.array([1.0, 2.0, 3.0])
for order in (a, np.asfortranarray(a), a[::-1], a.tolist()):
    same(m.matvec(order, x), np.asarray(order) @ x)
for order in (a.copy(), np.asfortranarray(a)):
    m.scale_columns(order, x)
    np.testing.assert_array_equal(order, a * x)
raises(
    ValueError,
    "matvec(): argument 'x': dimension 0 of shape (2,) is 2, but n is 3",
    m.matvec,
    a,
    x[:2],
)
assert m.norm(x) == 14
same(m.running(x), [1.0, 3.0, 6.0])
raises(RuntimeError, "running(): running_sum returned status 2", m.running, [1, -1])
same(m.tabulate(lambda k: k * k, 3), [1.0, 4.0, 9.0])
raises(ZeroDivisionError, "division by zero", m.tabulate, lambda k: 1 / (k - 2), 3)
