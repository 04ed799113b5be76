-- Each further optional argument costs as many bytes as the one before, whatever the arguments are;
-- the original's chain doubles.
local wrap = require 'cwrap'

local function bytes(names, k, tail)
   local interface, args = wrap.CInterface.new(), {}
   for i = 1, k do
      local name = names[(i - 1) % #names + 1]
      local is_tensor = name:find('Tensor') ~= nil
      args[i] = {name = name, default = is_tensor or i, returned = is_tensor or nil}
   end
   for _, name in ipairs(tail) do
      table.insert(args, {name = name})
   end
   interface:wrap('f', 'f', args)
   -- The second of two has no helpers.
   local before = #interface:tostring()
   interface:wrap('e', 'f', args)
   return #interface:tostring() - before - 1
end

-- Tests that are known to exclude each other, equal tests, overlapping ones, and opaque ones.
wrap.types.opaque = setmetatable({
   check = function(_, idx) return string.format('fits(L, %d)', idx) end,
}, {__index = wrap.types.int})

for _, names in ipairs {
   {'int'}, {'boolean'}, {'DoubleTensor'}, {'int', 'boolean'}, {'int', 'boolean', 'double'},
   {'DoubleTensor', 'int'}, {'DoubleTensor', 'ByteTensor', 'index', 'boolean'}, {'opaque'}, {'opaque', 'int'},
   {'opaque', 'int', 'boolean'},
} do
   for _, tail in ipairs {{}, {'int'}, {'boolean'}, {'DoubleTensor', 'double'}} do
      local what, sizes = table.concat(names, ' ') .. ' before ' .. table.concat(tail, ' '), {}
      for k = 1, 16 do
         sizes[k] = bytes(names, k, tail)
         local each = k > 1 and (sizes[k] - sizes[1]) / (k - 1) or 0
         assert(each < 400, string.format('%s: %.0f bytes for each of %d arguments', what, each, k))
      end
   end
end
