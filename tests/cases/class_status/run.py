import class_status as m
import numpy as np
from support import raises, same

# The message of each method is read from its object, and the exceptions are those of the class.
a = m.Archive("a")
a.add(2)
raises(IndexError, "Archive.add(): negative count", a.add, -1)
raises(RuntimeError, "Archive.add(): no room", a.add, 9)
raises(IndexError, "Archive.set(): no entry", a.set, 5, 1)
raises(IndexError, "Archive.set(): negative", a.set, 5, -1)

# Other keys are the function's own.
assert (m.find(a, "abc"), a.find("ab")) == (3, 2)
raises(IndexError, "find(): not there: abcd", a.find, "abcd")

# So may be the message, of the object and the arguments.
a.move(0, 1)
raises(IndexError, "Archive.move(): -1: no place 7 among 2", a.move, 0, 7)

# NULL has no code, but a message.
entry = a.entry(1)
raises(RuntimeError, "Archive.entry(): no such entry", a.entry, 2)
assert a.copy().entry(0).read() == 7
a.add(5)
raises(RuntimeError, "Archive.copy(): no memory", a.copy)

# Each item of a batch.
same(a.root([1, 4]), np.array([1.0, 2.0]))
raises(IndexError, "Archive.root(): it has no root (item (1,))", a.root, [1, -4])

# A constructor reads the object that C has set, if there is one.
raises(IndexError, "Archive(): cannot open something", m.Archive, "something")
raises(IndexError, "Archive(): archive_open returned status -1", m.Archive, "nothing")

# Another class has another convention, which depends on the status here.
raises(RuntimeError, "Entry.read(): entry 1 has status -3", entry.read)
a.compare(entry)
raises(IndexError, "Archive.compare(): another archive", m.Archive("b").compare, entry)

# Overloads are methods of their own classes, or of none.
m.check(a)
raises(IndexError, "check(): it is empty", m.check, m.Archive("b"))
raises(RuntimeError, "check(): entry 1 has status -4", m.check, entry)
m.check(0)
raises(RuntimeError, "check(): full", m.check, -2)

# An object that C has taken over cannot be read: the message is that of the module.
m.Archive("b").finish()
b = m.Archive("b")
b.add(2)
raises(RuntimeError, "Archive.finish(): full", b.finish)
assert b.closed
