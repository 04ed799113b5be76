import cplusplus_functions as m
from support import raises

items = m.List()
for name, weight in [("a", 1), ("bcd", 2), ("ef", 3)]:
    items.add(name, weight)
assert items.sum(lambda item: item.weight) == 6


def double(item):
    item.weight *= 2


items.change(double)
assert items.sum(lambda item: item.weight) == 12
assert items.find(lambda item: item is not None and item.name == "ef") == 2
assert items.find(lambda item: item is None) == -2 and items.find(lambda item: False) == -1
assert items.longest(lambda item: len(item.name)) == "bcd"

# An object is valid until the function returns.
kept = []
items.change(kept.append)
raises(ValueError, "...this Item is closed", lambda: kept[0].name)

seen = []
assert m.lines("a\n\nbc", lambda line, number: seen.append((line, number)) or bool(line)) == 2
assert seen == [("a", 1), ("", 2), ("bc", 3)]
seen.clear()
assert m.table(lambda values, index: seen.append((values, index)) or len(values)) == 2
assert list(seen[0][0]["a"]) == [1, 2] and seen[1] == ({}, 3) and seen[0][1] is None


def add(point, mode, text, numbers):
    assert mode is m.Mode.second and text == "text"
    return point.x + point.y + sum(numbers)


assert m.values(add) == 10


def fail(item):
    raise ZeroDivisionError(item.name)


raises(ZeroDivisionError, "a", items.sum, fail)
raises(TypeError, "...", items.sum, lambda item: "text")
