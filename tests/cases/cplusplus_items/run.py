import gc

import cplusplus_items as m
from support import raises, same

# Numbers are an array.
numbers = m.Numbers([3, 1.5, 2])
assert list(numbers) == [1.5, 2, 3] and list(m.Numbers([])) == []
same(numbers.iterate(), [1.5, 2.0, 3.0])
assert sum(numbers) == 6.5 and 2 in numbers

# Strings, which the iteration copies.
texts = m.Texts(["a", "b" * 50])
each = iter(texts)
texts.add("c")
assert list(each) == ["a", "b" * 50] and list(each) == [] and list(texts)[2] == "c"
raises(StopIteration, "", next, each)

# References belong to the object, which outlives them.
items = m.Items()
items.add(1), items.add(2)
for item in items:
    item.number *= 10
assert items.total() == 30 and [one.number for one in items] == [10, 20]
each = iter(items)
first = next(each)
del items, each
gc.collect()
assert first.number == 10 and m.live() == 2
del first, item
gc.collect()
assert m.live() == 0

# Values, pointers and shared objects.
made = list(m.Range(3))
assert [one.number for one in made] == [0, 1, 2] and m.live() == 3
del made
raises(IndexError, "too many items", iter, m.Range(101))
gc.collect()
assert m.live() == 0
assert [one.number for one in m.Pointers(3)] == [0, 1, 2]
shared, one = m.SharedItems(), m.Shared(5)
shared.add(one)
[found] = shared
found.number = 6
assert one.number == 6
each = iter(shared)
shared.close()
assert next(each).number == 6
raises(ValueError, "...: this SharedItems is closed", iter, shared)
del each, one, found, shared
gc.collect()
assert m.live() == 0
for _ in range(200):
    list(m.Texts(["x" * 100])), list(m.Range(5)), next(iter(m.Range(5)))
assert m.live() == 0
