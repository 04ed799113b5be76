import gc

import fields as m
import numpy as np
from support import raises, same

b = m.Body(5.5, 3)
assert (b.mass, b.id, b.tag, b.phase, b.label, b.code) == (
    5.5,
    3,
    7,
    m.Phase.LIQUID,
    "earth",
    "abc",
)
b.mass, b.tag, b.phase = 6, 255, m.Phase.SOLID
assert (b.mass, b.tag, b.phase) == (6.0, 255, m.Phase.SOLID)
raises(TypeError, "...", setattr, b, "mass", "x")
raises(OverflowError, "...", setattr, b, "tag", 256)
raises(AttributeError, "...", setattr, b, "id", 4)
raises(AttributeError, "...", setattr, b, "label", "moon")
raises(AttributeError, "the attribute cannot be deleted", delattr, b, "mass")
assert m.Body(1, 2).label is None

# A struct is a copy.
at = b.at
at.x = 9
assert b.at.x == 1
b.at = at
assert (b.at.x, b.at.y) == (9, 2)

# An array is a view of the object, and keeps it alive.
spin = b.spin
spin[1] = 8
same(b.spin, [1.0, 8.0, 3.0])
raises(AttributeError, "...", setattr, b, "spin", [1, 2, 3])
same(b.grid, np.array([[1, 2, 3], [4, 5, 6]], np.int32))

# Pointers to arrays whose sizes are other fields.
same(b.marks, b.spin)
assert not b.cells.flags.writeable and len(b.cells) == len(b.marks)
b.marks[1] = 7
assert b.spin[1] == 7
b.spin[1] = 8
same(b.table, np.array([[1, 2], [3, 4]], np.float32))
assert not b.table.flags.writeable
bare = m.Body(1, -1)
same(bare.marks, np.zeros(0))
bare.count = 2
raises(RuntimeError, "...", lambda: bare.marks)
bare.count = -1
raises(RuntimeError, "...", lambda: bare.marks)
bare.count = 0


# Objects within the object.
only = b.only
only.mass = 2
assert b.only.mass == 2 and b.other is None
moon = m.Moon(4)
b.set_other(moon)
assert b.other.mass == 4
other = b.other
del b, moon
gc.collect()
same(spin, [1.0, 8.0, 3.0])
assert only.mass == 2

b = m.Body(1, 2)
b.close()
raises(ValueError, "...: this Body is closed", lambda: b.mass)
raises(ValueError, "...: this Body is closed", setattr, b, "mass", 1)
assert isinstance(spin, np.ndarray)
