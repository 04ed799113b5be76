local c = require "cplusplus_constants"

assert(c.limit == 2 ^ 40 and c.green == 200 and c.old_red == 1 and c.WIDE == 8 and c.SIDES == 6)
assert(c.name == "lib" and c.VERSION == "2.0" and c.yes == true and c.ratio == 0.25)
assert(c.sides(c.FIRST) == 6)

-- A class is a function: the names of its constants begin with its own.
assert(c.Box_sides == 6 and c.Box_unit == "cm" and c.Box_next == 200)
