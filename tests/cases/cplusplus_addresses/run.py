import cplusplus_addresses as m
from support import raises

assert m.read("key") == ("key!", True) and m.read("none") == ("none!", False)
raises(ValueError, "no key", m.read, "")
assert m.append("a", "b") == "ab"
numbers, count = m.numbers(3)
assert count == 3 and numbers.tolist() == [0, 0.5, 1]
items, ids = m.items(2)
assert [one.id for one in items] == [0, 1] and ids == {"item 0": 0, "item 1": 1}
assert m.count({"a": 1}, "a") == {"a": 2} and m.count({}, "b") == {"b": 1}
wanted = "count(): argument 'words.values()[0]': wanted an integer (int32), got str"
raises(TypeError, wanted, m.count, {"a": "b"}, "a")
