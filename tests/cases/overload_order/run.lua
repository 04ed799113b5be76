local fp = require 'fishplate'
local m = require 'overload_order'
local s = require 'support'
local raises, same = s.raises, s.same

assert(m.area(2) == 12 and m.area(2, 3) == 6 and m.area(2, 3, 4) == 9 and m.area(2, 3, nil) == 6)
raises([[area(): no overload takes (1, 2, 3, 4); it takes:
    area(radius: float64) -> float64
    area(width: float64, height: float64) -> float64
    area(a: float64, b: float64, c: float64) -> float64]], m.area, 1, 2, 3, 4)
raises('area(): no overload takes (1, nil, 3); ...', m.area, 1, nil, 3)

assert(m.make() == -1 and m.make(7) == 7 and m.make{7, 8} == 102)
assert(m.either(2) == 2, 'without names to distinguish them: the first')

assert(m.optional(1) == 11 and m.optional(1, 2) == 21 and m.optional(1, 2, 3) == 321)
assert(m.optional(1, nil) == 11)

assert(m.apply(3) == 9)
same(m.apply{1, 2}, 'float64', {2}, {1, 4})
same(m.apply(fp.tensor({1, 2}, 'float32')), 'float64', {2}, {1, 4})
local y = fp.zeros(2)
assert(rawequal(m.apply({1, 2}, y), y) and y[2] == 4)
local none = ([[apply(): no overload takes (table, table); it takes:
    apply(x: float64) -> float64
    apply(x: float64[n], y?: float64[n]) -> float64[n]
]]):sub(1, -2)
raises(none, m.apply, {1, 2}, {0, 0})

-- An integer that fits no overload is out of range, not of the wrong type.
raises("make(): argument 'size': wanted an integer from -2147483648 to 2147483647 (int32), got 1099511627776",
  m.make, 2 ^ 40)
