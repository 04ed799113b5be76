local fp = require 'fishplate'
local m = require 'overloads'
local s = require 'support'
local raises = s.raises

local INT, FLOAT, DOUBLE, COMPLEX, FLOATS, DOUBLES, MATRIX = 1, 2, 3, 4, 5, 6, 7
local z = fp.complex(0, 1)

for k, expected in ipairs{
  -- exactly
  {1, INT}, {fp.tensor(1, 'int32'), INT}, {fp.tensor(1, 'float32'), FLOAT}, {1.5, DOUBLE}, {2 ^ 0.5, DOUBLE},
  {fp.tensor(1), DOUBLE}, {z, COMPLEX}, {fp.tensor(z), COMPLEX}, {fp.zeros(2, 'float32'), FLOATS},
  {fp.zeros(2), DOUBLES}, {fp.zeros{2, 2}, MATRIX},
  -- by safe casts, the first that is written
  {fp.tensor(true), INT}, {fp.tensor(1, 'int8'), INT}, {fp.tensor(1, 'uint16'), INT}, {fp.tensor(1, 'uint32'), DOUBLE},
  {fp.tensor(z, 'complex64'), COMPLEX}, {fp.zeros(2, 'int16'), FLOATS}, {fp.zeros(2, 'int32'), DOUBLES},
  {fp.zeros(2, 'bool'), FLOATS}, {fp.zeros({2, 2}, 'float32'), MATRIX}, {fp.zeros({2, 2}, 'int64'), MATRIX},
  -- numbers and tables have no exact type, only a kind
  {{1.5, 2}, DOUBLES}, {{{1.5}}, MATRIX}, {{{1}}, MATRIX}, {{}, FLOATS},
} do
  local kind = m.kind(expected[1])
  assert(kind == expected[2], ('%d: %d, not %d'):format(k, kind, expected[2]))
end
-- Out of the range of int.
assert(m.kind(2 ^ 40) == DOUBLE and m.kind(-2147483648) == INT and m.kind(2147483648) == DOUBLE)
-- Lua 5.3 and 5.4 distinguish floats; in the others 1.0 is 1.
assert(m.kind(1.0) == (s.integers and DOUBLE or INT))

-- The layout is ignored.
for layout, x in s.layouts({1, 2, 3}, 'float32') do assert(m.kind(x) == FLOATS, layout) end
for layout, x in s.layouts{{1, 2}, {3, 4}, {5, 6}} do assert(m.kind(x) == MATRIX, layout) end

assert(m.narrow_first(fp.tensor(1, 'int8')) == FLOAT and m.wide_first(fp.tensor(1, 'int8')) == DOUBLE)
assert(m.narrow_first(fp.tensor(1)) == DOUBLE and m.wide_first(fp.tensor(1, 'float32')) == FLOAT)
assert(m.narrow_first(1.5) == DOUBLE and m.wide_first(1.5) == DOUBLE)
assert(m.narrow_first(1) == DOUBLE and m.wide_first(1) == DOUBLE)

local x = fp.zeros(2)
assert(m.changed(x) == DOUBLES and x[1] == 1 and x[2] == 1)
x = fp.zeros(4, 'float32')
assert(m.changed(x[{{1, -1, 2}}]) == FLOATS and x[3] == 1 and x[2] == 0)
local none = [[changed(): no overload takes (%s); it takes:
    changed(x: float32[n]) -> int32
    changed(x: float64[n]) -> int32]]
raises(none:format('a tensor of int64 and shape {2}'), m.changed, fp.zeros(2, 'int64'))
raises(none:format('table'), m.changed, {1, 2})
raises(none:format('a tensor of float64 and shape {2, 2}'), m.changed, fp.zeros{2, 2})
raises(none:format(''), m.changed)
raises(none:format(''), m.changed, nil)
raises(none:format('1, 2'), m.changed, 1, 2)

raises([[kind(): no overload takes (string); it takes:
    kind(x: int32) -> int32
    kind(x: float32) -> int32
    kind(x: float64) -> int32
    kind(x: complex128) -> int32
    kind(x: float32[n]) -> int32
    kind(x: float64[n]) -> int32
    kind(x: float64[m, n]) -> int32]], m.kind, '1')
for _, wrong in ipairs{
  print, fp.zeros{1, 1, 1}, fp.zeros(2, 'complex128'), 'x', {z}, {{'a'}}, {true}, true, io.stdout,
  coroutine.create(function() end), {1, 'x'},
} do
  raises('kind(): no overload takes (...', m.kind, wrong)
end

if s.jit then
  local ffi = require 'ffi'
  assert(m.kind(ffi.new('float[3]')) == FLOATS and m.kind(ffi.new('double[2][2]')) == MATRIX)
  assert(m.kind(ffi.new('int64_t', 3)) == DOUBLE and m.kind(ffi.new('int8_t[2]')) == FLOATS)
end
