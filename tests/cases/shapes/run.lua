local fp = require 'fishplate'
local m = require 'shapes'
local s = require 'support'
local raises, same = s.raises, s.same

local function trunc(x) return x < 0 and math.ceil(x) or math.floor(x) end
local function range(n)
  local made = {}
  for k = 1, n do made[k] = k - 1 end
  return made
end

for n = -6, 11 do
  local wanted = {
    sum = n + 1, arithmetic = 2 * n - math.fmod(trunc(n / 2), 3) + 1, ternary = math.max(n, 3),
    least = math.min(n, 4), most = math.max(n, 4), product = n ^ 3,
  }
  for name, total in pairs(wanted) do
    if total < 0 then
      raises(("%s(): argument 'y': dimension 1 is negative (%.0f)"):format(name, total), m[name], n)
    else
      local made = m[name](n)
      assert(#made == total, name)
      if name ~= 'product' then same(made, 'float64', {('%.0f'):format(total)}, range(total)) end
    end
  end
end
assert(#m.bits(11) == 23 - 0 and #m.bits(4) == 1)

same(m.constant(), 'float64', {3}, {0, 1, 2})
same(m.like{5, 6}, 'float64', {2}, {0, 1})
local c = m.halves(fp.zeros{2, 4}, fp.zeros(2))
assert(c:equal(fp.range(0, 15):view{8, 2}))
assert(table.concat(m.halves(fp.zeros{0, 4}, fp.zeros(2)).shape, ' ') == '0 2')
raises("halves(): argument 'a': dimension 2 of shape {2, 4} is 4, but 2*len(b) is 6", m.halves, fp.zeros{2, 4}, fp.zeros(3))
raises("halves(): argument 'a': dimension 2 of shape {2, 5} is 5, but 2*len(b) is 4", m.halves, fp.zeros{2, 5}, fp.zeros(2))

assert(m.exactly{7, 8, 9} == 7)
raises("exactly(): argument 'x': dimension 1 of shape {2} is 2, but must be 3", m.exactly, {7, 8})

-- No array determines n, so it must be passed, and the array must fit it.
assert(m.triangle(2, {1, 1, 1}) == 6 and m.triangle(0, {}) == 0)
raises("triangle(): argument 'x': dimension 1 of shape {2} is 2, but n*(n + 1)/2 is 3", m.triangle, 2, {1, 1})
raises("triangle(): argument 'x': dimension 1 (n*(n + 1)/2) overflowed, divided by zero or was read beyond an array",
  m.triangle, 2 ^ 62, {1, 1})
for _, n in ipairs{2 ^ 62, 2 ^ 21} do
  raises("product(): argument 'y': dimension 1 overflowed, divided by zero or was read beyond an array", m.product, n)
end
assert(#m.divided(4) == 3)
raises("divided(): argument 'y': dimension 1 is negative (-12)", m.divided, -1)

-- Sizes that exceed all memory: an error, whichever way they are too large.
raises("product(): argument 'y': the tensor is too large: shape {1152921504606846976}", m.product, 2 ^ 20)
raises('not enough memory for a tensor of ... bytes', m.unsigned, 2 ^ 55)
raises("unsigned(): argument 'y': the tensor is too large: shape {...}", m.unsigned, 2 ^ 62)
raises("unsigned(): argument 'y': dimension 1 overflowed, divided by zero or was read beyond an array", m.unsigned, 2 ^ 63)
