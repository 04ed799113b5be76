-- Purpose: the size of the C of a function with optional arguments, by `wrap` and by the chain.
-- Prints a line for each row: its name, and the bytes of each.

local wrap = require 'cwrap'
local chain = require 'chain'
local types = wrap.types

-- Strings as short as the original's, which checks less, so that the chain is not longer.
local function short(name, cast, reader, check)
   return setmetatable({
      check = function(_, idx) return string.format('%s(L, %d)', check or 'lua_isnumber', idx) end,
      read = function(arg, idx) return string.format('arg%d = %s%s(L, %d);', arg.i, cast, reader, idx) end,
   }, {__index = types[name]})
end
local SHORT = setmetatable({
   int = short('int', '(int)', 'lua_tointeger'),
   double = short('double', '(double)', 'lua_tonumber'),
   boolean = short('boolean', '', 'lua_toboolean', 'lua_isboolean'),
}, {__index = types})

local function bytes(names, is_chain)
   local interface, args = wrap.CInterface.new(), {}
   for i, name in ipairs(names) do
      args[i] = {name = name, default = name:find('Tensor') and true or i,
                 returned = name:find('Tensor') and true or nil}
   end
   if is_chain then
      interface.argtypes = SHORT
      chain(interface, 'f', 'f', args)
      return #interface:tostring()
   end
   -- The second of two has no helpers.
   interface:wrap('f', 'f', args)
   local length = #interface:tostring()
   interface:wrap('g', 'f', args)
   return #interface:tostring() - length - 1
end

for _, row in ipairs {
   {'int', {'int'}}, {'int, boolean, double in turns', {'int', 'boolean', 'double'}},
   {'DoubleTensor, all returned', {'DoubleTensor'}},
} do
   for _, count in ipairs {3, 8, 12} do
      local names = {}
      for i = 1, count do
         names[i] = row[2][(i - 1) % #row[2] + 1]
      end
      print(string.format('%d: %s\t%d\t%d', count, row[1], bytes(names), bytes(names, true)))
   end
end
