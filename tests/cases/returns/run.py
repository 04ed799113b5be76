import numpy as np
import returns as m
from support import same

assert m.nothing() is None
assert m.one(17, 5) == 3
assert m.two(17, 5) == (3, 2)
assert m.result_last(17, 5) == (2, 3)
assert m.result_first(17, 5) == (3, 2)
assert m.turned(17, 5) == (2, 3)
assert m.only(17, 5) == 2
assert m.none(17, 5) is None

odd, count, even, base = m.arrays([1, 2, 3], -1)
same(odd, np.int32([1, -1, 3]))
same(even, np.int32([-1, 2, -1]))
assert (count, base) == (2, 0)
even = np.zeros(3, np.int32)
assert m.arrays([1, 2, 3], even=even)[2] is even
