local fp = require 'fishplate'
local m = require 'bools'
local s = require 'support'
local raises = s.raises

assert(m.not_(true) == false and m.not_(fp.tensor(false)) == true and m.not_() == true and m.not_(nil) == true)
raises("not_(): argument 'b': wanted a boolean, got 1", m.not_, 1)
raises("not_(): argument 'b': wanted a boolean, got string", m.not_, '')
raises("not_(): argument 'b': wanted a value that casts safely to bool, got a tensor of int8 and shape {}", m.not_, fp.tensor(1, 'int8'))

assert(m.count{true, false, true} == 2 and m.count(fp.tensor{true, true}[{{-1, 1, -1}}]) == 2)
assert(m.count(fp.zeros(0, 'bool')) == 0 and m.count{} == 0)
for _, dtype in ipairs{'int8', 'uint8', 'float64'} do
  raises(("count(): argument 'mask': wanted a tensor that casts safely to bool, got a tensor of %s and shape {2}")
    :format(dtype), m.count, fp.zeros(2, dtype))
end
raises("count(): argument 'mask': element {1}: wanted a boolean, got 0", m.count, {0, 1})

local mask = fp.tensor{true, false, true, false}
assert(m.flip(mask[{{1, -1, 2}}]) == false and m.flip(mask[{{2, -1, 2}}]) == true)
s.same(mask, 'bool', {4}, {false, true, false, true})
s.same(m.positive{1, -1, 0}, 'bool', {3}, {true, false, false})
