local m = require 'class_status'
local raises = require('support').raises

-- The message of each method is read from its object.
local a = m.Archive('a')
a:add(2)
raises('Archive.add(): negative count', a.add, a, -1)
raises('Archive.add(): no room', a.add, a, 9)
raises('Archive.set(): no entry', a.set, a, 5, 1)
raises('Archive.set(): negative', a.set, a, 5, -1)

-- Other keys are the function's own.
assert(m.find(a, 'abc') == 3)
raises('find(): not there: abcd', a.find, a, 'abcd')

-- So may be the message, of the object and the arguments.
a:move(0, 1)
raises('Archive.move(): -1: no place 7 among 2', a.move, a, 0, 7)

-- NULL has no code, but a message.
local entry = a:entry(1)
raises('Archive.entry(): no such entry', a.entry, a, 2)
assert(a:copy():entry(0):read() == 7)
a:add(5)
raises('Archive.copy(): no memory', a.copy, a)
raises('Archive.root(): it has no root', a.root, a, -4)

-- A constructor reads the object that C has set, if there is one.
raises('Archive(): cannot open something', m.Archive, 'something')
raises('Archive(): archive_open returned status -1', m.Archive, 'nothing')

-- Another class has another convention, which depends on the status here.
raises('Entry.read(): entry 1 has status -3', entry.read, entry)
a:compare(entry)
local b = m.Archive('b')
raises('Archive.compare(): another archive', b.compare, b, entry)

-- Overloads are methods of their own classes, or of none.
m.check(a)
raises('check(): it is empty', m.check, b)
raises('check(): entry 1 has status -4', m.check, entry)
m.check(0)
raises('check(): full', m.check, -2)

-- An object that C has taken over cannot be read: the message is that of the module.
b:add(2)
raises('Archive.finish(): full', b.finish, b)
assert(b.closed)
