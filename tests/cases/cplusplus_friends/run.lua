local m = require "cplusplus_friends"
local raises = require("support").raises

local a, b = m.Vec(1, 2), m.Vec(3, 5)
local c = a + b
assert(c.x == 4 and c.y == 7 and (b - a).y == 3 and (-a).x == -1 and (2 * a).y == 4)
assert(a == m.Vec(1, 2) and a < b and m.dot(a, b) == 13)
local part = a:part(1)
assert(part.axis == 1 and part.value == 2 and part:squared() == 4 and m.Part().value == 0)
a:set(m.Part(0, 9))
assert(a:values()[1] == 9)
raises("a Vec has two axes", m.Part, 2, 1.0)
local vec = m.Vec(1, 1)
assert(m.move(2) == 2 and m.move(2, vec) == 3 and vec.x == 3 and m.move(1) == 3)
assert(m.joined("a", "b.txt") == "a/b.txt" and m.File("a/b.txt"):path() == "a/b.txt")
raises("the name is absolute", m.joined, "a", "/b")
local made = m.refine(function(x, step) return {x[1], 7}, step / 2 end, {1})
assert(made[1] == 1 and made[2] == 7 and made[3] == 0.25)
assert(m.edit("ab", function(made, text, v) return made .. text, v.y == 2 end) == "abab")
raises("...", m.refine, function() error("no step") end, {1})
