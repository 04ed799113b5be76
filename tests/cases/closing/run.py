import gc

import closing as m
from support import raises

# A failure leaves the object open.
a = m.Archive()
a.lock()
raises(PermissionError, "Archive.close(): it is locked", a.close)
assert not a.closed and m.live() == 1 and m.closed() == 1
a.lock(0)
a.close()
assert a.closed and m.live() == 0 and m.closed() == 2
# Closing twice is a no-op.
a.close()
assert m.closed() == 2
raises(ValueError, "Archive.lock(): argument 'a': this Archive is closed", a.lock)

# At the end of `with`, too; the exception of the body is the context.
with m.Archive() as a:
    assert m.live() == 1
assert a.closed and m.closed() == 3
try:
    with m.Archive() as a:
        a.lock()
        raise KeyError("body")
except PermissionError as error:
    assert isinstance(error.__context__, KeyError)
else:
    raise AssertionError
assert not a.closed
with m.Archive() as b:
    b.close()
assert m.closed() == 5

# An object that is not closed is released by `free`, which reports nothing.
del a
gc.collect()
assert m.live() == 0 and m.closed() == 6

# The object is gone, whatever C returns, and the other object is free to close.
a = m.Archive()
r = m.Reader(a, 1)
raises(RuntimeError, "...another object refers to this Archive, which C destroys", a.close)
assert not a.closed
raises(RuntimeError, "Reader.close(): reader_close returned status 1", r.close)
assert r.closed and m.live() == 1
a.close()
assert m.live() == 0
a, r = m.Archive(), None
with m.Reader(a) as r:
    pass
assert r.closed
a.close()
assert m.live() == 0

# Hidden arguments, a return code that is an argument, and a callback that the object retains.
seen = []
s = m.Stream(0)
assert m.close(s) == 0 and m.closed() == 10
s.watch(lambda what: seen.append(what) or 0)
raises(RuntimeError, "Stream.close(): stream_close returned status 3", s.close)
assert s.closed and seen == [0] and m.live() == 0
m.Stream().close()

# An object of the library is only marked as closed.
before = m.closed()
standard = m.standard()
standard.close()
assert standard.closed and m.closed() == before
with m.standard() as standard:
    pass
assert m.close(m.standard()) == 1 and m.closed() == before

# A closed object cannot be entered.
raises(ValueError, "this closing.Archive is closed", a.__enter__)
