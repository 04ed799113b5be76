import macros_in_configuration as m
import numpy as np
from support import raises, same

same(m.myexp(np.zeros(3, np.float32)), np.ones(3, np.float32))
assert m.dot([1, 2], [3, 4]) == 11
w, count = m.negate([1.0, -2.0])
same(w, np.array([-1.0, 2.0]))
assert count == 2
assert m.tot(3, [1.0, 2.0, 3.0]) == 6
# An argument that is not inferred has its name as keyword.
raises(
    ValueError,
    "tot(): argument 'x': dimension 0 of shape (3,) is 3, but n is 5",
    m.tot,
    5,
    [1.0, 2.0, 3.0],
)
for text in (m.tot.__doc__, m.explain.tot(2, [1.0, 2.0])):
    assert "+n" not in text, text
