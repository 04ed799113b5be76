import pointer_types as m
from support import raises

assert m.root(3) == 9 and m.put(2) == 3
raises(RuntimeError, "root(): negative", m.root, -1)
raises(RuntimeError, "put(): below zero", m.put, -1)
assert m.length("four") == 4 and m.length(None) == 0 and m.name() == "name" and m.copy("x") == "x"
raises(TypeError, "length(): argument 'text': ...", m.length, 1)
assert m.first(2.5) == 2.5 and m.longest(["a", "ccc", "bb"]) == 1

words = []
m.each("two", words.append)
assert words == ["one", "two"]
assert m.value(m.Node(5)) == 5 and m.run("title", [1, 2]) == 8
