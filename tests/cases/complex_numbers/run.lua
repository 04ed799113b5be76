local fp = require 'fishplate'
local m = require 'complex_numbers'
local s = require 'support'
local raises = s.raises
local complex = fp.complex

local z = complex(1.5, -2)
assert(m.conjugate(z) == complex(1.5, 2) and m.conjugate{re = 1.5, im = -2} == complex(1.5, 2))
assert(m.conjugate(fp.tensor(z, 'complex64')) == complex(1.5, 2))
-- Which overload it was: only one of them keeps this value.
local fine = complex(0.1, 0.2)
assert(m.conjugate(fine) == complex(0.1, -0.2) and m.conjugate(fp.tensor(fine, 'complex64')) ~= complex(0.1, -0.2))
assert(m.conjugate(2).re == 2 and m.conjugate(2.5).re == 2.5 and m.conjugate(fp.tensor(2.5, 'float32')).re == 2.5)

assert(m.behind(z) == complex(2, 1.5) and m.behind(2) == complex(0, 2))
raises("behind(): argument 'z': wanted a number or {re = number, im = number} (complex128), got string", m.behind, '1i')

local values = {complex(1, 2), complex(0, -3.5), complex(7, 0)}
local turned = fp.tensor{complex(-2, 1), complex(3.5, 0), complex(0, 7)}
for layout, x in s.layouts(values) do assert(m.turn_all(x):equal(turned), layout) end
for _, dtype in ipairs{'complex64', 'float32', 'float64', 'int64', 'uint8', 'bool'} do
  assert(m.turn_all(fp.ones(2, dtype))[2] == complex(0, 1), dtype)
end
assert(m.turn_all{1, 2.5, complex(0, 3)}[3] == complex(-3, 0))
for layout, x in s.layouts(values, 'complex64') do
  m.turn_small(x)
  assert(x:copy('complex128'):equal(turned), layout)
end
raises("turn_small(): argument 'z': wanted a tensor of exactly complex64, got a tensor of complex128 and shape {3}",
  m.turn_small, fp.tensor(values))
assert(m.with_default() == complex(2.5, 0))
