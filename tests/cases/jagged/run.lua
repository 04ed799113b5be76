local fp = require 'fishplate'
local m = require 'jagged'
local s = require 'support'
local raises = s.raises

local rows = {fp.tensor{1, 2, 3}, fp.tensor{4}, fp.empty(0)}
assert(m.sum(rows) == 14 and m.sum{} == 0 and m.sum{{1, 2}, {3}, {0, 1}} == 12)
assert(m.sum{fp.range(3, 0, -2, 'int32'), fp.range(0, 1)} == 6)
local many = {}
for k = 1, 300 do many[k] = k % 2 == 0 and {1, 2, 3} or fp.range(1, 80)[{{1, -1, 2}}] end
assert(m.sum(many) == 6 * 150 * 151 + 1600 * 150 * 150)

local a, b = fp.range(0, 2), fp.range(0, 79)
m.scale({a, b[{{1, -1, 2}}], b[{{2, -1, 2}}]}, 2)
s.same(a, 'float64', {3}, {0, 2, 4})
assert(b == fp.range(0, 158, 2))
m.scale_exactly({a, b[{{4, 7}}]}, 0.5)
s.same(a, 'float64', {3}, {0, 1, 2})
assert(b[3] == 4 and b[4] == 3 and b[7] == 6 and b[8] == 14)

assert(m.longest{fp.zeros(127, 'int8'), {}} == 127 and m.longest{{}} == 0 and m.longest{} == 0)
assert(m.longest() == -1 and m.is_at(0, 0) == 0)
assert(m.dot({{1, 2}, {3}}, {{4}, {5, 6}}) == 19)
raises("dot()...'y'...", m.dot, {{1, 2}, {3}}, {{4}})
s.same(m.solve({1, 10}, {{1, 2}, {3}}), 'float64', {2}, {3, 30})
raises('solve()...5', m.solve, {1, 2, 3}, {{1}, {2}, {3}})
raises('solve()...', m.solve, {1, 2}, {{1}})

local where = "sum(): argument 'rows"
raises(where .. "': wanted a table of arrays, got ...", m.sum, 3)
raises(where .. "': wanted a table of arrays, got ...", m.sum, rows[1])
raises(where .. "': wanted a table of arrays, got ...", m.sum, nil)
raises(where .. "[2]': ...", m.sum, {rows[1], 'abc'})
raises(where .. "[2]': wanted a 1-D tensor...", m.sum, {rows[1], fp.zeros{2, 2}})
raises(where .. "[1]': ...", m.sum, {1, 2})
raises("scale(): argument 'rows[2]': ...", m.scale, {a, {1}}, 2)
raises("scale_exactly(): argument 'rows[2]': ...", m.scale_exactly, {a, b[{{1, -1, 2}}]}, 2)
raises("longest(): argument 'rows[2]': ...lengths...", m.longest, {{1}, fp.zeros(128, 'int8')})
