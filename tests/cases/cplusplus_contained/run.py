import gc

import cplusplus_contained as m
from support import raises

# By value: each object is the caller's.
boxes = m.boxes(3)
assert isinstance(boxes, list) and [type(one) for one in boxes] == [m.Box] * 3
assert [one.size for one in boxes] == [0, 1, 2] and m.alive() == (3, 0)
boxes[1].close()
assert m.alive() == (2, 0) and boxes[2].size == 2
raises(ValueError, "...this Box is closed", lambda: boxes[1].size)
del boxes[0]
assert m.alive() == (1, 0)
boxes = None
assert m.alive() == (0, 0)
assert m.boxes(0) == []
made = m.made(3)  # of a class without a constructor
assert m.alive() == (3, 0)
made = None
assert m.alive() == (0, 0)
raises(IndexError, "negative", m.boxes, -1)
assert [one.size for one in m.fill(2)] == [0, 1]
assert m.names_of(m.boxes(2)) == ["box", "box"]
shelves = m.shelves(3)
assert {key: [one.size for one in all] for key, all in shelves.items()} == {
    "shelf 0": [],
    "shelf 1": [0],
    "shelf 2": [0, 1],
}
del shelves
all, count = m.both(2)
assert [one.size for one in all] == [0, 1] and count == 2
del all

# Optional values and variants.
assert m.largest([]) is None
box, size = m.largest([1, 3, 2])
assert box.size == size == 3
nothing, number, box, text = m.mixed()
assert (nothing, number, box.size, text) == (None, 1.5, 2, "three")
del box

# A container that C++ keeps: copies of its objects.
shelf = m.Shelf()
shelf.add(5)
(copy,) = shelf.all()
assert m.alive() == (2, 0)
shelf = None
assert copy.size == 5 and m.alive() == (1, 0)
del copy

# Of a std::unique_ptr, whose objects need no copy; an empty one is None.
nothing, first, second = m.locks(2)
assert nothing is None and (first.id, second.id) == (0, 1) and m.alive() == (2, 0)
del first, second
assert m.alive() == (0, 0)

# C++ takes over the objects of such an argument, also if it throws.
all_ = [m.Lock(1), m.Lock(2)]
assert m.close_locks(all_) == 3 and m.close_locks([]) == 0 and m.alive() == (0, 0)
assert all_[0].closed and all_[1].closed
raises(
    ValueError,
    "...'all[1]': this Lock was consumed: C owns it",
    m.close_locks,
    [m.Lock(1), all_[0]],
)
raises(RuntimeError, "too many", m.close_locks, [m.Lock(20)])
lock = m.Lock(3)
used = "close_locks(): argument 'all[0]': this Lock, which C takes over, is also used elsewhere"
raises(RuntimeError, used, m.close_locks, [lock, lock])
raises(TypeError, "...'all[1]': wanted a Lock, got None", m.close_locks, [lock, None])
assert lock.id == 3 and m.alive() == (1, 0)
lock.close()

# So do other containers, also if they have no object.
first = m.Lock(1)
assert m.close_named({"a": first, "b": m.Lock(2), "c": None}) == 3 and m.close_named({}) == 0
raises(ValueError, "...: this Lock was consumed: C owns it", getattr, first, "id")
raises(
    ValueError,
    "...'all.values()[0]': this Lock was consumed: C owns it",
    m.close_named,
    {"a": first},
)
assert m.close_maybe(m.Lock(4)) == 4 and m.close_maybe(None) == m.close_maybe() == -1
assert (
    m.close_pair((m.Lock(1), [m.Lock(2), None, m.Lock(3)])) == 6 and m.close_pair((None, [])) == 0
)
assert m.close_array([m.Lock(3), m.Lock(1)]) == 2 and m.close_array((None, None)) == 0
assert m.close_either(3) == -3 and m.close_either(m.Lock(3)) == 3
lock = m.Lock(3)
used = "close_pair(): argument 'all': this Lock, which C takes over, is also used elsewhere"
raises(RuntimeError, used, m.close_pair, (lock, [lock]))
raises(
    TypeError, "...'all.values()[1]': wanted a Lock, got int", m.close_named, {"a": lock, "b": 1}
)
raises(ValueError, "...'all': wanted 2 values, got 1", m.close_array, [lock])
assert lock.id == 3  # a call that was not made leaves it to the caller
lock.close()
named = m.named_locks(2)
assert [one.id for one in named.values()] == [0, 1] and m.close_named(named) == 1
assert m.maybe_lock(2).id == 2 and m.maybe_lock(-1) is None
one, none = m.lock_array()
assert one.id == 1 and none is None
one, more = m.lock_pair()
assert one.id == 1 and [each and each.id for each in more] == [None, 0, 1]
del one, more, named, first
assert m.alive() == (0, 0)
del lock, all_

# Of a std::shared_ptr: further references.
root = m.Node("root")
root.add(m.Node("a"))
root.add(m.Node("b"))
index = m.index(root)
assert set(index) == {"", "root", "a", "b"} and index[""] is None and m.alive() == (0, 3)
index["a"].name = "c"
assert [one.name for one in root.children] == ["c", "b"]
kept = index["b"]
root = index = None
assert m.alive() == (0, 1) and kept.name == "b"
one, other = m.copies(kept, 2)
one.name = "x"
assert (one.name, other.name, kept.name) == ("x", "b", "b") and m.alive() == (0, 3)
one.add(other)
del other
assert one.children[0].name == "b"
del one, kept
assert m.alive() == (0, 0)
assert m.constants()[0].name == "leaf"
nodes, boxes = m.mixture()
assert nodes[0].name == "one" and nodes[1] is None and boxes[0].size == 0
nodes = boxes = None
assert m.alive() == (0, 0)

# Each allocation of C++ fails in turn: nothing leaks.
root = m.Node("root" * 20)
root.add(m.Node("child" * 20))
shelf = m.Shelf()
shelf.add(1)
calls = [
    lambda: m.boxes(3),
    lambda: m.fill(3),
    lambda: m.locks(3),
    lambda: m.named_locks(3),
    lambda: m.lock_pair(),
    lambda: m.close_named({"a long name " * 3: m.Lock(1), "another long name " * 3: m.Lock(2)}),
    lambda: m.close_pair((m.Lock(1), [m.Lock(2), m.Lock(3)])),
    lambda: m.largest([1, 2]),
    lambda: m.mixed(),
    lambda: m.shelves(3),
    lambda: m.both(2),
    lambda: shelf.all(),
    lambda: root.children,
    lambda: m.index(root),
    lambda: m.constants(),
    lambda: m.copies(root, 3),
    lambda: m.mixture(),
]
for call in calls:
    call()  # the table of references may grow
before, alive = m.allocated(), m.alive()
for call in calls:
    for allocation in range(1, 1000):
        m.fail_at(allocation)
        try:
            call()
        except MemoryError:
            assert m.alive() == alive
            assert m.allocated() == before, (allocation, m.allocated(), before)
        else:
            break
    assert allocation > 1 or before == 0  # a sanitizer has its own allocations
m.fail_at(0)
root = shelf = None
gc.collect()
assert m.alive() == (0, 0)
