local fp = require 'fishplate'
local m = require 'returns'
local s = require 'support'

local function is(count, values, ...)
  assert(select('#', ...) == count)
  for k = 1, count do assert(select(k, ...) == values[k]) end
end
is(0, {}, m.nothing())
is(1, {3}, m.one(17, 5))
is(2, {3, 2}, m.two(17, 5))
is(2, {2, 3}, m.result_last(17, 5))
is(2, {3, 2}, m.result_first(17, 5))
is(2, {2, 3}, m.turned(17, 5))
is(1, {2}, m.only(17, 5))
is(0, {}, m.none(17, 5))

local odd, count, even, base = m.arrays({1, 2, 3}, -1)
s.same(odd, 'int32', {3}, {1, -1, 3})
s.same(even, 'int32', {3}, {-1, 2, -1})
assert(count == 2 and base == 0)
-- Output buffers come after all other arguments.
even, odd = fp.zeros(3, 'int32'), fp.zeros(3, 'int32')
local results = {m.arrays({1, 2, 3}, nil, even, odd)}
assert(rawequal(results[3], even) and rawequal(results[1], odd) and even[2] == 2)
