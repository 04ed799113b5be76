import gc
import sys

import callback_strings as c
from support import raises

Reader = c.Reader


def fail(*given):
    raise ZeroDivisionError("no")


class Name(str):
    """Equal to each other one, and not to a `str`."""

    def __hash__(self):
        return 1

    def __eq__(self, other):
        return isinstance(other, Name)


# C takes over a copy that malloc has allocated, as completion generators have it; None is the end.
assert c.complete("re", lambda text, k: f"{text}é{k}" if k < 3 else None) == "reé0 reé1 reé2 "
assert c.complete("", lambda text, k: None) == ""
assert c.complete("a", lambda text, k: None if k else Name(text)) == "a "
raises(ZeroDivisionError, "no", c.complete, "a", lambda text, k: fail() if k else "x")
raises(
    TypeError,
    "complete(): argument 'generate' returned 'result': wanted a text (str), got int",
    c.complete,
    "a",
    lambda text, k: 5,
)
raises(
    ValueError,
    "complete(): argument 'generate' returned 'result': the string contains an embedded NUL",
    c.complete,
    "a",
    lambda text, k: "x\0y",
)
raises(ValueError, "...", c.complete, "a", lambda text, k: "\udc80")
raises(TypeError, "...", c.complete, "a", lambda text, k: b"x")

# Another function allocates it, after all else that may fail.
assert c.joined(lambda k, x: (k < 2, "abc"[k] * 2 + f"{x[0]:g}")) == "aa1.5bb1.5cc1.5"
assert c.joined(lambda k, x: (k < 2, None if k == 1 else "-")) == "--"
raises(TypeError, "...", c.joined, lambda k, x: "ab")
raises(TypeError, "...", c.joined, lambda k, x: (1, 2))
raises(TypeError, "...", c.joined, lambda k, x: ("one", "two"))
kept = []
raises(
    RuntimeError,
    "joined(): argument 'next': callback argument 'x' outlived the callback; it views C memory: copy it",
    c.joined,
    lambda k, x: (kept.append(x) or 1, "x" * k),
)
assert kept[0].size == 0


def refuse(k, x):
    c.refuse(k == 1)
    return 1, "xy"


raises(MemoryError, "", c.joined, refuse)
c.refuse(0)
assert c.live() == 0

# C reads the memory of the strings, all of them until the call returns.
assert c.longest(9, lambda k: "x" * k + "é" * (9 - k)) == "é" * 9
assert c.longest(3, lambda k: Name("ab" * k)) == "abab"
assert c.longest(0, fail) == c.longest(5) == ""
raises(ZeroDivisionError, "no", c.longest, 5, lambda k: "x" if k < 3 else fail())
raises(
    TypeError,
    "longest(): argument 'name' returned 'result': wanted a text (str), got None",
    c.longest,
    2,
    lambda k: None,
)


# Each callback has its own, also in a call of a callback.
def inner(k):
    return c.longest(3, lambda n: "abc"[n] * (k + n + 1))


assert c.longest(4, inner) == "cccccc"
same = "one" * 50
before = sys.getrefcount(same)
assert c.longest(1000, lambda k: same) == same
assert sys.getrefcount(same) == before

# The header has no `const`, and C passes no user data.
assert c.length(lambda: "four") == 4 and c.length(lambda: None) == -1 and c.length() == -1
raises(TypeError, "...", c.length, lambda: 4)

# In a struct; the error return value is a string of C.
assert c.lengths(3, lambda k: "x" * k) == 3
raises(ZeroDivisionError, "no", c.lengths, 2, fail)
assert c.strictly(lambda: "yes") and not c.strictly(lambda: "no")
raises(ZeroDivisionError, "no", c.strictly, fail)

# Threads of C.
assert c.on_threads(8, lambda k: "x" * k) == sum(2 * k + 1 for k in range(8))
raises(ZeroDivisionError, "no", c.on_threads, 4, fail)


# A callback that outlives its call: C uses a chunk until it asks for the next one, in a later call.
class Chunks:
    def __init__(self, *chunks):
        self.rest = list(chunks)

    def __call__(self):
        return self.rest.pop(0) + " " * 100 if self.rest else None


reader = Reader()
assert reader.word() is None
reader.set(Chunks("one two", "", "thrée"))
words = []
while (word := reader.word()) is not None:
    gc.collect()
    words.append(word)
assert words == ["one", "two", "thrée"] and reader.word() is None


reader.set(Chunks("a bb", "c"))
assert reader.word() == "a"
reader.set(fail)
raises(ZeroDivisionError, "no", reader.word)
reader.set(lambda: 5)
raises(
    TypeError,
    "Reader.set(): argument 'chunk' returned 'result': wanted a text (str), got int",
    reader.word,
)
reader.set()
assert reader.word() is None

# The last string of each thread is retained, and no other one.
strings = [f"chunk {k}" for k in range(50)]
before = [sys.getrefcount(one) for one in strings]
rest = iter(strings)
reader.set(lambda: next(rest, None))
while reader.word() is not None:
    pass
assert [sys.getrefcount(one) for one in strings][:-1] == before[:-1]
shared = "".join(["chunk"] * 10)  # a constant may be immortal
before = sys.getrefcount(shared)
reader.set(lambda: shared)
assert reader.total(8) == 8 * 50
assert before < sys.getrefcount(shared) <= before + 10
reader.set()
assert sys.getrefcount(shared) == before
del reader
gc.collect()
assert c.live() == 0
