local m = require "no_functions"

assert(m.LIMIT == 3 and m.Color.GREEN == 1 and m.Point(1).x == 1)
local box = m.Box(2)
box:close()
assert(box:closed())
