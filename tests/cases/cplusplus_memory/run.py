import cplusplus_memory as m
from support import raises, same

x = m.make(3)
same(x, [0.0, 1.0, 2.0])
assert m.count() == 1
assert m.greet("you") == "hello you" and m.count() == 1
for _ in range(100):
    raises(IndexError, "less than nothing", m.make, -1)
    raises(ValueError, "nobody to greet", m.greet, "")
# Freeing it throws, which is ignored.
del x
assert m.count() == 0
