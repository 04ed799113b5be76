local c = require 'cplusplus_callback_objects'
local raises = require('support').raises

local function fail() error('no', 0) end
local function collect() collectgarbage() collectgarbage() end

-- Objects of derived classes have the address of their base.
local function new(k) collect() return c.Circle(k) end
assert(c.sum_used(3, new) == 15 and c.sum_taken(3, new) == 15)
assert(c.sum_used(2, function() return c.Shape() end) == 0)
local circle = c.Circle(2)
local function same() return circle end
assert(c.sum_used(5, same) == 60 and circle:area() == 12)
raises("sum_used(): argument 'pick' returned 'result': wanted a Shape, got cplusplus_callback_objects.Named",
  c.sum_used, 1, function() return c.Named() end)
raises("sum_taken(): argument 'make' returned 'result': this Circle, which C takes over, is also used elsewhere",
  c.sum_used, 2, function(k) if k > 0 then c.sum_taken(1, same) end return circle end)
assert(c.sum_taken(1, same) == 12)
assert(not pcall(circle.area, circle) and not pcall(c.sum_used, 1, same))

-- An error of Lua takes precedence over an exception of C++.
raises('no', c.sum_used, 2, fail)
raises('no', c.sum_taken, 2, fail)
raises('no shape', c.sum_used, 2, function(k) if k > 0 then return c.Circle(1) end end)
collect()
assert(c.live() == 0)

-- Objects that a std::shared_ptr owns.
local lamp = c.Lamp(5)
assert(c.power(function() return lamp end) == 5 and c.power(function() return c.Lamp(7) end) == 7)
raises("power(): argument 'f' returned 'result': wanted a Lamp, got nil", c.power, function() end)
lamp:close()
collect()
assert(c.live() == 0)

-- A constructor calls it.
local row = c.Row(function() return c.Circle(1) end)
collect()
assert(row:area() == 6 and c.live() == 2)
row:close()
collect()
assert(c.live() == 0)
raises('no', c.Row, fail)
local calls = 0
raises('no', c.Row, function()
  calls = calls + 1
  return calls < 2 and c.Circle(1) or fail()
end)
collect()
assert(c.live() == 0)
