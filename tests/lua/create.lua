-- Tensors from tables, filled with one value, from ranges; errors.
local fp = require 'fishplate'
local s = require 'support'
local same, raises = s.same, s.raises

same(fp.tensor{1, 2, 3}, 'float64', {3}, {1, 2, 3})
same(fp.tensor{{1, 2}, {3, 4}, {5, 6}}, 'float64', {3, 2}, {1, 2, 3, 4, 5, 6})
same(fp.tensor{true, false}, 'bool', {2}, {true, false})
same(fp.tensor(7), 'float64', {}, {7})
same(fp.tensor(true), 'bool', {}, {true})
same(fp.tensor({}, 'int8'), 'int8', {0}, {})
same(fp.tensor{{}, {}}, 'float64', {2, 0}, {})
same(fp.tensor({1, 2.0, 2^31 - 1}, 'int32'), 'int32', {3}, {1, 2, 2147483647})
same(fp.tensor({{re = 1, im = 2}, 3}), 'complex128', {2}, {fp.complex(1, 2), fp.complex(3)})
same(fp.tensor(fp.tensor{1, 2}, 'int16'), 'int16', {2}, {1, 2})
same(fp.tensor(fp.tensor{1, 2}), 'float64', {2}, {1, 2})

local deep, inner = {}, {}
deep[1] = inner
for _ = 1, 31 - 1 do inner[1] = {}; inner = inner[1] end
inner[1] = 5
assert(fp.tensor(deep).ndim == 32 and fp.tensor(deep):item() == 5)
inner[1] = {6}
raises('fishplate.tensor: argument 1 (value): wanted at most 32 levels of tables',
  fp.tensor, deep)
inner[1] = deep
raises('fishplate.tensor: argument 1 (value): wanted at most 32 levels of tables',
  fp.tensor, deep)

raises('fishplate.tensor: argument 1 (value): element {2}: wanted a table of 2, as the first is, got one of 1',
  fp.tensor, {{1, 2}, {3}})
raises('fishplate.tensor: argument 1 (value): element {2}: wanted a table of 1, as the first is, got 3',
  fp.tensor, {{1}, 3})
raises('fishplate.tensor: argument 1 (value): element {2}: wanted a number (float64), got table; the dtype can be given',
  fp.tensor, {1, {2}})
raises('fishplate.tensor: argument 1 (value): element {2, 1}: wanted an integer from -128 to 127 (int8), got 128',
  fp.tensor, {{1}, {128}}, 'int8')
raises('fishplate.tensor: argument 1 (value): element {1}: wanted an integer from -2147483648 to 2147483647 (int32), got 1.9',
  fp.tensor, {1.9}, 'int32')
raises('fishplate.tensor: argument 1 (value): element {1}: wanted a number (float64), got string; the dtype can be given',
  fp.tensor, {'1'})
raises('fishplate.tensor: argument 1 (value): element {2}: wanted a number (float64), got a boolean; the dtype can be given',
  fp.tensor, {1, true})
raises('fishplate.tensor: argument 1 (value): element {1}: wanted a boolean, got 1',
  fp.tensor, {1}, 'bool')
raises('fishplate.tensor: argument 1 (value): wanted a table, a number, a boolean, a tensor or a buffer, got nil',
  function() fp.tensor() end)
raises("fishplate.tensor: argument 2 (dtype): wanted the name of a dtype, such as 'float64', got 'double'",
  fp.tensor, {1}, 'double')
raises("fishplate.zeros: argument 2 (dtype): wanted the name of a dtype, such as 'float64', got 3",
  fp.zeros, 2, 3)

same(fp.zeros{2, 2}, 'float64', {2, 2}, {0, 0, 0, 0})
same(fp.zeros(3, 'uint16'), 'uint16', {3}, {0, 0, 0})
same(fp.zeros{}, 'float64', {}, {0})
same(fp.zeros{2, 0}, 'float64', {2, 0}, {})
same(fp.ones({2}, 'bool'), 'bool', {2}, {true, true})
same(fp.full({2}, 1.5), 'float64', {2}, {1.5, 1.5})
same(fp.full(2, 200, 'uint8'), 'uint8', {2}, {200, 200})
same(fp.full(2, fp.complex(0, 1), 'complex64'), 'complex64', {2}, {fp.complex(0, 1), fp.complex(0, 1)})
for _, dtype in ipairs(fp.dtypes) do
  assert(fp.zeros({2, 3}, dtype).dtype == dtype)
  assert(fp.ones({5}, dtype) == fp.full({5}, dtype == 'bool' or 1, dtype), dtype)
end
raises('fishplate.full: argument 2 (value): wanted an integer from 0 to 255 (uint8), got 256',
  fp.full, 2, 256, 'uint8')
raises('fishplate.full: argument 2 (value): wanted a number (float32), got 1e+300',
  fp.full, 2, 1e300, 'float32')
raises('fishplate.full: argument 2 (value): wanted a number (float64), got nil', fp.full, 2, nil)
raises('fishplate.zeros: argument 1 (shape): wanted a table of integers or one integer, got string',
  fp.zeros, '3')
raises('fishplate.zeros: argument 1 (shape): wanted a table of integers or one integer, got 1.5',
  fp.zeros, 1.5)
raises('fishplate.zeros: argument 1 (shape): wanted a table of at most 32 integers or one integer, got table',
  fp.zeros, {1, 'x'})
raises('fishplate.zeros: argument 1 (shape): wanted sizes of 0 or more, got -1', fp.zeros, {2, -1})
raises('fishplate.zeros: argument 1 (shape): wanted a shape that fits in memory, got {4611686018427387904, 8}',
  fp.zeros, {2^62, 8})
raises('fishplate.zeros: argument 1 (shape): wanted a shape that fits in memory, got {4611686018427387904, 8, 0}',
  fp.zeros, {2^62, 8, 0})
raises('not enough memory for a tensor of 1152921504606846976 bytes', fp.zeros, {2^60}, 'int8')

-- An output that is sized but not filled takes no memory until it is written to.
local t = fp.empty({2^40}, 'float64')
assert(not t.filled and t.size == 2^40 and t.device == 'cpu')
raises('tensor[]: index: uninitialised tensor',
  function() return t[1] end)
t = fp.empty{3}
local view = t[{{2, 3}}]
view[1] = 5
assert(t.filled and view.filled)
same(t, 'float64', {3}, {0, 5, 0})
assert(fp.empty{0}.filled)

same(fp.range(1, 4), 'float64', {4}, {1, 2, 3, 4})
same(fp.range(1, 2, 0.25), 'float64', {5}, {1, 1.25, 1.5, 1.75, 2})
same(fp.range(3, 1, -1, 'int8'), 'int8', {3}, {3, 2, 1})
same(fp.range(3, 1), 'float64', {0}, {})
same(fp.range(1, 6, 2, 'uint8'), 'uint8', {3}, {1, 3, 5})
same(fp.range(5, 0, -2, 'uint64'), 'uint64', {3}, {5, 3, 1})
same(fp.range(-128, 127, 100, 'int8'), 'int8', {3}, {-128, -28, 72})
local big = fp.range('9223372036854775806', '9223372036854775807', nil, 'int64')
assert(s.digits(big[1]) == '9223372036854775806' and s.digits(big[2]) == '9223372036854775807')
big = fp.range('18446744073709551613', '18446744073709551615', 2, 'uint64')
assert(s.digits(big[2]) == '18446744073709551615')
raises('fishplate.range: argument 3 (step): wanted a number other than 0, got 0', fp.range, 1, 2, 0)
raises('fishplate.range: argument 2 (last): wanted an integer from -128 to 127 (int8), got 1000',
  fp.range, 1, 1000, 1, 'int8')
raises('fishplate.range: argument 1 (first): wanted a number (float64), got nothing', fp.range)
raises('fishplate.range: argument 2 (last): wanted a finite number, got inf', fp.range, 1, math.huge)
raises('fishplate.range: argument 4 (dtype): wanted a dtype of integers or real numbers, got bool',
  fp.range, 1, 2, 1, 'bool')
raises('fishplate.range: argument 2 (last): wanted a range that fits in memory, got one of 18446744073709551616 elements',
  fp.range, 0, '18446744073709551615', 1, 'uint64')
