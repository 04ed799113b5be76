local fishplate = require 'fishplate'
local e = require 'enum_elements'
local support = require 'support'
local raises, same = support.raises, support.same
local Color, Mode, Level, Stamp = e.Color, e.Mode, e.Level, e.Stamp
local names = '(RED, GREEN, AMBER, DARK)'

-- Arrays: tables and tensors of integers.
assert(e.total({Color.RED, Color.AMBER, 2}) == 10 and e.total({}) == 0)
assert(e.total(fishplate.tensor({1, 2, 7, -1}, 'int32')) == 9)
assert(e.total(fishplate.tensor({1, 2, 7, -1}, 'int8')) == 9)
raises("total(): argument 'c': element 2 is 3, not a member of Color " .. names, e.total, {1, 3})
raises("grid(): argument 'c': element {2, 1} is 0, not a member of Color " .. names, e.grid, {{1, 2}, {0, 1}})
assert(e.grid({{1, 2}, {7, 1}}) == 11 and e.sum({{1, 2}, {7, 1}}) == 11 and e.sum({-1, 1}) == 0)
assert(e.maybe() == 0 and e.maybe({2}) == 2 and e.modes({1, 3, 2}) == 6)
assert(e.last({0, Stamp.LATE}) == Stamp.LATE)

local colors = fishplate.tensor({1, 2, 7}, 'int32')
e.turn(colors)
same(colors, 'int32', {3}, {2, 7, 1})
e.push(colors)
same(colors, 'int32', {3}, {7, 1, 2})
same(e.turned({1, 2}), 'int32', {2}, {2, 7})
same(e.first(4), 'int32', {4}, {1, 2, 2, -1})
local bad = fishplate.tensor({1, 5}, 'int32')
for _, call in ipairs({e.turn, e.push, e.turned}) do
  raises('...element 2 is 5, not a member of Color...', call, bad)
end
same(bad, 'int32', {2}, {1, 5})

-- Fields.
local lamp = e.Lamp(1.5, Color.RED, {Level.LOW, 200, 3}, Mode.READ)
assert(lamp.color == Color.RED and lamp.levels[2] == 200 and lamp.mode == 1)
assert(e.lamp_turned(lamp).color == Color.GREEN)
e.lamp_dim(lamp)
assert(lamp.mode == Mode.WRITE and lamp.levels[1] == Level.LOW)
raises("Lamp(): argument 'color': 4 is not a member of Color " .. names, e.Lamp, 1, 4)
raises("Lamp(): argument 'levels': 4 is not a member of Level (LOW, HIGH)", function() lamp.levels = {3, 4, 3} end)
assert(lamp.levels[2] == 200)
local street = e.Street({lamp, e.Lamp(2, Color.DARK, {3, 3, 3})}, Stamp.LATE)
assert(street.since == Stamp.LATE and e.street_colors(street) == 1 - 10)
-- A field that was not set is zero: C does not receive it if the enum has no such member.
local zero = "argument 'l': field 'color' of a Lamp is 0, not a member of Color " .. names
raises('lamp_turned(): ' .. zero, e.lamp_turned, e.Lamp())
raises('lamp_dim(): ' .. zero, e.lamp_dim, e.Lamp())
raises("lamp_turned(): argument 'l': field 'levels' of a Lamp is 0, not a member of Level (LOW, HIGH)", e.lamp_turned, e.Lamp(1, 2))
street.lamps = {lamp, e.Lamp()}
raises("street_colors(): argument 's': field 'color' of a Lamp is 0, not a member of Color " .. names, e.street_colors, street)

-- Callbacks.
local seen
assert(e.watch({2, -1}, function(one, all) seen = one; same(all, 'int32', {2}, {2, -1}); return 2 end) == 2)
assert(seen == Color.GREEN and e.choose({1, 7}, function() return 7 end) == Color.AMBER)
