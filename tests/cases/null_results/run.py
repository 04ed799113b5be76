import errno

import null_results as m
from support import raises

# errno: Python chooses the exception. If C left it 0, the message names no cause.
raises(FileNotFoundError, "[Errno 2] No such file or directory", m.Store, "nowhere")
raises(PermissionError, "[Errno 13] Permission denied", m.Store, "secret")
raises(RuntimeError, "Store(): store_open returned NULL", m.Store, "silent")
assert m.alive() == 0

# Messages of the library about an argument, and about NULL in general.
with m.Store("here") as store:
    assert store.get(1) == store.plain(1) == store.find(1) == "one"
    raises(KeyError, "'Store.get(): no key 7'", store.get, 7)
    assert store.find(7) is None
    raises(MemoryError, "Store.copy(): there is no room", store.copy, 0)
    store.copy(1).close()
    # The module's messages are about return codes.
    raises(RuntimeError, "Store.plain(): the result: C returned NULL", store.plain, 7)
    store.check(0)
    raises(RuntimeError, "Store.check(): minus one", store.check, -1)
    raises(IndexError, "Store.check(): minus more", store.check, -2)

assert m.join("ab", 3) == "ababab"
try:
    m.join("ab", 4)
except OSError as error:
    assert error.errno == errno.E2BIG
else:
    raise AssertionError
raises(RuntimeError, "join(): too many by far", m.join, "ab", 5)
assert m.alive() == 0
