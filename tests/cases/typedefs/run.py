import numpy as np
import typedefs as m
from support import same

assert m.sum([1, 2, 3]) == 6
same(m.index(3), np.arange(3, dtype=np.int64))
assert m.turn(1j) == 1 + 1j and m.turn(1j, True) == 2 + 1j
