-- The script that faults.c runs: everything that allocates.
local foreign = require 'foreign'
local made_before = foreign.ones(3)
assert(#made_before == 3)
local fp = require 'fishplate'

local t = fp.tensor{{1, 2, 3}, {4, 5, 6}}
assert(fp.full({2}, fp.complex(1, 2))[1].im == 2)
assert(fp.range(1, 5, 2, 'int64')[3] == 5)
assert(#fp.tensor({'9007199254740993'}, 'int64'):totable() == 1)
assert(t:t():reshape(6)[2] == 4 and t[{{}, {1, 3, 2}}]:contiguous():view(-1)[4] == 6)
assert(t:copy('int8'):t()[1][2] == 4)
t:assign{{1, 2, 3}, {4, 5, 7}}
t[{{}, 1}] = t[{{}, 2}]
t[1]:fill(0)
for _, row in t:iter() do for _ in row:elements() do end end
assert(t ~= t:copy():fill(9) and #tostring(t) > 10 and #t.shape == 2)
local empty = fp.empty{2}
empty[1] = 1
for _, kind in ipairs{'dltensor', 'dltensor_versioned'} do
  assert(fp.from_dlpack(fp.ones(3):dlpack(kind))[{{2, 3}}][1] == 1)
  assert(foreign.consume(fp.range(1, 3):dlpack(kind)) == 6)
end
local view = fp.from_buffer(foreign.buffer({1, 2, 3}, 'block', 'float64', {3}))
assert(view[{{2, 3}}][1] == 2)
if rawget(_G, 'jit') then
  local ffi = require 'ffi'
  assert(fp.from_buffer(ffi.new('double[2][2]'))[2]:view{2, 1}[2][1] == 0)
  assert(fp.from_cdata(ffi.new('int[4]'), 'int32', {2})[2] == 0)
end

-- Errors need memory too.
for _, f in ipairs{
  function() fp.zeros('x') end, function() fp.tensor{{1}, {2, 3}} end, function() return t[7] end,
  function() t:copy('bool') end, function() return t.foo end, function() view:dlpack() end,
} do
  local ok, said = pcall(f)
  assert(not ok and said ~= nil)
  if said:find('not enough memory') then error(said, 0) end
end
