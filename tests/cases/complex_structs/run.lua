local fp = require 'fishplate'
local m = require 'complex_structs'
local s = require 'support'
local raises = s.raises
local complex = fp.complex

local z = complex(1.5, -2)
assert(m.turn(z, complex(0, 2)) == complex(4, 3) and m.turned(z) == complex(2, 1.5))
assert(m.swap(z) == complex(-2, 1.5) and m.square() == complex(9, 0) and m.square(complex(0, 2)) == complex(-4, 0))
raises("swap(): argument 'p': wanted a number or {re = number, im = number} (complex128), got string", m.swap, '1i')
assert(m.mean{complex(1, 0), complex(0, 3), complex(2, 0)} == complex(1, 1))

local real, imaginary = m.split(z)
assert(real == complex(1.5, 0) and imaginary == complex(0, -2))
assert(m.sum{1, complex(0, 2)} == complex(1, 2) and m.sum({1, complex(0, 2)}, z) == complex(2.5, 0))
assert(m.sums{1, complex(0, 2)} == complex(11, 2))
local total = fp.tensor(z, 'complex128')
m.add_to(total)
assert(m.square(total) == complex(2.25, -10))

local values = {complex(1, 2), complex(0, -3.5), complex(7, 0)}
local turned = fp.tensor{complex(-2, 1), complex(3.5, 0), complex(0, 7)}
for layout, x in s.layouts(values) do
  assert(m.scaled(x, complex(0, 1)):equal(turned), layout)
  assert(m.sum(x) == complex(8, -1.5), layout)
end
for layout, x in s.layouts(values, 'complex64') do assert(m.sum(x) == complex(8, -1.5), layout) end
local small = fp.tensor(values, 'complex64')
m.scale(small, fp.tensor(complex(0, 1), 'complex64'))
assert(small:copy('complex128'):equal(turned))
assert(m.outer(values, {1, complex(0, 1)})[1][2] == complex(-2, 1))
assert(m.gather{1, complex(0, 2)}:equal(fp.tensor{complex(6, 0), complex(5, 2)}))
assert(m.powers(complex(0, 2), 4):equal(fp.tensor{complex(1, 0), complex(0, 2), complex(-4, 0), complex(0, -8)}))

local both = m.both_of(z, complex(0, 0.5))
assert(both.z == z and both.small[1] == complex(0, 0.5))
both.z = 2
assert(both.z == complex(2, 0))

assert(m.twice(z, function(z) return complex(-z.im, z.re) end) == complex(-1.5, 2))
assert(m.sum_of(2, function(n, last) return {complex(0, 1), complex(1, 1)}, complex(last.re + 7, last.im) end)
       == complex(8, 2))
raises('...stop', m.twice, z, function() error 'stop' end)
raises('...stop', m.twice_or_turning, z, function() error 'stop' end)
raises('...stop', m.sum_of, 2, function() error 'stop' end)
