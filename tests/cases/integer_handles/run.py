import gc
import os

import integer_handles as m
import numpy as np
from support import raises

# The first object is 0, which C takes for an object.
node = m.Node(2.5)
assert m.number_of(node) == 0 and node.value() == 2.5 and m.alive() == 1
with m.Node() as other:
    assert m.number_of(other) == 1 and not other.closed
    assert m.sum(node, other) == 3.5
    # None is the invalid integer.
    assert m.sum(node, None) == m.sum(node) == 102.5
assert other.closed and m.alive() == 1
other.close()
assert m.times_closed(1) == 1
raises(ValueError, "Node.value(): argument 'node': this Node is closed", other.value)

# Each kind is a class, though both are the same integers in C; an integer is no object.
leaf = m.Leaf(node, 4)
wrong = "sum(): argument 'a': wanted a Node, got "
raises(TypeError, wrong + "integer_handles.Leaf", m.sum, leaf)
raises(TypeError, wrong + "int", m.sum, 0)
assert m.number_of(leaf) == 1

# The leaf keeps its node open.
node.close()
assert m.alive() == 2 and leaf.value() == 4
parent = leaf.parent()
assert parent.value() == 2.5
leaf.close()
assert m.alive() == 2
del parent
gc.collect()
assert m.alive() == 0

# An invalid integer is a failure, by errno or as a message.
nodes = [m.Node(k) for k in range(4)]
raises(OSError, f"[Errno 24] {os.strerror(24)}", m.Node)
raises(RuntimeError, "Leaf(): ih_child returned IH_NONE", m.Leaf, nodes[0], 1)
raises(RuntimeError, "create(): ih_create set made to -1", m.create, 5)
assert m.each(lambda one: 10 if one is None else one.value() + 1) == 20
del nodes
gc.collect()
assert m.alive() == 0

# An argument: left alone, and set by a call that fails.
raises(RuntimeError, "create(): ih_create returned status 1", m.create, -1)
raises(RuntimeError, "create(): ih_create returned status 2", m.create, -2)
assert m.alive() == 0 and m.times_closed(0) == 1
made = m.create(3)
assert made.scaled([1, 2]).tolist() == [3, 6]
np.testing.assert_equal(made.scaled(2.0), 6)
kept = []
m.each(lambda one: kept.append(one) or 0)
raises(ValueError, "Node.value(): argument 'node': this Node is closed", kept[0].value)

# Unsigned, and 0 is invalid.
texture = m.Texture(255)
assert texture.number() == 255 and m.textures_alive() == 1
raises(RuntimeError, "Texture(): ih_texture_new returned 0", m.Texture, 0)
texture.close()
assert m.textures_alive() == 0

# A pointer that may be NULL, and of which -1 is none.
null, one = m.Converter(0), m.Converter(1)
assert null.is_null() and not one.is_null() and m.converters_alive() == 2
assert m.has_converter(null) and not m.has_converter(None)
raises(RuntimeError, "Converter(): ih_converter_open returned -1", m.Converter, -1)
assert m.find_converter(0).is_null()
raises(RuntimeError, "find_converter(): ih_converter_find set made to -1", m.find_converter, -1)
raises(RuntimeError, "find_converter(): ih_converter_find returned status 1", m.find_converter, 7)
null.close()
one.close()
assert m.converters_alive() == 0
raises(
    ValueError, "Converter.is_null(): argument 'converter': this Converter is closed", null.is_null
)
