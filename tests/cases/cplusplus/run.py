import cplusplus as m
import numpy as np
from support import same

x = np.array([3.0, 1.0, 2.0])
m.sort(x)
same(x, [1.0, 2.0, 3.0])
y, count = m.unique([3, 1, 3])
same(y, np.int32([1, 3, 0]))
assert count == 2
assert m.helped(3) == 7
