local fp = require 'fishplate'
local m = require 'dimensions'
local s = require 'support'
local raises, same = s.raises, s.same

local a, b = fp.range(0, 5):view{2, 3}, fp.range(0, 11):view{3, 4}
same(m.matmul(a, b), 'float64', {2, 4}, {{20, 23, 26, 29}, {56, 68, 80, 92}})
same(m.matmul(b:t(), a:t()), 'float64', {4, 2}, {{20, 56}, {23, 68}, {26, 80}, {29, 92}})
raises("matmul(): argument 'b': dimension 1 of shape {4, 3} is 4, but k is 3", m.matmul, a, b:t())
raises("matmul(): argument 'a': wanted a tensor of float64, got 2", m.matmul, 2, a, b)

for _, name in ipairs{'square', 'after', 'hidden_too', 'defaulted'} do
  assert(m[name](fp.range(0, 8):view{3, 3}) == 12 and m[name](fp.zeros{0, 0}) == 0)
  raises(name .. "(): argument 'a': dimension 2 of shape {2, 3} is 3, but n is 2", m[name], a)
end
assert(m.defaulted(fp.range(0, 8):view{3, 3}, 3) == 12)
raises("defaulted(): argument 'a': dimension 1 of shape {3, 3} is 3, but n is 2", m.defaulted, fp.zeros{3, 3}, 2)

same(m.only_out(3), 'float64', {3}, {0, 1, 2})
same(m.behind_pointers(a, {1, 2, 3}), 'float64', {2}, {8, 26})
same(m.behind_pointers(a:t():copy():t(), {1, 2, 3}), 'float64', {2}, {8, 26})
raises("behind_pointers(): argument 'x': dimension 1 of shape {2} is 2, but n is 3", m.behind_pointers, a, {1, 2})

local small = fp.zeros(255, 'int8')
assert(m.narrow(small[{{1, 127}}]) == 127 and m.narrow_unsigned(small) == 255)
raises("narrow(): argument 'x': dimension 1 is 128, which is out of range for n (int8)", m.narrow, small[{{1, 128}}])
raises("narrow_unsigned(): argument 'x': dimension 1 is 256, which is out of range for n (uint8)", m.narrow_unsigned,
  fp.zeros(256, 'int8'))

local z = fp.ones(3)
m.several({1, 2, 3}, {4, 5, 6}, z)
same(z, 'float64', {3}, {5, 11, 19})
raises("several(): argument 'y': dimension 1 of shape {2} is 2, but n is 3", m.several, {1, 2, 3}, {4, 5}, z)
raises("several(): argument 'z': dimension 1 of shape {3} is 3, but n is 2", m.several, {1, 2}, {4, 5}, z)
same(z, 'float64', {3}, {5, 11, 19})
