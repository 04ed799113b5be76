local c = require "cplusplus_unpacked"

assert(c.mean({1, 2, 6}) == 3)
local done, message = pcall(c.mean, {})
assert(not done and message:find("no samples", 1, true), message)
local mean, sums, unit = c.describe({1, 2, 6}, 2)
assert(mean == 6 and sums[3] == 9 and unit == "m")
