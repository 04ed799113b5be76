local c = require 'callback_values'
local fishplate = require 'fishplate'
local raises = require('support').raises
local Step, Marks, Spot = c.Step, c.Marks, c.Spot

local function fail() error('no', 0) end

-- Enums, both ways.
local game = c.Game()
local seen = {}
local function on(at, before)
  seen[#seen + 1] = {at, before}
  return at > 10 and Step.STOP or at == 0 and Step.BACK or 1
end
assert(c.walk(game, 0, on) == 11)
assert(seen[1][1] == 0 and seen[1][2] == Step.ON and seen[2][2] == Step.BACK)
assert(c.turn(function(before) return before end) == Step.BACK)
assert(c.mark(function(before) assert(before == 3) return Marks.WET end) == Marks.WET)
raises("turn(): argument 'next' returned 'result': 2 is not a member of Step (STOP, ON, BACK)", c.turn, function() return 2 end)
raises("turn(): argument 'next' returned 'result': wanted a value of Step (STOP, ON, BACK), got nil",
  c.turn, function() end)

-- If it fails, C is called to stop with the enumerator.
raises('no', c.walk, game, 0, fail)
assert(c.stopped(game) == 1)
raises('no', c.turn, fail)

-- Structs by value: an object, a copy of C's.
local kept = {}
local function right(at)
  kept[#kept + 1] = at
  return Spot(at.x + 1, at.y, not at.seen)
end
local moved = c.move(Spot(1, 2, false), right)
assert(moved.x == 3 and moved.y == 2 and moved.seen == false)
collectgarbage()
assert(kept[1].x == 1 and kept[2].x == 2 and kept[2].seen == true)
assert(not pcall(c.move, Spot(), function() return 1.5 end))
raises('no', c.move, Spot(), fail)
raises('no', c.move_strictly, Spot(1, 1, true), fail)
assert(c.noted() == -7)

-- Bools and complex numbers.
assert(c.count(10, function(k) return k % 3 == 0 end) == 4)
raises('no', c.count_strictly, 3, fail)
assert(c.noted() == 3)
local z = c.rotate(fishplate.complex(1, 2), function(z) return fishplate.complex(-z.im, z.re) end)
assert(z.re == -1 and z.im == 1)

-- A return code with an output: C receives 0 where the function has returned.
local least = c.descend(function(x) return {2, x[1]} end, {1, 2})
assert(least[1] == -1 and least[2] == 1)
raises('no', c.descend, fail, {1, 2})
assert(not pcall(c.descend, function() return {1} end, {1, 2}))

-- Structs and enums by their addresses.
local seen = {}
local finish = c.trail(Spot(0, 5), 10, function(at, last)
  seen[#seen + 1] = at
  return Spot(at.x + 1, at.y, true), at.x == 2 and Step.STOP or last
end)
assert(finish.x == 3 and finish.y == 5 and finish.seen and #seen == 3 and seen[3].x == 2)
assert(c.trail(Spot(1, 2), 1, function() return {x = 9}, Step.BACK end).x == 9 and c.noted() == 5)
raises('no', c.trail, Spot(1, 2), 1, fail)
assert(not pcall(c.trail, Spot(), 1, function(at, last) return 1, last end))
assert(not pcall(c.trail, Spot(), 1, function(at, last) return at, 9 end))

-- An output and the result of C have different tables, whatever the output is called.
local y, code = c.settle(function(x) return {x, 2 * x}, 7 end)
assert(y[1] == 0.5 and y[2] == 1 and code == 7)
