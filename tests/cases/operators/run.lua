local m = require 'operators'
local raises = require('support').raises

local a, b = m.Vec(1, 2), m.Vec(3, 5)

local function is(v, x, y) return v[0] == x and v[1] == y end

assert(is(a + b, 4, 7) and is(a + 1, 2, 3) and is(a:plus(b), 4, 7))
assert(is(b - a, 2, 3) and is(-a, -1, -2))
assert(is(a * 2, 2, 4) and is(2 * a, 2, 4) and a * b == 13 and is(a ^ 2, 1, 4))
raises('Vec.minus(): no overload takes (operators.Vec, string); ...', function() return a - 'x' end)
raises('Vec.minus(): no overload takes (1, operators.Vec); ...', function() return 1 - a end)

-- Comparisons are bools, also if C returns numbers.
assert(m.Vec(1, 2) == m.Vec(1, 2) and m.Vec(1, 2) ~= b and a ~= 3)
assert((a < b) == true and (b < a) == false and b > a)

-- Items, whose keys are not names of methods.
local v = m.Vec(3, 4)
v[1] = 5
assert(v[1] == 5 and #v == 2 and v:size() == 2 and v:has(5) ~= 0)
raises('Vec.item(): vec_... returned status 1', function() return v[2] end)
raises('Vec.item(): vec_... returned status 1', function() v[2] = 1 end)
raises('Vec.item(): no overload takes ...', function() return v.unknown end)

v = m.Vec(3, 4)
assert(tostring(v) == '(3, 4)' and v(2) == 10 and v(2, 1) == 11 and v:norm() == 5)

-- Operators that Lua does not have are methods.
v:add(b)
assert(is(v, 6, 9) and v.calls == 1)

-- Properties.
v = m.Vec(3, 4)
assert(v.length == 5)
v.length = 10
assert(is(v, 6, 8))
raises('Vec.length(): vec_set_length returned status 1', function() v.length = -1 end)
raises("operators.Vec: attribute 'calls' cannot be set", function() v.calls = 3 end)

local card = m.Card(9)
assert(card.rank == 9 and m.Card(1) < card and card.unknown == nil)
raises("operators.Card: attribute 'rank' cannot be set", function() card.rank = 3 end)
raises("operators.Card: attribute 'unknown' cannot be set", function() card.unknown = 3 end)
local halves = card:halves()
assert(halves:following().rank == 9 and halves:following().rank == 4)

v:close()
raises('...: this Vec is closed', function() return v + b end)
raises('...: this Vec is closed', function() return v.length end)
raises('...: this Vec is closed', function() return #v end)
