local fp = require 'fishplate'
local m = require 'terminated'
local raises = require('support').raises

assert(m.product {2, 3, 7} == 42 and m.product {} == 1)
assert(m.product(fp.tensor({1, 3, 5}, 'int32')) == 15)
local sum, count = m.sum {1, 2, 3}
assert(sum == 6 and count == 3)
sum, count = m.sum()
assert(sum == 0 and count == 0)
local long = {}
for k = 1, 1000 do long[k] = 1 end
assert(m.sum(long) == 1000)

assert(m.count {{1, 2, 3}, {}, long} == 1003)
assert(m.count {} == 0)
raises('count(): te_count returned status 2', m.count, {{1}, {-2}})
raises("count(): argument 'rows[2]': wanted a tensor of int16, got string", m.count, {{1}, 'x'})
assert(m.letters {'ab', '', 'cde'} == 5 and m.letters {} == 0)

-- The object refers to copies, which it keeps.
local table = m.Table {{0, 1, 2}, {10}, long}
collectgarbage()
assert(table:sum() == 3 + 20 + 3000)
table:set {{5}}
collectgarbage()
assert(table:sum() == 5)
table:set {long, long}
collectgarbage()
assert(table:sum() == 3000)
table:close()
