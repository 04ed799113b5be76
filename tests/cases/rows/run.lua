local fp = require 'fishplate'
local m = require 'rows'
local s = require 'support'
local raises = s.raises

local a = fp.range(0, 11):view{3, 4}

-- Input: in place, also where the rows are not next to each other.
assert(m.sum(a) == 66 and m.sum{{1, 2}, {3, 4}} == 10 and m.sum(a:t()) == 66)
assert(m.sum(a[{{1, -1, 2}}]) == 44 and m.sum(a[{{1, 0}}]) == 0 and m.sum(a[{{}, {1, 0}}]) == 0)
local large = fp.range(0, 599):view{100, 6}
assert(m.sum(large) == 599 * 300 and m.sum(large:copy('float32')) == 599 * 300)
assert(m.distance(a) == 4 and m.distance(a[{{}, {2, 3}}]) == 4 and m.distance(large[{{1, -1, 3}}]) == 18)
assert(m.distance(a[{{}, {1, -1, 2}}]) == 2, 'a copy')
assert(m.distance(a:t()) == 3 and m.distance() == -1 and m.distance(nil) == -1)
assert(m.planes(fp.range(0, 23, 1, 'uint8'):view{2, 3, 4}) == 66 + 2 * 210)
assert(m.planes(fp.range(0, 239, 1, 'uint8'):view{10, 4, 6}[{{1, -1, 5}}]) == 276 + 2 * (276 + 24 * 120))

-- Changed in place, or in a copy.
local b = a:copy()
m.scale(b, 2)
assert(b[2][2] == 10)
m.scale(b[{{}, {1, -1, 2}}], 0.5)
assert(b[3][1] == 8 and b[3][2] == 18)
m.scale_exactly(b[{{1, -1, 2}, {2, -1}}], 0)
assert(b[1][2] == 0 and b[3][4] == 0 and b[2][2] == 10)
assert(m.scaled(a, 3)[3][4] == 33 and a[3][4] == 11 and m.scaled(a:t(), 3)[4][3] == 33)
raises('scale_exactly()...', m.scale_exactly, b[{{}, {1, -1, 2}}], 1)

-- Results.
s.same(m.fill(3, 2), 'int32', {3, 2}, {0, 0, 1, 1, 2, 2})
local many = m.fill(100, 3)
assert(many[100][3] == 99 and many[1][1] == 0 and #m.fill(0, 2) == 0)
local buffer = fp.zeros({8, 6}, 'int32')
m.fill(4, 3, buffer[{{1, -1, 2}, {1, 3}}])
assert(buffer[7][3] == 3 and buffer[7][4] == 0 and buffer[2][1] == 0)
s.same(m.half(4, 2), 'float64', {2, 2}, {0, 0, 1, 1})
raises('fill()...', m.fill, 3, 2, buffer)

-- Defaults, macros, scratch memory, fields of structs, overloads.
assert(m.weighted(a) == 66 and m.weighted(a, a) == 506 and m.weighted(large) == 599 * 300)
raises('weighted()...', m.weighted, a, a[{{1, 2}}])
assert(m.corner(a[{{2, 3}, {2, 3}}]) == 5)
assert(m.scratch(3, 2, 1.5) == 3.5 and m.scratch(50, 2, 1.5) == 50.5)
local channels = fp.ones({2, 5}, 'float32')
assert(m.amplify(channels) == 2 and channels[2][5] == 2)
assert(m.amplify(channels[{{}, {2, 3}}], 3) == 2 and channels[2][3] == 6 and channels[2][4] == 2)
m.check(a)
raises('check()...7', m.check, fp.full({40, 2}, -1))
assert(m.choose(a) == 66 and m.choose(channels) ~= 0)

raises('sum()...wanted a 2-D tensor...', m.sum, a[1])
raises('sum()...', m.sum, 'rows')
raises('sum()...', m.sum, nil)
