local m = require 'stored'
local raises = require('support').raises

-- The constructor: initialised by the class, then set by C.
local x, y = m.Number(2.5), m.with_digits(3)
assert(x.value == 2.5 and x.digits == 7 and m.Number().value == 0 and y.digits == 3)
y.value = 4
assert((x + y).value == 6.5 and x == m.Number(2.5) and x ~= y)
x:increase(2.5)
assert(x.value == 5)
collectgarbage()
assert(m.alive() == 2)

-- Results: one, several, and none if the call fails, which clears what was initialised.
assert(m.divide(y, x).value == 0.8)
raises("divide(): sv_divide returned status 1", m.divide, x, m.Number())
local whole, rest = m.Number(3.25):split()
assert(whole.value == 3 and rest.value == 0.25)
assert(m.power(3, 4).value == 81)
raises("power(): sv_init_power returned status 2", m.power, 3, -1)
collectgarbage()
assert(m.alive() == 4)

whole:close()
whole:close()
assert(whole:closed() and m.alive() == 3)
raises("Number.add(): argument 'a': this Number is closed", function() return whole + x end)
raises("divide(): argument 'a': wanted a Number, got 1", m.divide, 1, x)

-- A callback borrows objects, also one that is C's.
local seen = {}
assert(m.visit(x, function(one)
    seen[#seen + 1] = one
    return one.value
end) == 105)
raises("Number.value(): argument 'x': this Number is closed", function() return seen[2].value end)
seen, whole, rest, x, y = nil, nil, nil, nil, nil
collectgarbage()
collectgarbage()
assert(m.alive() == 0)

-- Aligned, zeros at the beginning, and without a function that frees it.
local states = {}
for k = 1, 20 do
    states[k] = m.State()
    assert(states[k]:is_aligned())
end
assert(states[1]:update("abc") == 294 and states[2]:update("") == 0)
local twin = states[1]:copy()
assert(twin:is_aligned() and twin:update("a") == 391 and states[1]:update("") == 294)

-- Fields, of an object whose initialisation may fail.
local buffer = m.Buffer({1, 2})
assert(buffer.size == 2 and buffer.message == nil)
buffer.size = 9
assert(buffer.size == 9)
raises("Buffer(): more than three items", m.Buffer, {1, 2, 3, 4})
collectgarbage()
assert(m.alive() == 1)
m.refuse(3)
raises("Buffer(): no buffers today", m.Buffer, {})
raises("empty(): no buffers today", m.empty, 5)
m.refuse(4)
raises("Buffer(): sv_buffer_init returned status 4", m.Buffer, {})
m.refuse(0)
assert(m.empty(5).size == 5)
collectgarbage()
assert(m.alive() == 1)

-- An object that refers to another one keeps it.
local cursor = m.Cursor(buffer)
buffer:close()
assert(m.alive() == 1 and cursor:next() == 1 and cursor:next() == 2 and cursor:next() == 0)
cursor, buffer = nil, nil
collectgarbage()
collectgarbage()
assert(m.alive() == 0)
