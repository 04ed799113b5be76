local m = require 'optimizers'
local fishplate = require 'fishplate'
local s = require 'support'

-- C has all constraints, and so has the handle.
local function above(low)
  return function(x, gradient)
    assert(gradient == nil)
    return low - x[1]
  end
end
local o = m.Opt(1)
o:set_objective(function(x) return x[1] ^ 2 end)
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

-- A call that fails may have left it with C.
for _ = 1, 5 do o:add_constraint(function() return 0 end) end
s.raises('Opt.add_constraint(): opt_add_constraint returned status -2', o.add_constraint, o, above(9))

-- What C makes of NULL is its own: the handle retains what it has.
o:add_constraint(nil)
assert(count() == 3)
assert(math.abs(o:minimize(fishplate.tensor {5})[1]) < 1e-6)

-- What is replaced is released.
local objective = above(0)
alive[objective] = true
o:set_objective(objective)
o:set_objective(function(x) return (x[1] - 1) ^ 2 end)
objective = nil
collectgarbage()
collectgarbage()
assert(count() == 3)
assert(math.abs(o:minimize(fishplate.tensor {5})[1] - 1) < 1e-6)

-- With the handle, all end.
o:close()
collectgarbage()
collectgarbage()
assert(count() == 0)

-- The same of a function up to which the module retains them.
local seen = {}
for k = 1, 3 do
  m.on_step(function(step) seen[#seen + 1] = k .. ' ' .. string.format('%d', step) end)
end
o = m.Opt(1)
o:set_objective(function(x) return math.abs(x[1]) end)
o:minimize(fishplate.tensor {0})
assert(seen[1] == '1 0' and seen[2] == '2 0' and seen[3] == '3 0' and seen[4] == '1 1')
m.off_steps()
seen = {}
o:minimize(fishplate.tensor {0})
assert(#seen == 0)
