local m = require 'cplusplus_addresses'
local raises = require('support').raises

local value, there = m.read('key')
assert(there == true and value == 'key!')
raises('no key', m.read, '')
assert(m.append('a', 'b') == 'ab')
local numbers, count = m.numbers(3)
assert(count == 3 and numbers[3] == 1)
local items, ids = m.items(2)
assert(items[2].id == 1 and ids['item 1'] == 1)
assert(m.count({a = 1}, 'a').a == 2)
