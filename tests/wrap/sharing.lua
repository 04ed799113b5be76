-- A further wrapper of a shape costs little: in the file, functions of one shape are one function.
local wrap = require 'cwrap'

local function bytes(types, names)
   local interface = wrap.CInterface.new()
   for i = 1, types do
      local class = ({'Byte', 'Char', 'Short', 'Int', 'Long', 'Float', 'Double'})[i] .. 'Tensor'
      function interface.luaname2wrapname(_, name) return class .. '_' .. name end
      for k = 1, names do
         interface:wrap('f' .. k, 'TH' .. class .. '_f' .. k, {
            {name = class, default = true, returned = true}, {name = class}, {name = class, default = 1},
         })
      end
   end
   local name = os.tmpname()
   interface:tofile(name)
   local file = assert(io.open(name, 'rb'))
   local shared = #file:read('*a')
   file:close()
   os.remove(name)
   return shared, #interface:tostring()
end

local one = bytes(1, 1)
for _, count in ipairs {{7, 1}, {1, 20}, {7, 20}} do
   local shared, plain = bytes(count[1], count[2])
   local each, every = (shared - one) / (count[1] * count[2] - 1), (plain - one) / (count[1] * count[2] - 1)
   assert(each < 420 and each < 0.6 * every, string.format('%.0f of %.0f bytes for each of %d', each, every,
                                                             count[1] * count[2]))
end
