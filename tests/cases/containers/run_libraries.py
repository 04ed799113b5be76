"""Containers of real libraries."""

import array_api_strict as xp
import containers as m
import numpy as np
from support import same

x = xp.asarray([1.0, 2.0, 3.0])
assert m.total(x) == 6
m.scale(x)
assert m.ramp(3, x=x) is x
same(np.from_dlpack(x), [0.0, 1.0, 2.0])
assert m.weigh(xp.reshape(xp.arange(6, dtype=xp.float64), (2, 3))) == 55
assert m.kind(xp.zeros(2, dtype=xp.int32)) == 3
