import math

import numpy as np
import steps as m


def raises(exception, text, function, *arguments):
    try:
        function(*arguments)
    except exception as error:
        assert text in str(error), error
    else:
        raise AssertionError(text)


def turn(t, y):
    return [y[1], -y[0]]


# A subroutine with arrays, by `bind(c)`, and an optional function.
y = np.array([1.0, 0.0])
assert math.isclose(m.solve(turn, y, 0.0, 1000, 0.001), 1.0)
assert np.allclose(y, [math.cos(1), -math.sin(1)], atol=1e-3)
y = np.array([1.0, 0.0])
assert math.isclose(m.solve(turn, y, 0.0, 1000, 0.001, lambda t: t > 0.25), 0.25, abs_tol=2e-3)
raises(ZeroDivisionError, "division by zero", m.solve, lambda t, y: 1 / 0, y, 0.0, 3, 0.1)
raises(
    ValueError,
    "argument 'f' returned 'dy'",
    m.solve,
    lambda t, y: [1.0],
    y,
    0.0,
    3,
    0.1,
)

# Arguments by reference, and the symbols of a module.
assert m.twice(4) == 8.0
x = np.array([1.0, 2.0, 3.0])
assert m.by_reference(lambda x: x.sum(), x) is None and x.tolist() == [6.0, 2.0, 3.0]
assert not hasattr(m, "unknown") and not hasattr(m, "described")
