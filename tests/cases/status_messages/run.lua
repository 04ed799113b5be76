local m = require 'status_messages'
local raises = require('support').raises

-- The result is NULL, or a message of the library.
assert(m.root(4) == 2)
raises('root(): it has no root', m.root, -1)
raises('explained(): -2: it has no root', m.explained, -2)

-- An argument, of a constructor too. The caller's messages are freed.
local store = m.Store('one')
store:put('a', 2.5)
assert(store:get('a') == 2.5)
raises('Store.get(): no such key', store.get, store, 'b')
raises('Store.put(): key too long: abcdefgh', store.put, store, 'abcdefgh', 1)
raises('Store(): cannot open something', m.Store, 'something')
assert(m.messages() == 0)

-- The error of a callback takes precedence; the message is freed all the same.
local seen
store:each(function(key, value) seen = key .. value end)
assert(seen == 'a2.5')
store:put('a', -1)
raises('Store.each(): negative: a', store.each, store, function() end)
assert(not pcall(store.each, store, function() error('stop') end))
assert(m.messages() == 0)

-- The message of a query, and of the call after it.
assert(m.powers(2)[3] == 4)
raises('powers(): no powers of zero', m.powers, 0)
raises('powers(): negative', m.powers, -1)
assert(m.messages() == 0)

-- Numbers follow the convention of the module.
m.number(5)
raises('number(): minus one', m.number, -1)
