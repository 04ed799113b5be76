import threading

import consumed as m
from support import raises

# The caller's object is spent; C frees it with its new owner.
parent, child = m.Node(1), m.Node(2)
parent.add(child)
assert child.closed and parent.sum() == 3 and m.alive() == 2
raises(ValueError, "Node.sum(): argument 'parent': this Node was consumed: C owns it", child.sum)
raises(
    ValueError, "Node.add(): argument 'child': this Node was consumed: C owns it", parent.add, child
)
child.close()
del child
assert m.alive() == 2
again = parent.child(0)
assert again.sum() == 2

# With `own`, also after a failure.
lost = m.Node(4)
raises(RuntimeError, "Node.add(): cs_add returned status 1", parent.add, lost, 1)
assert lost.closed and m.alive() == 2

# With `own(success)`, a failure leaves it with the caller.
mine = m.Node(8)
raises(RuntimeError, "Node.try_add(): cs_try_add returned status 7", parent.try_add, mine, 7)
assert not mine.closed and mine.sum() == 8
raises(LookupError, "...", parent.checked_add, mine, 1)
assert mine.sum() == 8
raises(RuntimeError, "Node.try_wrap(): cs_wrap returned NULL", mine.try_wrap, 1)
assert mine.sum() == 8
parent.try_add(mine)
assert mine.closed and parent.sum() == 11
other = m.Node(16)
parent.checked_add(other)
assert other.closed and parent.sum() == 27
outer = m.Node(32).try_wrap()
assert outer.sum() == 32
outer.close()

# Arrays of them.
all_ = [m.Node(k) for k in range(3)]
raises(
    RuntimeError,
    "Node.try_add_all(): cs_try_add_all returned status 2",
    parent.try_add_all,
    all_,
    2,
)
assert [one.sum() for one in all_] == [0, 1, 2]
parent.try_add_all(all_)
assert all(one.closed for one in all_) and parent.sum() == 30
where = "Node.try_add_all(): argument 'children[1]'"
raises(
    ValueError,
    f"{where}: this Node was consumed: C owns it",
    parent.try_add_all,
    [m.Node(0), all_[0]],
)
twice = m.Node(1)
used = "this Node, which C takes over, is also used elsewhere"
first = "Node.try_add_all(): argument 'children[0]'"
raises(RuntimeError, f"{first}: {used}", parent.try_add_all, [twice, twice])
raises(RuntimeError, f"{where}: {used}", parent.try_add_all, [m.Node(1), parent])
raises(RuntimeError, f"Node.add(): argument 'child': {used}", parent.add, parent)
assert not twice.closed and not parent.closed and parent.sum() == 30
parent.try_add_all([])

# A constructor. Objects that it cannot take over are refused before C is called.
pair = m.Pair(m.Node(1), [m.Node(2), m.Node(3)])
assert pair.sum() == 6
raises(RuntimeError, f"Pair(): argument 'first': {used}", m.Pair, twice, [twice])
raises(
    TypeError,
    "Pair(): argument 'rest[1]': wanted a Node, got None",
    m.Pair,
    twice,
    [m.Node(1), None],
)
assert twice.sum() == 1
raises(RuntimeError, "Pair(): cs_pair returned NULL", m.Pair, twice, [m.Node(1)], 1)
assert twice.closed
pair.close()

# None is no object.
parent.add_or_not()
parent.add_or_not(None)
parent.add_or_not(m.Node(0))

# Objects that were borrowed from it are closed; one that another object refers to is refused.
tree = m.Node(1)
tree.add(m.Node(2))
inner = tree.child(0)
mark = m.Mark(tree)
why = "Node.add(): argument 'child': another object refers to this Node, which C takes over"
raises(RuntimeError, why, parent.add, tree)
assert not inner.closed and inner.sum() == 2
mark.close()
view = tree.values()
why = "Node.add(): argument 'child': an array views memory of this Node, which C takes over"
raises(BufferError, why, parent.add, tree)
assert view[0] == 1
del view
why = "Node.add(): argument 'child': C cannot take over this Node, which the caller does not own"
raises(ValueError, why, parent.add, inner)
parent.add(tree)
assert tree.closed and inner.closed and parent.sum() == 33

# A method that frees its object.
alone = m.Node(1)
alone.dispose()
raises(ValueError, "...consumed...", alone.dispose)

# During the call, it is C's already; another call with it is refused.
during = m.Node(1)


def look():
    assert during.closed
    raises(ValueError, "...consumed...", during.sum)
    during.close()


parent.add_calling(during, look)
busy, own = m.Node(5), m.Node(6)
raises(
    RuntimeError,
    f"Node.add(): argument 'child': {used}",
    busy.add_calling,
    own,
    lambda: m.Node(0).add(busy),
)
assert not busy.closed and own.closed and busy.sum() == 11


def fail():
    raise ZeroDivisionError("in the callback")


raises(ZeroDivisionError, "in the callback", busy.add_calling, m.Node(1), fail)
assert busy.sum() == 12


# Of threads that pass the same object, one succeeds. The function holds no object: from the first thread on, a
# free-threaded Python 3.13 never frees functions.
def pass_once(gate, taken, target, shared):
    gate.wait()
    try:
        target.try_add(shared)
    except (ValueError, RuntimeError):
        return
    taken.append(1)


for _ in range(50):
    gate, taken = threading.Barrier(4), []
    target, shared = m.Node(0), m.Node(1)
    arguments = (gate, taken, target, shared)
    threads = [threading.Thread(target=pass_once, args=arguments) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(taken) <= 1 and target.sum() == len(taken) and shared.closed == bool(taken)

names = [
    "parent",
    "again",
    "mine",
    "other",
    "twice",
    "tree",
    "inner",
    "mark",
    "alone",
    "during",
    "busy",
    "own",
]
for name in [
    *names,
    "target",
    "shared",
    "all_",
    "outer",
    "lost",
    "pair",
    "arguments",
    "threads",
    "thread",
    "look",
]:
    globals().pop(name)
assert m.alive() == 0, m.alive()
