import gc

import freed_by_context as m
from support import raises

# The part is freed with the pool in which it was created, which exists as long.
pool = m.Pool()
one, two = m.Part(pool, 4), m.Part(pool, 6)
assert pool.count() == 2
one.close()
assert pool.count() == 1 and pool.last() == 4
pool.close()
assert m.pools() == 1 and two.value() == 6
del two
assert m.pools() == 0 and m.errors() == 0

# A call that fails after C has stored its object releases it with the pool.
pool = m.Pool()
raises(RuntimeError, "make(): fc_make returned status 1", m.make, 5, pool)
assert pool.count() == 0 and pool.last() == 5
made = m.make(8, pool)
assert made.value() == 8 and pool.count() == 1
raises(RuntimeError, "Part(): fc_part returned NULL", m.Part, pool, -1)

# It may refer to other objects as well.
copy = made.copy(pool)
made.close()
assert pool.count() == 2
copy.close()
assert pool.count() == 0 and pool.last() == 8

# C takes over an object that refers to its pool alone.
around = m.around(pool, m.Part(pool, 10))
assert around.inner().value() == 10 and pool.count() == 2
kept = m.Part(pool, 12)
copied = kept.copy(pool)
raises(
    ValueError,
    "around(): argument 'inner': C cannot take over this Part, which refers to other objects",
    m.around,
    pool,
    copied,
)
del copied
around.close()
assert pool.count() == 1 and m.errors() == 0
del kept, around, made, copy

# The pool may be of a derived class.
arena = m.Arena()
part = m.Part(arena, 3)
del arena, pool
gc.collect()
assert m.pools() == 1
del part
assert m.pools() == 0 and m.errors() == 0


# In a cycle through Python.
class Holder:
    pass


for _ in range(5):
    holder = Holder()
    holder.part = m.Part(m.Pool(), 1)
    holder.self = holder
del holder
gc.collect()
assert m.pools() == 0 and m.errors() == 0

# Flags and a code.
label = m.Label(1)
label.close()
assert m.freed() == 1
with m.Label(2) as label:
    assert label.value() == 2
del label
label = m.Label(-1)
raises(RuntimeError, "Label.close(): fc_label_free returned status 7", label.close)
assert label.closed
m.Label(-1)
assert m.freed() == 4
