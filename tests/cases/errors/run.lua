local fp = require 'fishplate'
local m = require 'errors'
local s = require 'support'
local raises = s.raises

-- ---- How it is called ---------------------------------------------------------------------------

local x = fp.ones(3)
local scale = 'scale(k, x, times?, y?)'
raises(scale .. " needs argument 'k'", m.scale)
raises(scale .. " needs argument 'x'", m.scale, 2)
raises("scale(): argument 'x': wanted a tensor of float64, got nil", m.scale, 2, nil)
raises(scale .. ' takes 2 to 4 arguments, got 5', m.scale, 2, x, 1, x, x)
raises('nothing() takes 0 arguments, got 1', m.nothing, 1)
raises('one(x) takes 1 argument, got 2', m.one, 1, 2)
raises("one(x) needs argument 'x'", m.one)
assert(select('#', m.nothing()) == 0 and select('#', m.one(1)) == 0)
assert(select('#', m.nothing(nil, nil)) == 0, 'nil is nothing')

-- The message begins with the place in the script that called.
local ok, said = pcall(function() m.one('x') end)
assert(not ok and said:find("^.*run%.lua:%d+: one%(%): argument 'x': "), said)

-- ---- Scalars ------------------------------------------------------------------------------------

local names = {'i', 'u', 'f', 'd', 'z', 'b'}
local good = {i = 1, u = 1, f = 1, d = 1, z = 1, b = true}
local function scalars(changed, value)
  local given = {}
  for k, name in ipairs(names) do given[k] = good[name] end
  for k, name in ipairs(names) do
    if name == changed then given[k] = value end
  end
  return m.scalars(given[1], given[2], given[3], given[4], given[5], given[6])
end
assert(scalars() == 6)

local function wrong(name, value, text)
  raises(("scalars(): argument '%s': wanted %s"):format(name, text), scalars, name, value)
end
local int = 'an integer from -2147483648 to 2147483647 (int32), got '
wrong('i', '1', int .. 'string')
wrong('i', 1.9, int .. '1.9')
wrong('i', 2 ^ 40, int .. '1099511627776')
wrong('i', -2 ^ 31 - 1, int .. '-2147483649')
wrong('i', 0 / 0, int .. '...nan')
wrong('i', 1 / 0, int .. 'inf')
wrong('i', nil, int .. 'nil')
wrong('i', print, int .. 'function')
wrong('i', x, int .. 'a tensor of float64 and shape {3}')
wrong('u', -1, 'an integer from 0 to 255 (uint8), got -1')
wrong('u', 256, 'an integer from 0 to 255 (uint8), got 256')
wrong('f', '1', 'a number (float32), got string')
wrong('f', 1e39, 'a number (float32), got ...')
wrong('f', fp.complex(1, 1), 'a number (float32), got a complex number')
wrong('d', '1', 'a number (float64), got string')
wrong('d', true, 'a number (float64), got a boolean')
wrong('d', {1}, 'a number (float64), got table')
wrong('d', x, 'a number (float64), got a tensor of float64 and shape {3}')
wrong('d', fp.tensor(fp.complex(1, 1)), 'a value that casts safely to float64, got a tensor of complex128 and shape {}')
wrong('z', '1', 'a number or {re = number, im = number} (complex128), got string')
wrong('z', {re = 1}, 'a number or {re = number, im = number} (complex128), got table')
wrong('b', 1, 'a boolean, got 1')
wrong('b', nil, 'a boolean, got nil')
wrong('b', 'true', 'a boolean, got string')

for _, number in ipairs{fp.tensor(1, 'int8'), fp.tensor(1), fp.tensor(true), 1} do assert(scalars('d', number) == 6) end
assert(scalars('f', 1 / 0) == 1 / 0)

-- ---- Arrays -------------------------------------------------------------------------------------

local where = "scale(): argument 'x': wanted "
raises(where .. 'a tensor of float64, got 1', m.scale, 2, 1)
raises(where .. 'a tensor of float64, got string', m.scale, 2, '1')
raises(where .. 'a tensor of float64, got boolean', m.scale, 2, false)
raises(where .. 'a tensor that casts safely to float64, got a tensor of complex128 and shape {3}', m.scale, 2,
  fp.ones(3, 'complex128'))
raises(where .. 'a 1-D tensor, got a tensor of float64 and shape {3, 1}', m.scale, 2, x:view{3, 1})
raises(where .. 'a 1-D tensor, got a tensor of float64 and shape {0, 3}', m.scale, 2, fp.zeros{0, 3})
raises(where .. 'a tensor of float64, got userdata', m.scale, 2, newproxy and newproxy() or x:pointer())

-- A message never holds the contents.
ok, said = pcall(m.scale, 2, fp.ones{100, 100})
assert(not ok and #said < 200)

-- An error leaks nothing: the same thousands of times.
for _ = 1, 10000 do assert(not pcall(m.scale, 2, '1')) end
