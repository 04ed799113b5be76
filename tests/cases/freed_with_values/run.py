import gc

import freed_with_values as m
import numpy as np
from support import raises, same

# Lists, with their length: also if an item is invalid, or C fails after it has stored the array.
assert m.words(3, -1) == ["word 0", "word 1", "word 2"] and m.words(0, -1) == []
assert m.live() == 0
try:
    m.words(3, 1)
except UnicodeDecodeError:
    pass
else:
    raise AssertionError
assert m.live() == 0
assert m.stored(2) == (["word 0", "word 1"], 2)
raises(RuntimeError, "stored(): fv_stored returned status 1", m.stored, 3)
assert m.filled(2) == ["word 0", "word 1"]
assert m.live() == 0

# Arrays and strings of an object, which are copied and released before the call returns.
pool = m.Pool()
ramp = pool.ramp(4)
same(ramp, np.arange(4.0))
assert ramp.base is None and ramp.flags.writeable and pool.live() == 0
same(pool.ramp(0), np.zeros(0))
raises(RuntimeError, "Pool.ramp(): fv_ramp returned status 1", pool.ramp, -1)
assert pool.live() == 0
assert pool.name("x") == "x."
try:
    pool.name("!")
except UnicodeDecodeError:
    pass
else:
    raise AssertionError
assert pool.live() == 0
same(m.either(2, 3, pool), np.arange(6.0).reshape(2, 3))
same(m.either(3, 2), np.arange(6.0).reshape(3, 2))
assert m.either(0, 1, pool) is None
raises(
    RuntimeError,
    "either(): the result: dimension 1, computed after the call, is -1",
    m.either,
    1,
    -1,
    pool,
)
assert pool.live() == 0 and m.live() == 1
pool.close()
raises(ValueError, "Pool.ramp(): argument 'p': this Pool is closed", pool.ramp, 1)
same(ramp, np.arange(4.0))

# Without further values, the array retains the memory.
squares = m.squares(4)[1:]
assert m.live() == 1
same(squares, np.array([1, 4, 9], dtype=squares.dtype))
del squares
gc.collect()
assert m.live() == 0 and m.errors() == 0
