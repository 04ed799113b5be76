local fp = require 'fishplate'
local m = require 'empty_arrays'
local s = require 'support'
local raises = s.raises

for _, nothing in ipairs{{}, fp.zeros(0), fp.empty(0), fp.zeros(0, 'float32'), fp.zeros(0, 'int64'), fp.zeros(5)[{{6, 5}}]} do
  assert(m.sum(nothing) == 0)
  s.same(m.copy(nothing), 'float64', {0}, {})
end
for layout, x in s.layouts{} do assert(m.sum(x) == 0 and select('#', m.double_(x)) == 0, layout) end

-- Invalid arguments are refused even if the call has nothing to do.
raises("sum(): argument 'x': wanted a tensor that casts safely to float64, got a tensor of complex128 and shape {0}",
  m.sum, fp.zeros(0, 'complex128'))
raises("sum(): argument 'x': wanted a 1-D tensor, got a tensor of float64 and shape {0, 2}", m.sum, fp.zeros{0, 2})

for _, shape in ipairs{{0, 0}, {0, 3}, {3, 0}} do
  assert(table.concat(m.make(shape[1], shape[2]).shape, ' ') == table.concat(shape, ' '))
  m.shift(fp.zeros(shape))
  m.shift(fp.empty(shape))
end
assert(table.concat(m.make(2, 0, fp.empty{2, 0}).shape, ' ') == '2 0')
raises("make(): argument 'a': dimension 2 is negative (-1)", m.make, 0, -1)

for _, x in ipairs{fp.tensor(3), fp.tensor(3, 'int8'), fp.tensor(3, 'float32')} do assert(m.scalar(x) == 1.5) end
raises("sum(): argument 'x': wanted a tensor of float64, got 3", m.sum, 3)
raises("sum(): argument 'x': wanted a 1-D tensor, got a tensor of float64 and shape {}", m.sum, fp.tensor(3))
