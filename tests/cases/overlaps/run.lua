local m = require 'overlaps'
local fp = require 'fishplate'
local same = require('support').same

local a = fp.range(0, 5)
assert(rawequal(m.rev_plain(a, a), a))
same(a, 'float64', {6}, {5, 4, 3, 2, 1, 0})
a = fp.range(0, 5)
local back = a[{{-1, 1, -1}}]
m.rev_plain(a, back)
same(back, 'float64', {6}, {5, 4, 3, 2, 1, 0})
a = fp.range(0, 7)
m.rev_plain(a[{{1, -2}}], a[{{2, -1}}])
same(a, 'float64', {8}, {0, 6, 5, 4, 3, 2, 1, 0})
a = fp.range(0, 7)
m.rev_plain(a[{{2, -1}}], a[{{1, -2}}])
same(a, 'float64', {8}, {7, 6, 5, 4, 3, 2, 1, 7})

-- Two outputs: the last one wins.
a = fp.range(0, 3)
local y = fp.zeros(4)
m.two(a, y, y)
same(y, 'float64', {4}, {2, 1, 0, -1})
m.two(a, a, y)
same(a, 'float64', {4}, {4, 3, 2, 1})
same(y, 'float64', {4}, {2, 1, 0, -1})

-- More than C's stack holds.
a = fp.range(1, 100)
m.rev_plain(a, a)
assert(a[1] == 100 and a[100] == 1)
