local m = require 'struct_pointers'
local raises = require('support').raises

local one = m.create(1, 2)
assert(one.x == 1 and one.y == 2 and one.tag == 1 and m.alive() == 0)
raises("create(): the result: C returned NULL", m.create, -1, 2)
assert(m.perhaps(-1, 2) == nil and m.perhaps(3, 4).y == 4)
local left, right = m.split(1)
assert(left.x == 0 and right.x == 2 and m.alive() == 0)
assert(m.split(0.5) == nil)
raises("split(): sp_split returned status 1", m.split, 100)
raises("split(): argument 'right': C returned NULL", m.split, -2)
assert(m.alive() == 0)

-- A copy, which C's own memory does not change.
one = m.known(1)
one.tag = 5
assert(m.known(1).tag == 11)
raises("known(): no such point", m.known, 2)
