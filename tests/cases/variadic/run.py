import numpy as np
import variadic as m
from support import raises, same

m.set_scale(2.5)
m.set_level(2**40)
assert m.get_scale() == 2.5 and m.get_level() == 2**40
m.set(2, 7)
m.set(1, 0.5)
assert m.get_scale() == 0.5 and m.get_level() == 7
raises(RuntimeError, "set(): va_set returned status 1", m.set, 9, 1)
raises(
    TypeError,
    "set_level(): argument 'value': wanted an integer (int64), got float",
    m.set_level,
    1.5,
)
assert m.add(1, 2.5) == 3.5
same(m.add([1.0, 2], 3), [4.0, 5.0])
assert m.nothing() == 0
assert m.measure(100, [1.0, 2], "abc") == 106
assert m.measure(100, x=np.arange(4)) == 105
assert m.narrow(-3, 0.5) == 2
