import sys

import cplusplus_sets as m
import numpy as np
from support import raises, same

# Sets, and lists with equal values.
assert m.joined({"b", "a"}) == m.joined(frozenset("ab")) == m.joined(["b", "a", "b"]) == "a;b;"
assert m.joined(set()) == m.joined(()) == ""
assert m.total({1.5, 2}, [1, 1]) == 5.5 and m.total(np.array([1.5, 1.5]), {4}) == 5.5


class Words(set):
    pass


assert m.joined(Words("c")) == "c;"
assert m.shared({"x": {1, 2, 3}, "y": [5, 2]}, {2, 3}) == {"x": [2, 3], "y": [2]}
assert m.add_next({4, 1}) == [1, 4, 5] and m.add_next([]) == []

# One of several alternatives: the first that fits the values.
assert m.kind({1, 2}) == m.kind([1]) == "set" and m.kind(["a"]) == m.kind([]) == "list"
assert m.kind(set()) == "set"
raises(
    TypeError,
    "kind(): argument 'value': wanted a sequence, a set, got set",
    m.kind,
    {"a"},
)

raises(TypeError, "joined(): argument 'words': wanted a set, got str", m.joined, "ab")
raises(TypeError, "joined(): argument 'words': wanted a set, got dict", m.joined, {})
raises(TypeError, "joined(): argument 'words[0]': wanted a str, got int", m.joined, {1})
raises(
    TypeError, "shared(): argument 'all.values()[0]': wanted a set, got int", m.shared, {"x": 1}, []
)
raises(OverflowError, "add_next(): argument 'values[0]': ...", m.add_next, {2**40})
raises(TypeError, "filtered(): argument 'x': ...", m.filtered, m.Filter(), {1})


class Odd(m.Filter):
    def kept(self, of):
        assert isinstance(of, list)
        return {one for one in of if one % 2}


class Wrong(m.Filter):
    def kept(self, of):
        return 1.5


same(m.filtered(Odd(), [3, 2, 1, 3]), np.array([1, 3], np.int32))
raises(TypeError, "...wanted a set, got float", m.filtered, Wrong(), [1])

# The set is not retained, whether the call succeeds or not.
words = {"a", "b"}
before = sys.getrefcount(words)
for _ in range(100):
    m.joined(words)
    try:
        m.add_next(words)
    except TypeError:
        pass
assert sys.getrefcount(words) == before
