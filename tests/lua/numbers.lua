-- Numbers cross exactly, or not at all.
local fp = require 'fishplate'
local s = require 'support'
local raises, digits = s.raises, s.digits

-- Both ends of every integer dtype go in and come out again; one step further is refused.
local ends = {
  int8 = {-2^7, 2^7 - 1}, int16 = {-2^15, 2^15 - 1}, int32 = {-2^31, 2^31 - 1},
  uint8 = {0, 2^8 - 1}, uint16 = {0, 2^16 - 1}, uint32 = {0, 2^32 - 1},
}
for dtype, range in pairs(ends) do
  local t = fp.tensor(range, dtype)
  assert(t[1] == range[1] and t[2] == range[2], dtype)
  local message = ('tensor[]: value: wanted an integer from %.0f to %.0f (%s), got %.0f')
  raises(message:format(range[1], range[2], dtype, range[2] + 1), function() t[1] = range[2] + 1 end)
  raises(message:format(range[1], range[2], dtype, range[1] - 1), function() t[1] = range[1] - 1 end)
  raises(message:format(range[1], range[2], dtype, 0):gsub('0$', '0.5'), function() t[1] = 0.5 end)
end
local t = fp.zeros(1, 'int32')
local wanted = 'tensor[]: value: wanted an integer from -2147483648 to 2147483647 (int32), got '
raises(wanted .. '1099511627776', function() t[1] = 2^40 end)
raises(wanted .. 'inf', function() t[1] = math.huge end)
assert(not pcall(function() t[1] = 0/0 end))
raises(wanted .. 'string', function() t[1] = '5' end)
raises(wanted .. 'a boolean', function() t[1] = true end)
raises(wanted .. 'a complex number', function() t[1] = fp.complex(1) end)

-- 64 bits: strings of digits are accepted; integers beyond this Lua's numbers are returned as strings (in LuaJIT,
-- as int64_t or uint64_t).
local big = fp.tensor({'9007199254740993', '-9223372036854775808', '9223372036854775807', 5}, 'int64')
assert(digits(big[1]) == '9007199254740993')
assert(digits(big[2]) == '-9223372036854775808')
assert(digits(big[3]) == '9223372036854775807')
assert(big[4] == 5 and type(big[4]) == 'number')
assert(type(big[1]) == (s.integers and 'number' or s.jit and 'cdata' or 'string'))
assert(type(big[2]) == 'number') -- -2^63 is a double
big[4] = big[1] -- a returned number is accepted again
assert(digits(big[4]) == '9007199254740993')
local positive = fp.tensor({'18446744073709551615', 2^63, '9007199254740993'}, 'uint64')
assert(digits(positive[1]) == '18446744073709551615')
assert(positive[2] == 2^63 and type(positive[2]) == 'number')
assert(digits(positive[3]) == '9007199254740993')
assert(tostring(positive) == 'uint64[3] {18446744073709551615, 9223372036854775808, 9007199254740993}')
wanted = 'tensor[]: value: wanted an integer from -9223372036854775808 to 9223372036854775807 (int64), got '
raises(wanted .. '9223372036854775808', function() big[1] = 2^63 end)
raises(wanted .. 'string', function() big[1] = '9223372036854775808' end)
for _, text in ipairs{'', '-', '1.0', '0x10', ' 1', '1 ', '+1', '1e3', '99999999999999999999',
                      '-9223372036854775809'} do
  raises(wanted .. 'string', function() big[1] = text end)
end
raises('tensor[]: value: wanted an integer from 0 to 18446744073709551615 (uint64), got -1',
  function() positive[1] = -1 end)
if s.integers then
  assert(math.type(big[4]) == 'integer' and math.maxinteger == big[3])
  assert(math.type(fp.zeros(1, 'int8')[1]) == 'integer')
  raises('fishplate.tensor: argument 1 (value): element {1}: wanted a number (float64), got '
    .. '9007199254740993; the dtype can be given', fp.tensor, {9007199254740993})
end

-- Floats are rounded to the precision of the dtype, but do not become infinite.
t = fp.zeros(1, 'float32')
t[1] = 0.1
assert(t[1] ~= 0.1 and math.abs(t[1] - 0.1) < 1e-8)
t[1] = -math.huge
assert(t[1] == -math.huge)
t[1] = 0/0
assert(t[1] ~= t[1])
raises('tensor[]: value: wanted a number (float32), got -1e+39', function() t[1] = -1e39 end)

-- Conversions to float32 have blocks, and another loop for those with large, infinite or undefined numbers.
local largest, half = 2^128 - 2^104, 2^103
local many = fp.range(1, 2000)
many[1500], many[1501], many[1502], many[3] = math.huge, 0/0, -largest - half + 2^80, -largest
local narrow = many:copy('float32')
assert(narrow[1500] == math.huge and narrow[1501] ~= narrow[1501] and narrow[1502] == -largest and narrow[3] == -largest)
for k = 1, 2000 do
  assert(narrow[k] == k or k == 3 or k >= 1500 and k <= 1502)
end
assert(narrow:copy('float64')[1502] == -largest and narrow:copy('float64')[2000] == 2000)
assert(many:view{20, 100}:t():copy('float32')[{100, 20}] == 2000)
assert(narrow:view{20, 100}:t():copy('float64')[{99, 1}] == 99)
for _, k in ipairs{1, 512, 513, 1499, 2000} do
  local kept = many[k]
  many[k] = largest + half
  raises('tensor:copy: self: element {' .. k .. '}: wanted a number (float32), got ' .. ('%.14g'):format(largest + half),
    many.copy, many, 'float32')
  many[k] = kept
end

-- Complex numbers are tables with re and im.
local c = fp.tensor({{re = 1, im = -2}, 4}, 'complex64')
assert(c[1].re == 1 and c[1].im == -2 and c[2].im == 0)
assert(tostring(c[1]) == '1-2i' and c[1] == fp.complex(1, -2) and c[1] ~= c[2])
raises('tensor[]: value: wanted a number or {re = number, im = number} (complex64), got table',
  function() c[1] = {re = 1} end)

-- From one dtype to another by value.
assert(fp.tensor({1, 0}, 'int8'):copy('bool') == fp.tensor{true, false})
assert(fp.tensor({true, false}):copy('int8') == fp.tensor({1, 0}, 'int8'))
assert(fp.tensor({-1, 300}, 'int16'):copy('float64') == fp.tensor{-1, 300})
assert(fp.tensor({1, 2}, 'int32'):copy('complex64') == fp.tensor({1, 2}, 'complex64'))
raises('tensor:copy: self: element {2, 1}: wanted an integer from -128 to 127 (int8), got 128',
  function() return fp.tensor{{1}, {128}}:copy('int8') end)
raises('tensor:copy: self: element {1}: wanted a boolean, got 2',
  function() return fp.tensor{2}:copy('bool') end)
raises('tensor:copy: self: element {1}: wanted a number (float64), got a complex number',
  function() return fp.tensor{fp.complex(1)}:copy('float64') end)
for _, from in ipairs(fp.dtypes) do
  for _, to in ipairs(fp.dtypes) do
    local ok, done = pcall(function() return fp.ones({2, 2}, from):t():copy(to) end)
    local complex = from:find('^complex') and not to:find('^complex')
    assert(ok == not complex, from .. ' to ' .. to)
    assert(not ok or done == fp.ones({2, 2}, to), from .. ' to ' .. to)
  end
end
