-- The calls of generated modules that faults.c runs: every crossing that allocates, and errors.
local fp = require 'fishplate'
local matrix = require 'intents_fortran'
local nullable = require 'nullable'
local complex = require 'complex_numbers'
local overloads = require 'overloads'
local order = require 'overload_order'
local returns = require 'returns'
local status = require 'status'

local wide = fp.ones{20, 20}
local small = {{1, 2}, {3, 4}}
for _, a in ipairs{wide, wide:t(), wide[{{1, -1, 2}, {1, -1, 2}}], fp.ones({20, 20}, 'int8'), small} do
  assert(matrix.read(a) > 0 and matrix.hidden(a) > 0)
  assert(matrix.in_out(a).ndim == 2)
  if fp.is_tensor(a) and a.dtype == 'float64' then
    matrix.inplace(a)
    assert(matrix.inplace_out(a).ndim == 2)
  end
end
matrix.inout(fp.ones{20, 20}:t())
assert(matrix.out(20, 20).size == 400 and matrix.out(20, 20, fp.empty{20, 20}).size == 400)
assert(matrix.out(20, 20, fp.zeros{40, 40}[{{1, -1, 2}, {1, -1, 2}}]).size == 400)

assert(nullable.in_out() == nil and #nullable.in_out{1, 2} == 2)
assert(complex.turn_all{1, fp.complex(0, 1)}[1].im == 1 and complex.conjugate(fp.complex(1, 2)).im == -2)
assert(overloads.kind{{1, 2}, {3, 4}} == 7 and overloads.kind(fp.complex(0, 1)) == 4)
assert(#order.apply{1, 2, 3} == 3 and order.apply(2) == 4)
assert(#returns.arrays{1, 2, 3} == 3)
assert(status.wide(0) == nil)

-- Errors need memory too.
for _, f in ipairs{
  function() matrix.read('x') end, function() matrix.read() end, function() matrix.inout(wide) end,
  function() matrix.out(20, -1) end, function() matrix.read{{1, 2}, {3, 'x'}} end,
  function() overloads.kind('x') end, function() overloads.kind{{1}, {2, 3}} end, function() status.check(3) end,
  function() status.bump_all(fp.full({1000, 2}, -1)[{{}, 1}]) end, function() nullable.weighted({1}, {1, 2}) end,
} do
  local ok, said = pcall(f)
  assert(not ok and said ~= nil)
  if said:find('not enough memory') then error(said, 0) end
end
