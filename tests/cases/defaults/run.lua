local fp = require 'fishplate'
local m = require 'defaults'
local s = require 'support'
local raises, same = s.raises, s.same

local function four(i, u, d, b) return i + 10 * u + 100 * d + (b and 10000 or 0) end

assert(m.literals() == four(-3, 7, 2.5, true) and m.literals(nil, nil, nil, nil) == m.literals())
assert(m.literals(1) == four(1, 7, 2.5, true))
assert(m.literals(nil, nil, 1, false) == four(-3, 7, 1, false), 'false is no nil')
assert(m.constant() == four(1000, 0x20, 65, false))

local x = fp.range(0, 4)
assert(m.computed(x) == 10 and m.computed(x, 2) == 1 and m.computed(x, nil, 2) == 2 * (2 + 3 + 4))
assert(m.computed(x, 2, 2) == 2 * (2 + 3) and m.computed(x, nil, 2, 3) == 27)

assert(m.called() == four(2, 1, 1, true) and m.called(nil, 5) == four(10, 5, 5, true))
assert(m.called(1, 5) == four(1, 5, 0.5, false))

assert(m.required_last(2, true) == four(1, 2, 3, true) and m.required_last(2, true, 5) == four(5, 2, 3, true))
raises("required_last(u, b, i?, d?) needs argument 'b'", m.required_last, 2)
raises("required_last(u, b, i?, d?) needs argument 'u'", m.required_last)
raises("required_last(): argument 'u': wanted an integer from 0 to 4294967295 (uint32), got nil", m.required_last, nil, true)

local n, value = m.behind_pointer()
assert(n == 5 and value == 1.5)
n, value = m.behind_pointer(2, 7)
assert(n == 8 and value == 2)

assert(m.filled{1, 2, 6} == 3 and m.filled({1, 2, 6}, {1, 0, 1}) == 7 and m.filled({1, 2, 6}, nil) == 3)
raises("filled(): argument 'w': dimension 1 of shape {1} is 1, but n is 3", m.filled, {1, 2, 6}, {1})
assert(m.filled_matrix() == 12 and m.filled_matrix(3) == 36 and m.filled_matrix(3, 2) == 18)
assert(m.filled_matrix(nil, nil, {{1, 2, 3}, {4, 5, 6}}) == 21)

same(m.started(3), 'float64', {3}, {10, 11, 12})
local buffer = fp.zeros(3)
assert(rawequal(m.started(3, buffer), buffer))
same(buffer, 'float64', {3}, {10, 11, 12})
local wide = fp.zeros(6)
m.started(3, wide[{{1, -1, 2}}])
same(wide, 'float64', {6}, {10, 0, 11, 0, 12, 0})

assert(m.narrow(1) == 101 and m.narrow(2 ^ 31 - 10, 3) == 2 ^ 31 - 7)
raises("narrow(): argument 'c': its computed value 200 is out of range for int8", m.narrow, 2)
raises("narrow(): argument 'c': its value overflowed, divided by zero or was read beyond an array", m.narrow, 2 ^ 62)
