local m = require 'freed_messages'
local raises = require('support').raises

-- Of the module, also if the message is NULL.
assert(m.root(4) == 2)
raises('root(): code -2', m.root, -1)
raises('bare(): fm_bare returned status -9', m.bare, -9)
raises('retained(): retained', m.retained, -1)
assert(m.existing() == 0)

-- Of a class: methods, results that are NULL, and the constructor.
local session = m.Session(1)
raises('Session.set(): session failed with -7', session.set, session, -7)
raises('Session.other(): session failed with -7', session.other, session)
raises('Session(): code -4', m.Session, -4)
assert(m.existing() == 0)

-- Of objects that the module stores.
assert(m.Gauge():scale() == 1)
m.refuse(-5)
raises('Gauge(): code -5', m.Gauge)
assert(m.existing() == 0)

-- On stacks.
m.fails(0)
raises('fails(): code 3; code 2; code 1', m.fails, 3)
raises('fails_each(): code 2; code 1', m.fails_each, 2)
assert(m.existing() == 0)
