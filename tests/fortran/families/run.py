import families as m
import numpy as np

assert m.smooth([1.0, 2, 6]).tolist() == [1.5, 3, 4]
assert m.smooth([1.0, 2, 6], 0).tolist() == [1, 2, 6]
assert np.allclose(m.smooth([1.0, 2, 6], 2), m.smooth(m.smooth([1.0, 2, 6])))
assert m.norm([3.0, 4]) == 5 and m.norm([[1.0, 2], [3, -4]]) == 7
x = np.linspace(-3, 3, 12).reshape(3, 4)
assert np.allclose(m.logistic(x), 1 / (1 + np.exp(-x))) and m.logistic(0.0) == 0.5
quotient, remainder = m.divide([7, 8, 9], 4)
assert quotient.tolist() == [1, 2, 2] and remainder.tolist() == [3, 0, 1]
work = np.ones((9, 3), order="F")
assert m.evaluate(1, 3, 2, work) == 27 and not work.any()
try:
    m.evaluate(1, 3, 2, np.ones((8, 3), order="F"))
except ValueError as error:
    assert "'work'" in str(error)
else:
    raise AssertionError("work has another size")
