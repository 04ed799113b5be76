import eigen_types as m
import numpy as np
from support import raises, same

a, b = np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(3, 4)

# Copies and results, in both orders.
for left in (a, np.asfortranarray(a), a.astype(np.float32), a.tolist()):
    same(m.product(left, b), a @ b)
same(m.product(np.ones((0, 3)), b), np.ones((0, 4)))
assert m.product(a, b).flags.c_contiguous and m.product(a, b).flags.writeable
raises(ValueError, "the sizes differ", m.product, a, a)
raises(ValueError, "product(): argument 'a': ...", m.product, [1, 2], b)
same(m.table(), np.array([[1, 2, 3], [4, 5, 6]], np.int32))
same(m.squares(a), a * a)
same(m.roots([4, -1]), [2, 1j])

# Without a copy.
assert m.trace(a[:, :2]) == 4
same(m.trace(np.ones((5, 2, 2))), np.full(5, 2.0))
changed = np.asfortranarray(a)
m.scale(changed, 2)
same(changed, [[0.0, -1.0, 4.0], [6.0, 8.0, 10.0]])
raises(ValueError, "scale(): argument 'a': the array must be F-contiguous", m.scale, a.copy(), 2)
x = np.ones(3)
m.shift(x, 2)
same(x, [3.0, 3.0, 3.0])
same(m.means(a), a.mean(axis=0))
assert m.dot([1, 2], [3, 4]) == 11

# Sizes of the type.
same(m.cross([1, 0, 0], [0, 1, 0]), [0.0, 0.0, 1.0])
raises(ValueError, "cross(): argument 'y': dimension 0 ... is 3", m.cross, [1, 0, 0], [0, 1])
same(m.inverse([[2, 0], [0, 4]]), np.float32([[0.5, 0], [0, 0.25]]))
raises(ValueError, "inverse(): argument 'a': ...", m.inverse, np.ones((2, 3), np.float32))
same(m.moved(b[:, :2], [1, 2, 3]), b[:, :2] + np.array([[1], [2], [3]]))

# Several results, and objects.
symmetric = np.array([[2.0, 1], [1, 3]])
values, vectors = m.eigen(symmetric)
np.testing.assert_allclose(vectors @ np.diag(values) @ vectors.T, symmetric)
upper, rows, rank = m.lu([[0.0, 1], [2, 0]])
same(upper, [[2.0, 0], [0, 1]])
same(rows, [[0.0, 1], [1, 0]])
assert rank == 2
fit = m.Fit([[1, 0], [1, 1], [1, 2]], [1, 3, 5])
np.testing.assert_allclose(fit.weights, [1, 2])
np.testing.assert_allclose(fit([[1, 10]]), [21])
fit.weights = [0, 1]
same(fit(np.eye(2)), [0.0, 1.0])
for _ in range(500):
    m.product(a, b), m.eigen(symmetric), m.table()
