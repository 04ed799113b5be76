local s = require "cplusplus_structs"

local p = s.Point(3, 4, {1, 2})
assert(s.length(p) == 5 and s.length() == 5 and p.of[2] == 2)
s.move(p, 1)
assert(p.x == 4)
local done, message = pcall(s.move, p, -1)
assert(not done and message:find("points move to the right", 1, true) and p.x == 4)
