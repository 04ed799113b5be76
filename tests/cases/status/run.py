import numpy as np
import status as m
from support import raises, same

assert m.check(0) is None
for wrong in (1, -1, 2**31 - 1, -(2**31)):
    raises(RuntimeError, f"check(): check_value returned status {wrong}", m.check, wrong)
assert m.root(4) == 2.0
raises(RuntimeError, "root(): root returned status -33", m.root, -4)

x = np.array([1.0, 2.0, -1.0, 3.0])
raises(RuntimeError, "bump_all(): bump_all returned status 3", m.bump_all, x)
same(x, [2.0, 3.0, -1.0, 3.0])
wide = np.array([1.0, 0, 2, 0, -1, 0, 3, 0])
raises(RuntimeError, "bump_all(): bump_all returned status 3", m.bump_all, wide[::2])
same(wide, [1.0, 0, 2, 0, -1, 0, 3, 0])

assert m.wide(0) is None
raises(RuntimeError, "wide(): wide returned status 7", m.wide, 7)
