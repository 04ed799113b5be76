local m = require 'optimizers'
local fishplate = require 'fishplate'
local s = require 'support'

-- C refers to all constraints, and so does the handle.
local function above(low)
  return function(x, gradient)
    assert(gradient == nil)
    return low - x[1]
  end
end
local o = m.Opt(1)
o:set_objective(function(x) return nil, x[1] ^ 2 end)
local alive = setmetatable({}, {__mode = 'k'})
for _, low in ipairs {1, 3, 2} do
  local f = above(low)
  alive[f] = true
  o:add_constraint(f)
end
collectgarbage()
collectgarbage()
local function count()
  local n = 0
  for _ in pairs(alive) do n = n + 1 end
  return n
end
assert(count() == 3)
local x, value = o:minimize(fishplate.tensor {5})
assert(math.abs(x[1] - 3) < 1e-6 and math.abs(value - 9) < 1e-5)

-- A call that fails may have registered it with C.
for _ = 1, 5 do o:add_constraint(function() return 0 end) end
s.raises('Opt.add_constraint(): opt_add_constraint returned status -2', o.add_constraint, o, above(9))

-- The meaning of NULL is up to C: the handle retains its callbacks.
o:add_constraint(nil)
assert(count() == 3)
assert(math.abs(o:minimize(fishplate.tensor {5})[1]) < 1e-6)

-- A replaced callback is released.
local objective = above(0)
alive[objective] = true
o:set_objective(objective)
o:set_objective(function(x) return nil, (x[1] - 1) ^ 2 end)
objective = nil
collectgarbage()
collectgarbage()
assert(count() == 3)
assert(math.abs(o:minimize(fishplate.tensor {5})[1] - 1) < 1e-6)

-- All are released with the handle.
o:close()
collectgarbage()
collectgarbage()
assert(count() == 0)

-- The same for a callback that the module retains until another call.
local seen = {}
for k = 1, 3 do
  m.on_step(function(step) seen[#seen + 1] = k .. ' ' .. string.format('%d', step) end)
end
o = m.Opt(1)
o:set_objective(function(x) return nil, math.abs(x[1]) end)
o:minimize(fishplate.tensor {0})
assert(seen[1] == '1 0' and seen[2] == '2 0' and seen[3] == '3 0' and seen[4] == '1 1')
m.off_steps()
seen = {}
o:minimize(fishplate.tensor {0})
assert(#seen == 0)

-- A callback that fails stops C, which would call it for ever; and the problem can be solved again.
local calls = 0
o:set_objective(function()
  calls = calls + 1
  error('a typo', 0)
end)
s.raises('a typo', o.minimize, o, fishplate.tensor {1})
assert(calls == 1)
o:set_objective(function(x) return nil, x[1] ^ 2 end)
assert(math.abs(o:minimize(fishplate.tensor {1})[1]) < 1e-6)
o:add_constraint(function() return 'one' end)
s.raises("Opt.add_constraint(): argument 'f' returned 'result': wanted a number (float64), got string", o.minimize, o,
  fishplate.tensor {1})
-- The error is reported at the call of the function that called C, as any other.
local good, why = pcall(function() local x = o:minimize(fishplate.tensor {1}) return x end)
assert(not good and why:find('run.lua:%d+: Opt.add_constraint'), why)
o:add_constraint(nil)

-- If C wants no gradient, the function's gradient is ignored; otherwise it is checked.
o:set_objective(function(x) return {2 * x[1]}, x[1] ^ 2 end)
o:minimize(fishplate.tensor {1})
assert(o:last() == 0)
o:use_gradients(1)
o:minimize(fishplate.tensor {3})
assert(o:last() ~= 0)
o:set_objective(function(x) return nil, x[1] ^ 2 end)
assert(not pcall(o.minimize, o, fishplate.tensor {1}))

-- While the object is created, there is no object to stop.
s.raises('no', m.opt_with, 1, function() error('no', 0) end)
local made = m.opt_with(1, function(x) return {1}, (x[1] - 2) ^ 2 end)
assert(math.abs(made:minimize(fishplate.tensor {0})[1] - 2) < 1e-6)

-- The function of the on-error action sees the callback's parameters and the call's arguments.
s.raises('third', m.rounds, function(number)
  if number == 3 then error('third', 0) end
  return 1
end, 'name', {1, 7}, 2)
assert(m.rounds(function() return 1 end, 'name', {0, 0}, 1) == 1)

-- On another thread Lua cannot run, and C gets an error.
o = m.Opt(1)
s.raises("rounds_of(): argument 'f': C called it on another thread or in another call, where Lua cannot run",
  m.rounds_of, o, function() return 1 end, 'A', 2, 3)
assert(m.notes() == string.byte('A') and o:last() == 6)
