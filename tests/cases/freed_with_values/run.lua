local m = require("freed_with_values")
local s = require("support")

-- Lists, with their length: also if C fails after it has stored the array.
local words = m.words(3, -1)
assert(#words == 3 and words[3] == "word 2" and #m.words(0, -1) == 0)
assert(#m.words(3, 1) == 3)
assert(m.live() == 0)
local names, n = m.stored(2)
assert(#names == 2 and n == 2)
s.raises("stored(): fv_stored returned status 1", m.stored, 3)
assert(#m.filled(2) == 2)
assert(m.live() == 0)

-- Arrays and strings of an object, which are copied and released before the call returns.
local pool = m.Pool()
local ramp = pool:ramp(4)
assert(#ramp == 4 and ramp[4] == 3 and pool:live() == 0)
s.raises("Pool.ramp(): fv_ramp returned status 1", pool.ramp, pool, -1)
assert(pool:name("x") == "x." and pool:live() == 0)
assert(m.either(2, 3, pool)[2][3] == 5)
assert(m.either(3, 2)[3][2] == 5)
assert(m.either(0, 1, pool) == nil)

-- An object that the memory needs exists until it is released.
s.raises("either(): the result: dimension 2, computed after the call, is -1", m.either, 1, -1, pool)
pool:close()
collectgarbage()
collectgarbage()
assert(m.live() == 0 and m.errors() == 0)
s.raises("Pool.ramp(): argument 'p': this Pool is closed", pool.ramp, pool, 1)
assert(ramp[4] == 3)

-- Without further values, the tensor retains the memory.
local squares = m.squares(4)
assert(squares[4] == 9 and m.live() == 1)
squares = nil
collectgarbage()
collectgarbage()
assert(m.live() == 0)
