-- Purpose: calls each of the random functions in both ways, with every row of up to five values of
-- some kinds, and compares the arguments that C received.
-- Usage: lua run.lua COUNT

local m = require 'random'
local unpack = unpack or table.unpack
local VALUES = {1, true, 'a', 'bc', 'xyz'}

local function outcome(f, values, count)
   local done, message = pcall(f, unpack(values, 1, count))
   -- The chain does not know the name that it was registered under.
   return done and m.said() or message:gsub("to '[%w?]+'", '')
end

local called = 0
local function try(n, values, count, left)
   local ours, theirs = outcome(m['f' .. n], values, count), outcome(m['chain' .. n], values, count)
   called = called + 1
   if ours ~= theirs then
      error(string.format('f%d(%s): %s, not %s', n, table.concat({tostring(values[1]), tostring(values[2]),
            tostring(values[3]), tostring(values[4]), tostring(values[5])}, ', ', 1, count), ours, theirs))
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
assert(called > 0)
