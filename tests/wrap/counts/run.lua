-- Purpose: calls each function with every row of up to five values of some kinds, and checks that no
-- test of a value is made twice in a call.
-- Usage: lua run.lua COUNT

local m = require 'counts'
local unpack = unpack or table.unpack
local VALUES = {1, true, {}, 'x', print}

local calls, repeated, refused = 0, 0, 0
local function try(n, values, count, left)
   local done = pcall(m['f' .. n], unpack(values, 1, count))
   calls, refused = calls + 1, refused + (done and 0 or 1)
   local most = m.most()
   if most > 1 then
      repeated = repeated + 1
      if repeated <= 3 then
         print(string.format('f%d: %d times with %d values', n, most, count))
      end
   end
   if left > 0 then
      for _, value in ipairs(VALUES) do
         values[count + 1] = value
         try(n, values, count + 1, left - 1)
      end
   end
end

for n = 1, tonumber(arg[1]) do
   try(n, {}, 0, 4)
end
assert(calls > refused and refused > 0)
assert(repeated == 0, string.format('%d of %d calls make a test again', repeated, calls))
