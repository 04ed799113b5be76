local s = require "structs"

local function refused(text, f, ...)
  local done, message = pcall(f, ...)
  assert(not done and message:find(text, 1, true), message)
end

local function set(record, name, value)
  record[name] = value
end

local p = s.Point(1, 2.5, 3, {1, 2, 3})
assert(p.x == 1 and p.y == 2.5 and p.tag == 3 and #p.m == 3 and p.m[2] == 2)
assert(p == s.Point{x = 1, y = 2.5, tag = 3, m = {1, 2, 3}} and p ~= s.Point())
assert(tostring(p):find("structs.Point", 1, true))
p.tag = -4
assert(p.tag == -4)
refused("Point(): argument 'tag'", set, p, "tag", 2 ^ 31)
refused("argument 'tag'", set, p, "tag", 1.5)
refused("argument 'x'", s.Point, "one")
refused("has 2 elements, but must have 3", set, p, "m", {1, 2})
refused("argument 'm': wanted a table", set, p, "m", 1)
refused("argument 'm'", set, p, "m", {1, 2, "x"})
refused("takes 4 values at most, got 5", s.Point, 1, 2, 3, {1, 2, 3}, 5)
refused("has no field 'hidden'", set, p, "hidden", 1)
refused("has no field 'hidden'", function() return p.hidden end)
refused("a Point has no field 'z'; it has x, y, tag, m", s.Point, {z = 1})
-- A refused assignment changes nothing; a table is a copy.
assert(p.m[1] == 1 and p.m[3] == 3)
p.m[1] = 7
assert(p.m[1] == 1)
p.m = {7, 8, 9}
assert(p.m[1] == 7)
local q = p:copy()
q.x = 9
assert(p.x == 1 and q.x == 9)

assert(s.add(s.Point(1, 2, 3), s.Point(10, 20, 30)) == s.Point(11, 22, 33, {0, 0, 1}))
assert(s.add(s.Point(1, 2)).tag == 7)
assert(s.norm(s.Point(3, 4)) == 5)
local r = s.Point(1)
s.move(r, 2)
s.push(r, 2)
assert(r.x == 5 and s.moved(r, 1).x == 6 and r.x == 5)
assert(math.abs(s.polar(2, math.pi / 2).y - 2) < 1e-12)
assert(s.maybe() == -1 and s.maybe(nil) == -1 and s.maybe(s.Point(4)) == 4)
refused("norm(): argument 'p': wanted a Point, got", s.norm, 1)
refused("wanted a Point", s.norm, s.Box())
refused("wanted a Point", s.norm, nil)

local b = s.box(s.Point(1, 1), s.Point(4, 3))
assert(s.area(b) == 6 and b.flags == 255 and b.full == true and b.grid[2][3] == 6)
b.high.x = 7
assert(b.high.x == 7 and s.area(b) == 12)
local low = b.low
b.low = s.Point(-1, -1)
b = nil
collectgarbage()
collectgarbage()
assert(low.x == -1)
refused("argument 'flags'", s.Box, {flags = 256})
assert(s.Box{low = {1, 2}}.low.y == 2)
refused("wanted a Point, got", s.Box, {low = 3})
assert(s.Box{grid = {{1, 2, 3}, {4, 5, 6}}}.grid[1][2] == 2)
assert(s.size(s.Point(3, 4)) == 5 and s.size(-3) == 3)
assert(s.size{x = 3, y = 4} == 5 and s.size{3, 4} == 5 and s.size{high = {2, 3}} == 6)
refused("no overload takes", s.size, {weight = 1})
assert(s.shift(s.Point(1), 2) == 3)
