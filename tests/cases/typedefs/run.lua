local fp = require 'fishplate'
local m = require 'typedefs'
local s = require 'support'

assert(m.sum{1, 2, 3} == 6)
s.same(m.index(3), 'int64', {3}, {0, 1, 2})
assert(m.turn(fp.complex(0, 1)) == fp.complex(1, 1) and m.turn(fp.complex(0, 1), true) == fp.complex(2, 1))
