local m = require("status_bools")
local s = require("support")

assert(m.half(6) == 3)
s.raises("half(): it is odd", m.half, 7)
s.raises("code(): sb_code returned status 2", m.code, 2)
assert(select("#", m.flag(1)) == 0)
s.raises("flag(): it is negative", m.flag, -1)
s.raises("plain(): sb_plain returned false", m.plain, 0)
assert(m.root(9) == 3)
s.raises("root(): it is negative", m.root, -1)

local counter = m.Counter(5)
counter:add(3)
s.raises("Counter.add(): that is too much", counter.add, counter, 3)
s.raises("Counter(): the limit is negative", m.Counter, -1)
assert(m.counters() == 1 and counter:total() == 3)

local seen = 0
m.each(2, function(k) seen = seen + k + 1 end)
assert(seen == 3)
s.raises("each(): a call has failed", m.each, 3, function() end)
local calls = 0
assert(not pcall(m.each, 3, function(k)
    calls = calls + 1
    error("no")
end))
assert(calls == 1)
