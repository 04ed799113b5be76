local fp = require 'fishplate'
local m = require 'scalars'
local s = require 'support'
local raises, digits = s.raises, s.digits

-- name, bits
local signed = {char = 8, schar = 8, short = 16, int = 32, long = 64, longlong = 64, int8 = 8, int16 = 16,
  int32 = 32, int64 = 64, ssize = 64, ptrdiff = 64, intptr = 64}
local unsigned = {uchar = 8, ushort = 16, uint = 32, ulong = 64, ulonglong = 64, uint8 = 8, uint16 = 16,
  uint32 = 32, uint64 = 64, size = 64, uintptr = 64}

-- The ends of a range, as digits, and the numbers beyond them.
local ends = {
  int8 = {'-128', '127', '-129', '128'}, int16 = {'-32768', '32767', '-32769', '32768'},
  int32 = {'-2147483648', '2147483647', '-2147483649', '2147483648'},
  int64 = {'-9223372036854775808', '9223372036854775807', '-9223372036854775809', '9223372036854775808'},
  uint8 = {'0', '255', '-1', '256'}, uint16 = {'0', '65535', '-1', '65536'},
  uint32 = {'0', '4294967295', '-1', '4294967296'},
  uint64 = {'0', '18446744073709551615', '-1', '18446744073709551616'},
}

local function number(text, bits) return bits == 64 and text or tonumber(text) end

--- Each value is returned unchanged, by every way.
local function keeps(name, dtype, values)
  local keep = m['keep_' .. name]
  for _, value in ipairs(values) do
    for _, given in ipairs{value, fp.tensor({value}, dtype)[1], fp.tensor(value, dtype)} do
      local behind, made, result = keep(given, given, {value, value})
      assert(digits(behind) == digits(value) and digits(result) == digits(value), name)
      assert(made.dtype == dtype and #made == 2 and digits(made[2]) == digits(value), name)
    end
  end
end

for name, bits in pairs(signed) do
  local range = ends['int' .. bits]
  keeps(name, 'int' .. bits, {number('0', bits), number(range[1], bits), number(range[2], bits)})
end
for name, bits in pairs(unsigned) do
  local range = ends['uint' .. bits]
  keeps(name, 'uint' .. bits, {number('1', bits), number(range[1], bits), number(range[2], bits)})
end

for _, value in ipairs{0, -1.5, 1 / 0, 2 ^ 127} do
  local behind, made, result = m.keep_float(value, fp.tensor(value), {value})
  assert(behind == value and made[1] == value and result == value and made.dtype == 'float32')
end
for _, value in ipairs{0, -1.5, -1 / 0, 1e300, 0.1} do
  local behind, made, result = m.keep_double(value, fp.tensor(value), {value})
  assert(behind == value and made[1] == value and result == value and made.dtype == 'float64')
end
for _, value in ipairs{true, false} do
  local behind, made, result = m.keep_bool(value, fp.tensor(value), {value})
  assert(behind == value and made[1] == value and result == value and made.dtype == 'bool')
end
local z = fp.complex(1.5, -2)
for name, dtype in pairs{cfloat = 'complex64', cdouble = 'complex128'} do
  local behind, made, result = m['keep_' .. name](z, fp.tensor(z), {z, 1})
  assert(behind == z and made[1] == z and result == z and made.dtype == dtype)
end

-- Integers that do not fit are refused, wherever they are; none wraps, and none is truncated.
for _, kind in ipairs{{signed, 'int'}, {unsigned, 'uint'}} do
  for name, bits in pairs(kind[1]) do
    local keep, dtype = m['keep_' .. name], kind[2] .. bits
    local range = ends[dtype]
    local wanted = ('wanted an integer from %s to %s (%s), got '):format(range[1], range[2], dtype)
    local where = ('keep_%s(): argument '):format(name)
    for k = 3, 4 do
      local wrong = number(range[k], bits)
      raises(where .. "'value': " .. wanted .. '...', keep, wrong, 0, {})
      raises(where .. "'pointer': " .. wanted .. '...', keep, 0, wrong, {})
      raises(where .. "'array': element {2}: " .. wanted .. '...', keep, 0, 0, {0, wrong})
    end
    raises(where .. "'value': " .. wanted .. '1.9', keep, 1.9, 0, {})
    raises(where .. "'value': " .. wanted .. '...', keep, 2 ^ 70, 0, {})
    raises(where .. "'value': " .. wanted .. 'a boolean', keep, true, 0, {})
    raises(where .. "'value': " .. wanted .. 'string', keep, 'one', 0, {})
    raises(where .. "'value': " .. wanted .. 'nil', keep, nil, 0, {})
    raises(where .. "'value': " .. wanted .. 'table', keep, {1}, 0, {})
    raises(where .. "'value': " .. wanted .. 'a tensor of int64 and shape {1}', keep, fp.tensor({1}, 'int64'), 0, {})
    raises(where .. ("'value': wanted a value that casts safely to %s, got a tensor of float64 and shape {}")
      :format(dtype), keep, fp.tensor(1), 0, {})
  end
end
raises("keep_int(): argument 'value': wanted an integer from -2147483648 to 2147483647 (int32), got 1099511627776",
  m.keep_int, 2 ^ 40, 0, {})
raises("keep_uint8(): argument 'value': wanted an integer from 0 to 255 (uint8), got 256", m.keep_uint8,
  fp.tensor(256, 'int64'), 0, {})

-- A float with an integer's value is an integer.
assert(select(3, m.keep_int(3.0, 0, {})) == 3 and select(3, m.keep_int(fp.tensor(true), 0, {})) == 1)

if s.jit then
  local ffi = require 'ffi'
  assert(select(3, m.keep_int64(ffi.new('int64_t', 7), 0, {})) == 7)
  assert(digits(select(3, m.keep_uint64(loadstring('return 18446744073709551615ULL')(), 0, {}))) == '18446744073709551615')
  assert(select(3, m.keep_double(ffi.new('float', 1.5), 0, {})) == 1.5)
end
