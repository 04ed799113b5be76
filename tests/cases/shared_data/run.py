"""User data that belongs to an object leads to the last callback of each parameter."""

import gc
import threading
import weakref

import shared_data as m
from support import raises

# Each callback finds its own function, whichever was set first, and whatever another object has.
seen = []


def word(w):
    seen.append(w)


def number(n):
    seen.append(n)
    return 1


r, other = m.Reader(), m.Reader()
assert r.feed("one 2") == 0
r.words(word)
r.numbers(number)
other.words(lambda w: seen.append(w.upper()))
assert r.feed("one 2 three") == 3 and seen == ["one", 2, "three"]
assert other.feed("one 2 three") == 2 and seen[3:] == ["ONE", "THREE"]

# A later call replaces the function, which is released; None removes it.
old = weakref.ref(word)
del word
assert old() is not None
r.words(lambda w: seen.append(len(w)))
gc.collect()
assert old() is None
seen.clear()
assert r.feed("four 5") == 2 and seen == [4, 5]
last = lambda w: None  # noqa: E731
removed = weakref.ref(last)
r.words(last)
del last
r.words(None)
gc.collect()
assert removed() is None and r.feed("four") == 0
r.words()
assert r.feed("four") == 0

# After a failed call, C may have stored the function, which it can call.
seen.clear()
raises(
    RuntimeError,
    "Reader.numbers(): reader_numbers returned status 1",
    r.numbers,
    lambda n: seen.append(n) or 1,
    -1,
)
assert r.feed("7") == 1 and seen == [7]

# Several of one call share an argument, and one may be absent.
for w, n, calls in [
    (None, number, 1),
    (lambda w: seen.append(w), None, 1),
    (None, None, 0),
    (lambda w: None, number, 2),
]:
    assert r.both(w, n) is None and r.feed("a 1") == calls
raises(TypeError, "Reader.both(): argument 'number': wanted a function, got int", r.both, None, 1)
assert r.feed("a 1") == 2

# The constructor calls them already.
seen.clear()
o = m.Reader(lambda w: seen.append(w), number)
assert seen == ["open", 1] and o.feed("x 2") == 2 and seen == ["open", 1, "x", 2]
o.close()
assert m.readers() == 2


# An exception is raised by the call, and C calls no more.
def fails(n):
    raises(ValueError, "Reader.words(): argument 'r': this Reader is closed", o.words, None)
    raise KeyError(n)


r.numbers(fails)
for f in (r.feed, lambda text: m.Reader(lambda w: None, fails)):
    try:
        f("1 2")
    except KeyError as error:
        assert error.args == (1,)
    else:
        raise AssertionError
assert m.readers() == 2
r.numbers(lambda n: 0)
raises(RuntimeError, "Reader.feed(): stopped", r.feed, "1")


# A callback replaces itself, and others, while C calls it.
def replaces(w):
    r.words(lambda w: seen.append("new " + w))
    seen.append("old " + w)


seen.clear()
r.words(replaces)
assert r.feed("a b") == 2 and seen == ["old a", "new b"]

# The user data exists until the destructor has returned. C passes the object.
ended = []
r.ends(lambda one: ended.append(one.closed))
r.close()
assert ended == [False] and m.readers() == 1
other.close()

# A cycle of an object and its callbacks is collected.
c = m.Reader()
c.words(lambda w, c=c: c)
c.numbers(lambda n, c=c: 1)
del c
gc.collect()
assert m.readers() == 0

# Objects of several threads have nothing in common.
counts = [0] * 4


def work(k):
    r = m.Reader()

    def count(n):
        counts[k] += n
        return 1

    for _ in range(200):
        r.numbers(count)
        r.words(lambda w: None)
        r.feed("1 a 2 b")
    r.close()


threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert counts == [600] * 4 and m.readers() == 0
