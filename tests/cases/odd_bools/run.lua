local m = require 'odd_bools'
local foreign = require 'foreign'
local fp = require 'fishplate'
local support = require 'support'
local raises = support.raises

-- The bytes of a double: 0 six times, then 0xf8 and 0x3f.
local function odd(shape) return foreign.buffer({1.5}, 'block', 'bool', shape or {8}) end
local message = "argument 'x': the tensor has bytes other than 0 and 1, and may not be copied"

assert(m.odd(odd()) == 0)
assert(m.odd_rows(odd{2, 4}) == 0)
assert(m.odd(fp.from_dlpack(fp.tensor(odd()):dlpack())) == 0)

-- Copies consist of 0 and 1.
local copy, count = m.odd_copy(odd())
assert(count == 0)
support.same(copy, 'bool', {8}, {true, false, false, false, false, false, true, true})
local x = odd()
assert(m.odd_inplace(x) == 0)
assert(m.odd_inout(x) == 0)
raises('odd_inout(): ' .. message, m.odd_inout, odd())

local buffer = odd()
assert(rawequal(m.fill(8, buffer), buffer))
assert(m.odd_inout(buffer) == 0)

-- Values that callbacks return and write.
assert(m.made(function(n) return foreign.buffer({1.5}, 'block', 'bool', {n}) end) == 0)
assert(m.changed(function(t) t:assign(foreign.buffer({1.5}, 'block', 'bool', {#t})) end) == 0)

if support.jit then
  local ffi = require 'ffi'
  local bytes = ffi.new('uint8_t[4]', {1, 2, 0, 255})
  local truths = ffi.new('bool[4]')
  ffi.copy(truths, bytes, 4)
  assert(m.odd(truths) == 0)
end
