local m = require 'status_arguments'
local fishplate = require 'fishplate'
local raises = require('support').raises

-- Without a result, as in LAPACK. The caller's tensor is unchanged after a failure.
local x = fishplate.tensor({1, 2})
m.scale(x, 3)
assert(x[1] == 3 and x[2] == 6)
raises('scale(): scale_ returned status -3', m.scale, x, 0)
raises('scale(): scale_ returned status 1', m.scale, x, 0 / 0)
assert(x[1] == 3 and x[2] == 6)

-- A result and a code.
assert(m.count({1, -1, 2}) == 2)
raises('count(): count returned status 200', m.count, {1, 0 / 0})
assert(m.root(4) == 2)
raises('root(): it has no root', m.root, -1)
assert(math.abs(m.root(2) - math.sqrt(2)) < 1e-15)

-- The code is 0 before the call.
assert(m.quiet(1) == 2)
raises('quiet(): quiet returned status 7', m.quiet, -1)
assert(m.quiet(1) == 2)

-- Constructors and methods: the code explains a NULL.
local box = m.Box(3)
assert(m.boxes() == 1 and box:at(2) == 0)
raises('Box.at(): too large', box.at, box, 3)
raises('Box(): too large', m.Box, 101)
assert(m.boxes() == 1)

-- An object that C makes although it fails is freed.
local copy = m.copy(box, 0)
assert(m.boxes() == 2 and copy:at(0) == 0)
raises('copy(): box_copy returned status 2', m.copy, box, 1)
assert(m.boxes() == 2)
copy:close()
box:close()
assert(m.boxes() == 0)

-- The code of a query.
local powers = m.powers(2)
assert(powers[1] == 1 and powers[2] == 2 and powers[3] == 4)
raises('powers(): powers returned status 1', m.powers, 0)
