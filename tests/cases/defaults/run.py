import inspect

import defaults as m
import numpy as np
from support import raises, same


def four(i, u, d, b):
    return i + 10 * u + 100 * d + (10000 if b else 0)


assert m.literals() == m.literals(None, None, None, None) == four(-3, 7, 2.5, True)
assert m.literals(1) == four(1, 7, 2.5, True)
assert m.literals(d=1, b=False) == m.literals(None, None, 1, False) == four(-3, 7, 1, False)
assert str(inspect.signature(m.literals)) == "(i=-3, u=7, d=2.5, b=True)"

# A default that is not a literal is shown as None, which stands for it.
assert m.constant() == four(1000, 0x20, 65, False)
assert str(inspect.signature(m.constant)) == "(i=None, u=None, d=None, b=False)"

x = np.arange(5.0)
assert m.computed(x) == 10 and m.computed(x, 2) == 1 and m.computed(x, start=2) == 2 * (2 + 3 + 4)
assert m.computed(x, start=2, n=2) == 2 * (2 + 3) and m.computed(x, scale=3, start=2) == 27
assert str(inspect.signature(m.computed)) == "(x, n=None, start=0, scale=None)"

assert m.called() == four(2, 1, 1, True)
assert m.called(u=5) == four(10, 5, 5, True)
assert m.called(i=1, u=5) == four(1, 5, 0.5, False)

assert str(inspect.signature(m.required_last)) == "(u, b, i=1, d=3.0)"
assert m.required_last(2, True) == four(1, 2, 3, True)
assert m.required_last(2, b=True, i=5) == four(5, 2, 3, True)
raises(TypeError, "required_last(u, b, i=1, d=3.0) needs argument 'b'", m.required_last, 2)

assert m.behind_pointer() == (5, 1.5) and m.behind_pointer(2, 7) == (8, 2.0)

assert m.filled([1.0, 2.0, 6.0]) == 3.0
assert m.filled([1.0, 2.0, 6.0], [1, 0, 1]) == m.filled([1.0, 2.0, 6.0], w=(1, 0, 1)) == 7.0
assert m.filled([1.0, 2.0, 6.0], None) == 3.0
raises(
    ValueError,
    "filled(): argument 'w': dimension 0 of shape (1,) is 1, but n is 3",
    m.filled,
    [1.0, 2.0, 6.0],
    [1.0],
)
assert m.filled_matrix() == 12 and m.filled_matrix(3) == 36 and m.filled_matrix(3, 2) == 18
assert m.filled_matrix(a=[[1, 2, 3], [4, 5, 6]]) == 21

same(m.started(3), [10.0, 11.0, 12.0])
buffer = np.zeros(3)
assert m.started(3, y=buffer) is buffer
same(buffer, [10.0, 11.0, 12.0])

assert m.narrow(1) == 101
raises(
    OverflowError,
    "narrow(): argument 'c': its computed value 200 is out of range for int8",
    m.narrow,
    2,
)
raises(
    OverflowError,
    "narrow(): argument 'c': its value overflowed, divided by zero or was read beyond an array",
    m.narrow,
    2**62,
)
assert m.narrow(2**31 - 10, 3) == 2**31 - 7
