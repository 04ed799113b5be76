local c = require "constants"

assert(c.PI == 3.141592653589793 and c.TWO_PI == 2 * c.PI and c.HALF == 0.5)
assert(c.OK == 0 and c.EDOM == -33 and c.FAST == 16 and c.COUNT == 3 and c.LARGER == 16)
assert(c.YES == true and c.VERSION == "1.2.3" and c.NAME == "lib" and c.LATIN == "caf\233")
assert(c.NOTHING == nil and c.NONE == nil)
assert(c.SMALL ~= nil and c.BIG ~= nil)
assert(c.name(c.DEFAULT) == "taus" and c.DEFAULT:name() == "taus")
assert(c.other(c.OTHER) == 7)
c.DEFAULT:close()
assert(not pcall(c.name, c.DEFAULT))
