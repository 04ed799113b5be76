local fp = require 'fishplate'
local m = require 'nullable'
local s = require 'support'
local raises, same = s.raises, s.same

assert(m.scalar(7, 2) == 2 and m.scalar(7, fp.tensor(2, 'float32')) == 2)
assert(m.scalar(7) == 7 and m.scalar(7, nil) == 7)
raises("scalar(): argument 'x': wanted a number (float64), got string", m.scalar, 7, '2')

-- Optional parameters come last, whatever their place in C.
assert(m.vector(7) == 7 and m.vector(7, nil) == 7 and m.vector(7, {1, 2}) == 3)
assert(m.vector(7, {}) == 0 and m.vector(7, fp.empty(0)) == 0, 'an empty array is not NULL')

assert(m.weighted{1, 2, 3} == 6 and m.weighted({1, 2, 3}, nil) == 6 and m.weighted({1, 2, 3}, {3, 2, 1}) == 10)
raises("weighted(): argument 'w': dimension 1 of shape {2} is 2, but n is 3", m.weighted, {1, 2, 3}, {1, 2})
raises("weighted(x, w?) needs argument 'x'", m.weighted)
raises("weighted(): argument 'x': wanted a tensor of float64, got nil", m.weighted, nil, {1})

assert(m.either() == 0 and m.either{1, 2} == 3 and m.either(nil, {4}) == 4 and m.either({1, 2}, {3, 4}) == 11)
raises("either(): argument 'w': dimension 1 of shape {1} is 1, but n is 2", m.either, {1, 2}, {3})

assert(m.sized() == -1 and m.sized(fp.zeros{2, 3}) == 200 + 60 + 3)
raises("sized(): argument 'x': dimension 2 of shape {2, 2} is 2, but must be 3", m.sized, fp.zeros{2, 2})

for _, name in ipairs{'inplace', 'inout'} do
  local x = fp.tensor{1, 2}
  assert(m[name]() == 0 and m[name](nil) == 0 and m[name](x) == 1)
  same(x, 'float64', {2}, {-1, -2})
end
local x = fp.tensor{1, 0, 2, 0}
m.inplace(x[{{1, -1, 2}}])
same(x, 'float64', {4}, {-1, 0, -2, 0})

for _, name in ipairs{'in_out', 'inplace_out', 'scalar_in_out'} do
  local y, there = m[name]()
  assert(y == nil and there == 0, name)
end
local y, there = m.in_out{1, 2}
same(y, 'float64', {2}, {-1, -2})
assert(there == 1)
y, there = m.scalar_in_out(3)
assert(y == -3 and there == 1)

local box = fp.tensor(3)
assert(m.scalar_inplace() == 0 and m.scalar_inplace(box) == 1 and box:item() == -3)
