"""Borrowed objects are closed when C destroys them; while one is in use, C is not called."""

import gc
import threading
from functools import partial

import invalidates as m
from support import raises


def tree():
    root = m.Node(0)
    return root, [root.add(value) for value in (1, 2, 3)]


# The child was freed although there is a view of it, which could not be detected.
root, (a, b, c) = tree()
below = b.add(20)
taken = root.detach(1)
assert all(one.closed for one in (a, b, c, below)) and not root.closed
raises(ValueError, "Node.value(): argument 'n': this Node is closed", b.value)
assert taken.value() == 2 and taken.child(0).value() == 20
taken.close()
assert m.nodes() == 3
assert root.child(1).value() == 3  # borrowed anew
root.close()
assert m.nodes() == 0

# One call may both use and destroy the object.
root, (a, b, c) = tree()
taken = root.detach_item(b)
assert b.closed and taken.value() == 2
assert root.detach_item(taken) is None and not taken.closed
del root, taken, a, b, c
assert m.nodes() == 0

# Objects that depend on a borrowed object are closed before it; those that depend on the parent are not.
root, (a, b, c) = tree()
on_child, on_root, on_below = m.Cursor(a), m.Cursor(root), m.Cursor(a.add(10))
a.close()
root.remove(0)
assert on_child.closed and on_below.closed and not on_root.closed
assert on_root.value() == 0

# Also if C then fails; not if the call is refused before.
b = root.child(0)
raises(RuntimeError, "Node.remove(): node_remove returned status 1", root.remove, 7)
assert b.closed
b = root.child(0)
raises(
    TypeError, "Node.remove(): argument 'k': wanted an integer (int32), got str", root.remove, "x"
)
assert not b.closed

# A view of its memory, or of a child's, cannot be closed.
values = root.values()
message = (
    "Node.remove(): argument 'parent': an array views memory of this Node, which the call ends"
)
raises(BufferError, message, root.remove, 0)
assert not b.closed and values.tolist() == [2, 3]
part = values[1:]
del values
raises(BufferError, message, root.remove, 0)
del part
b.add(5)
values = b.values()
message = message.replace("of this Node", "of a Node that was borrowed from it")
raises(BufferError, message, root.remove, 0)
assert b.value() == 2
del values
root.remove(0)
assert b.closed

# In use by a call that the callback is in, or by another thread.
b = root.child(0)
b.add(6)
message = (
    "Node.remove(): argument 'parent': another call uses a Node that was borrowed from it, which"
    " this call ends"
)
# No default argument: Python 3.13t never releases what functions hold that a module defines.
raises(RuntimeError, message, b.each, partial(lambda node, value: node.remove(0), root))
assert not b.closed and b.value() == 3
started, over = threading.Event(), threading.Event()


def wait(value):
    started.set()
    over.wait(10)


thread = threading.Thread(target=b.each, args=[wait])
thread.start()
started.wait(10)
# The lock of a child is its parent's, so this call waits until the other is over.
timer = threading.Timer(0.2, over.set)
timer.start()
root.remove(0)
assert b.closed
for one in (thread, timer):
    one.join()

# Objects that a callback of the call itself borrows are closed with the call.
root, (a, b, c) = tree()
seen = []


def borrow(parent):
    seen.extend([parent.child(0), parent.child(1), m.Cursor(parent.child(0))])


root.remove_calling(0, partial(borrow, root))
assert a.closed and b.closed and len(seen) == 3 and all(one.closed for one in seen)
m.clear(None)
m.clear(root)
assert root.child(0) is None

# Many.
nodes = []
for _ in range(500):
    nodes.append(root.add(1))
    nodes.append(nodes[-1].add(2))
    m.Cursor(nodes[-1])
    root.remove(0)
assert all(one.closed for one in nodes)
del root, a, b, c, on_child, on_root, on_below, nodes, one
gc.collect()
assert m.nodes() == 0, m.nodes()
