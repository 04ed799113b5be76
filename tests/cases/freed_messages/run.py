import warnings

import freed_messages as m
import numpy as np
from support import raises, same

# Of the module: a call, each item of a batch, a warning, and a message that is NULL.
same(m.root([4, 9]), np.array([2.0, 3.0]))
raises(RuntimeError, "root(): code -2", m.root, -1)
raises(RuntimeError, "root(): code -2 (item (1,))", m.root, [1, -4, 9])
raises(RuntimeError, "bare(): fm_bare returned status -9", m.bare, -9)
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    m.warns(-3)
assert [str(one.message) for one in seen] == ["warns(): code -3"]
with warnings.catch_warnings():
    warnings.simplefilter("error")
    raises(RuntimeWarning, "warns(): code -3", m.warns, -3)
raises(RuntimeError, "retained(): retained", m.retained, -1)
assert m.existing() == 0

# Of a class: methods, results that are NULL, and the constructor.
session = m.Session(1)
raises(RuntimeError, "Session.set(): session failed with -7", session.set, -7)
raises(RuntimeError, "Session.other(): session failed with -7", session.other)
raises(RuntimeError, "Session(): code -4", m.Session, -4)
assert m.existing() == 0

# Of objects that the module stores.
assert m.Gauge().scale() == 1
m.refuse(-5)
raises(RuntimeError, "Gauge(): code -5", m.Gauge)
assert m.existing() == 0

# On stacks.
m.fails(0)
raises(RuntimeError, "fails(): code 3; code 2; code 1", m.fails, 3)
raises(RuntimeError, "fails_each(): code 2; code 1", m.fails_each, 2)
assert m.existing() == 0
