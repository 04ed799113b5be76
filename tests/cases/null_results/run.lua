local m = require 'null_results'
local raises = require('support').raises

raises('Store(): No such file or directory', m.Store, 'nowhere')
raises('Store(): Permission denied', m.Store, 'secret')
raises('Store(): store_open returned NULL', m.Store, 'silent')

local store = m.Store('here')
assert(store:get(1) == 'one' and store:plain(1) == 'one' and store:find(1) == 'one')
raises('Store.get(): no key 7', store.get, store, 7)
assert(store:find(7) == nil)
raises('Store.copy(): there is no room', store.copy, store, 0)
store:copy(1):close()
raises('Store.plain(): the result: C returned NULL', store.plain, store, 7)
store:check(0)
raises('Store.check(): minus one', store.check, store, -1)
raises('Store.check(): minus more', store.check, store, -2)
store:close()

assert(m.join('ab', 3) == 'ababab')
raises('join(): Argument list too long', m.join, 'ab', 4)
raises('join(): too many by far', m.join, 'ab', 5)
collectgarbage()
assert(m.alive() == 0)
