import fragments as m
import numpy as np
from support import raises, same

assert m.mean([1, 2, 6]) == 3.0 and m.mean([]) == 0.0 and m.mean([1e9]) == 100.0
assert m.how_often() == 3
x = np.arange(6.0).reshape(2, 3)
m.plus(x)
same(x, np.arange(6.0).reshape(2, 3) * 2 + 1)
assert m.status(1) is None
raises(RuntimeError, "status(): failing returned status 4", m.status, 5)
