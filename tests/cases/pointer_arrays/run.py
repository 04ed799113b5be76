import threading

import numpy as np
import pointer_arrays as m
from support import raises

# Strings.
assert m.join(["a", "bc", "ü"]) == "a, bc, ü"
assert m.join(("a", "b"), between="") == "ab" and m.join([]) == ""
assert m.join_in(["a", "b"]) == "a+b" and m.count(["x"] * 7) == 7 and m.count([]) == 0
assert m.optional() == m.optional(None) == -1 and m.optional(["a"]) == 1
many = [str(k) for k in range(5000)]
assert m.join(many) == ", ".join(many)
assert m.join(np.array(["ab", "c"])) == "ab, c"

where = "join(): argument 'names'"
raises(TypeError, f"{where}: wanted a sequence of str, got str", m.join, "abc")
raises(TypeError, f"{where}: wanted a sequence of str, got bytes", m.join, b"abc")
raises(TypeError, f"{where}: wanted a sequence of str, got int", m.join, 3)
raises(TypeError, f"{where}: wanted a sequence of str, got dict", m.join, {"a": 1})
raises(TypeError, f"{where}: wanted a sequence of str, got set", m.join, {"a"})
raises(TypeError, f"{where}: wanted a sequence of str, got generator", m.join, (t for t in "ab"))
item = "join(): argument 'names[1]'"
raises(TypeError, f"{item}: wanted a text (str), got int", m.join, ["a", 1])
raises(TypeError, f"{item}: wanted a text (str), got None", m.join, ["a", None])
raises(TypeError, f"{item}: wanted a text (str), got bytes", m.join, ["a", b"b"])
raises(TypeError, f"{item}: wanted a text (str), got list", m.join, ["a", ["b"]])
raises(ValueError, f"{item}: the string contains an embedded NUL", m.join, ["a", "b\0c"])
raises(ValueError, f"{item}: ...surrogates not allowed", m.join, ["a", "\ud800"])
raises(TypeError, "small()...", m.small, [1] * 200)
raises(OverflowError, "small()...", m.small, ["a"] * 200)


class Changing(list):
    """Its items change while they are read."""

    def __iter__(self):
        for k in range(len(self)):
            item = self[k]
            self[k] = str(item) * 50
            self.append("more")
            yield item


assert m.join(Changing(["a", "b"])) == "a, b"


class Endless:
    """A length without items."""

    def __len__(self):
        return 2**62

    def __getitem__(self, index):
        raise KeyError(index)


raises(MemoryError, "", m.join, Endless())


class Failing(list):
    def __iter__(self):
        yield "a"
        raise ZeroDivisionError("in the middle")


raises(ZeroDivisionError, "in the middle", m.join, Failing(["a"]))

# Objects.
parts = [m.Part(1.0), m.Part(2.0), m.Part(4.0)]
assert m.weigh(parts) == 7 and m.weigh(tuple(parts)) == 7 and m.weigh([]) == 0
assert m.weigh([parts[0]] * 3) == 3  # one that occurs twice is the same object
assert m.weigh_alone(parts * 2) == 14
assert m.weigh([parts[2]] * 1000) == 4000
assert parts[2].heavier(parts) == 2 and parts[2].heavier(parts, parts) == 4
assert parts[0].heavier(parts, others=None) == 0
both = m.Sum(parts, ["one", "two"])
assert both.values() == (7.0, 6)

where = "weigh(): argument 'parts'"
raises(TypeError, f"{where}: wanted a sequence of Part, got pointer_arrays.Part", m.weigh, parts[0])
raises(TypeError, f"{where}: wanted a sequence of Part, got str", m.weigh, "parts")
item = "weigh(): argument 'parts[1]'"
raises(TypeError, f"{item}: wanted a Part, got pointer_arrays.Sum", m.weigh, [parts[0], both])
raises(TypeError, f"{item}: wanted a Part, got None", m.weigh, [parts[0], None])
raises(TypeError, "Sum(): argument 'names[0]': wanted a text (str), got int", m.Sum, parts, [1])
closed = m.Part(1.0)
closed.close()
raises(ValueError, f"{item}: this Part is closed", m.weigh, [parts[0], closed])

# An object that is closed while C runs is released after the call.
last = [m.Part(8.0), m.Part(16.0)]
before = m.alive()


def close_all():
    for one in last:
        one.close()
    last.clear()


m.double_all(last, close_all)
assert m.alive() == before - 2


def fail():
    raise ValueError("stop")


raises(ValueError, "stop", m.double_all, parts, fail)
assert m.weigh(parts) == 14  # C goes on after a failing `void` callback

# The choice among overloads looks at the first item.
assert m.choose("abc") == 103 and m.choose(["a", "b"]) == 2 and m.choose(parts) == 14.0
assert m.choose([1.0, 2.0]) == 1003.0
raises(TypeError, "choose()...", m.choose, [both])

# Callbacks.
seen = []
assert (
    m.callback(
        ["a", "b"], lambda names, parts: seen.append((names, parts[1])) or len(names), parts[0]
    )
    == 2
)
assert seen == [(["a", "b"], None)]

# Locks: threads that pass the same objects in another order do not deadlock.
rounds = 300


def weigh(order):
    for _ in range(rounds):
        assert m.double_all(order, lambda: None) is None
        assert order[0].heavier(order) >= 0


threads = [
    threading.Thread(target=weigh, args=[order]) for order in (parts, parts[::-1], parts * 2)
]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()

parts.clear()
del both, closed
assert m.alive() == 0, m.alive()
