local m = require 'cplusplus_items'
local raises = require('support').raises

-- Numbers are an array; other items have an iterator, which `for` calls.
local numbers = m.Numbers({3, 1.5, 2}):iterate()
assert(#numbers == 3 and numbers[1] == 1.5)
local texts, all = m.Texts({'a', ('b'):rep(50)}), ''
for text in texts:iterate() do all = all .. text end
assert(all == 'a' .. ('b'):rep(50))
local items = m.Items()
items:add(1)
items:add(2)
for item in items:iterate() do item.number = item.number * 10 end
assert(items:total() == 30)
local sum = 0
for item in m.Range(4):iterate() do sum = sum + item.number end
for item in m.Pointers(4):iterate() do sum = sum + item.number end
local shared = m.SharedItems()
shared:add(m.Shared(5))
for one in shared:iterate() do sum = sum + one.number end
assert(sum == 17)
raises('too many items', m.Range(101).iterate, m.Range(101))
local each = texts:iterate()
assert(each:next() == 'a' and each() and each() == nil and each() == nil)
items, each = nil, nil
collectgarbage()
collectgarbage()
assert(m.live() == 0)
