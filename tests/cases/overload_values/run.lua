local m = require 'overload_values'
local support = require 'support'
local fp = require 'fishplate'
local raises = support.raises

local has_integers = math.type ~= nil
local jit = rawget(_G, 'jit')

-- Integers beyond the range of this Lua's numbers are passed as uint64, in any representation.
local largest, odd = '18446744073709551615', '9223372036854775809'
local wide = {largest, odd}
if jit then
   local load = loadstring or load
   wide = {load('return 18446744073709551615ULL')(), load('return 9223372036854775809ULL')()}
end
for k, digits in ipairs{largest, odd} do
   assert(m.wide(digits) == wide[k], digits)
   assert(m.sum({digits}) == wide[k], digits)
   assert(m.sum({1, digits}) ~= nil)
   if jit then
      assert(m.wide(wide[k]) == wide[k])
      assert(m.sum({wide[k]}) == wide[k])
   end
   assert(m.small(digits) == 64)
   assert(m.sum(fp.tensor({digits}, 'uint64')) == wide[k])
end
assert(m.sum({odd, 1}) == (jit and wide[2] + 1 or '9223372036854775810'))
assert(m.small(255) == 8 and m.small(256) == 64 and m.small('255') == 64)

-- A table of integers fits the types that represent all of them.
assert(m.bytes{1} == 8 and m.bytes{-128, 127} == 8)
assert(m.bytes{128} == 16 and m.bytes{1, -129} == 16)
raises("bytes(): argument 'x': ...", m.bytes, {1, 2^20})

-- float may round: only if no other type is exact.
assert(m.narrow(1) == ('i'):byte() and m.narrow(2^40) == ('f'):byte())
assert(m.narrow_list{1} == ('i'):byte() and m.narrow_list{2^40} == ('f'):byte())
assert(m.real(1.5) == ('d'):byte() and m.real_list{1.5} == ('d'):byte())
if has_integers then
   assert(m.real(1) == ('d'):byte() and m.wide(1) == 1 and math.type(m.wide(1)) == 'integer')
end

raises("small(): argument 'x': ...", m.small, -1)
raises("small(): no overload takes (...", m.small, 1.5)
raises("sum(): no overload takes (...", m.sum, {'1', 1.5})
raises("sum(): no overload takes (...", m.sum, {'one'})
