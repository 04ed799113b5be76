import cplusplus_unpacked as c
from support import raises, same

assert c.mean([1, 2, 6]) == 3
raises(ValueError, "no samples", c.mean, [])
mean, sums, unit = c.describe([1, 2, 6], scale=2)
assert (mean, unit) == (6, "m")
same(sums, [1.0, 3.0, 9.0])
raises(ValueError, "no samples", c.describe, [])
