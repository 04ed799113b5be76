local m = require 'variadic'
local raises = require('support').raises

m.set_scale(2.5)
m.set_level(2 ^ 40)
assert(m.get_scale() == 2.5 and m.get_level() == 2 ^ 40)
raises('set(): va_set returned status 1', m.set, 9, 1)
assert(m.add(1, 2.5) == 3.5 and m.nothing() == 0)
assert(m.measure(100, {1, 2}, 'abc') == 106)
assert(m.narrow(-3, 0.5) == 2)
