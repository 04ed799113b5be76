-- LuaJIT only: numbers and arrays of its FFI.
local ffi = require 'ffi'
local fp = require 'fishplate'
local s = require 'support'
local same, raises = s.same, s.raises

-- Integers of 64 bits, without a rounding.
local t = fp.tensor({9007199254740993LL, 2ULL}, 'int64')
assert(t[1] == 9007199254740993LL and t[2] == 2 and type(t[2]) == 'number')
t = fp.tensor({0xffffffffffffffffULL, ffi.new('uint8_t', 7)}, 'uint64')
assert(t[1] == 0xffffffffffffffffULL and t[2] == 7)
t = fp.zeros(1, 'int64')
local wanted = 'tensor[]: value: wanted an integer from -9223372036854775808 to 9223372036854775807 (int64), got '
raises(wanted .. '18446744073709551615', function() t[1] = 0xffffffffffffffffULL end)
raises('tensor[]: value: wanted shape {1}, got a tensor of int32 and shape {2}',
  function() t[{}] = ffi.new('int[2]') end)
assert(fp.tensor({ffi.new('complex', 1, 0.1)}, 'complex128')[1] == fp.complex(1, 0.1))

raises('fishplate.tensor: argument 1 (value): element {1}: wanted a number (float64), got '
  .. '9007199254740993; the dtype can be given', fp.tensor, {9007199254740993LL})

-- Arrays export their memory by themselves.
local types = {
  bool = 'bool', int8 = 'int8_t', int16 = 'int16_t', int32 = 'int32_t', int64 = 'int64_t',
  uint8 = 'uint8_t', uint16 = 'uint16_t', uint32 = 'uint32_t', uint64 = 'uint64_t',
  float32 = 'float', float64 = 'double', complex64 = 'complex float', complex128 = 'complex',
}
for dtype, ctype in pairs(types) do
  local view = fp.from_buffer(ffi.new(ctype .. '[2][3]'))
  assert(view.dtype == dtype and view.shape[1] == 2 and view.shape[2] == 3, dtype)
  assert(view == fp.zeros({2, 3}, dtype), dtype)
end
local array = ffi.new('double[2][2]', {{1, 2}, {3, 4}})
local view = fp.from_buffer(array)
view[1][2] = 20
assert(array[0][1] == 20)
same(fp.tensor(array), 'float64', {2, 2}, {1, 20, 3, 4})
same(fp.zeros{2, 2}:assign(array), 'float64', {2, 2}, {1, 20, 3, 4})
same(fp.from_buffer(ffi.new('int[?]', 3, {1, 2, 3})), 'int32', {3}, {1, 2, 3})
local constant = fp.from_buffer(ffi.new('const int[2]', {1, 2}))
assert(constant.readonly and constant[1] == 1)
raises('tensor[]: value: wanted a tensor that can be written to, got a read-only one',
  function() constant[1] = 1 end)
for _, other in ipairs{ffi.new('struct { int x; }'), ffi.new('struct { int x; }[2]'), ffi.new('int *[2]'),
                       ffi.cast('double *', array), 5LL, ffi.typeof('int')} do
  raises('fishplate.from_buffer: argument 1 (object): wanted an object with __fishplate_buffer or an '
    .. "array of LuaJIT's FFI, got cdata", fp.from_buffer, other)
end

-- Any cdata can be imported with an explicit dtype and shape.
local pointer = ffi.cast('char *', array)
same(fp.from_cdata(pointer, 'float64', {4}), 'float64', {4}, {1, 20, 3, 4})
same(fp.from_cdata(array, 'float64', {2, 2}, {1, 2}), 'float64', {2, 2}, {1, 3, 20, 4})
raises('fishplate.from_cdata: argument 1 (cdata): wanted a shape that fits its memory, got cdata',
  fp.from_cdata, array, 'float64', {5})
raises('fishplate.from_cdata: argument 1 (cdata): wanted a shape that fits its memory, got cdata',
  fp.from_cdata, array, 'float64', {2}, {-1})
raises('fishplate.from_cdata: argument 1 (cdata): wanted a pointer to its elements, got cdata',
  fp.from_cdata, ffi.cast('int *', nil), 'float64', {5})
raises("fishplate.from_cdata: argument 1 (cdata): wanted a pointer or an array of LuaJIT's FFI, got cdata",
  fp.from_cdata, 5LL, 'float64', {5})
raises("fishplate.from_cdata: argument 2 (dtype): wanted the name of a dtype, such as 'float64', got nil",
  fp.from_cdata, array)
raises('fishplate.from_cdata: argument 4 (strides): wanted a table of integers, one for each dimension, got table',
  fp.from_cdata, array, 'float64', {2}, {1, 2})

-- The memory lives as long as a view on it.
do
  local kept = fp.from_buffer(ffi.new('double[1000]', 1))[{{1, 500}}]:view{2, 250}
  for _ = 1, 5 do
    collectgarbage()
    fp.from_buffer(ffi.new('double[1000]', 2))
  end
  assert(kept == fp.ones{2, 250})
end

-- And the other direction.
t = fp.range(1, 3, 1, 'int32')
local ints = ffi.cast('int32_t *', t:pointer())
ints[2] = 30
assert(t[3] == 30)
