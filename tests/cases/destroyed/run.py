import gc
import weakref

import destroyed as m
import numpy as np
from support import raises

# Every object of Python that leads to the destroyed one is closed.
world = m.World()
one, two = world.create(1), world.create(2)
same = world.find(1)
world.destroy(one)
assert one.closed and same.closed and not two.closed and m.alive() == 1
raises(ValueError, "Item.id(): argument 'one': this Item is closed", one.id)
raises(ValueError, "Item.id(): argument 'one': this Item is closed", same.id)
raises(ValueError, "...this Item is closed", world.destroy, one)

# A failure leaves it with the caller.
elsewhere = m.World()
raises(RuntimeError, "World.destroy(): ds_destroy returned status 1", elsewhere.destroy, two)
assert two.id() == 2
elsewhere.close()

# Retained values are released after it was destroyed: C calls back while it destroys it.
ended, weights = [], np.array([0.5, 2.0])
two.notify(ended.append)
two.weigh(weights)
retained = weakref.ref(weights)
del weights
gc.collect()
assert two.weight() == 0.5 and retained() is not None
world.destroy(two)
gc.collect()
assert ended == [2] and retained() is None and m.alive() == 0

# A method that destroys its object, and new objects at the same address.
for k in range(20):
    each = world.create(k)
    assert each.id() == k
    each.remove()
    assert each.closed
    raises(ValueError, "...this Item is closed", each.remove)
assert m.alive() == 0

# Objects that were closed or are gone do not matter.
kept = world.create(3)
world.find(3).close()
closed = world.find(3)
closed.close()
kept.remove()

# The world is released with the last object.
last, other = world.create(4), world.find(4)
del world
assert m.alive() == 1
last.remove()
assert m.alive() == 0 and other.closed

# Objects that are integers.
world = m.World()
sound, next_one = world.play(), world.play()
first = world.first()
assert world.is_playing(first) == 1
world.stop(sound)
assert sound.closed and first.closed and not next_one.closed
raises(ValueError, "...this Sound is closed", world.is_playing, sound)
used = "this Sound, which C takes over, is also used elsewhere"
where = "World.stop_all(): argument 'sounds[0]'"
raises(RuntimeError, f"{where}: {used}", world.stop_all, [next_one, next_one])
world.stop_all([next_one, world.play()])
assert next_one.closed
world.close()
