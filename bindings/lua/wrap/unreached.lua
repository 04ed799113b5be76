-- Purpose: says which ways of calling a function no call can reach, and so are left out.

local variants = require 'wrap.variants'

local unreached = {}

-- More combinations than this are counted, not shown.
local SHOWN = 16

local function shown(list, number)
   local words = {}
   for _, arg in ipairs(list.visible) do
      if not variants.is_optional(arg) then
         table.insert(words, tostring(arg.name))
      else
         if number % 2 == 1 then
            table.insert(words, '[' .. tostring(arg.name) .. ']')
         else
            table.insert(words, '-')
         end
         number = math.floor(number / 2)
      end
   end
   return table.concat(words, ' ')
end

-- Lines of text; `all` is nil where variants were too many to look at.
function unreached.lines(luaname, lists, all)
   local lines = {}
   if not all then
      return lines
   end
   for k, list in ipairs(lists) do
      local optional, reached = 0, {}
      for _, arg in ipairs(list.visible) do
         optional = optional + (variants.is_optional(arg) and 1 or 0)
      end
      for _, variant in ipairs(list.variants) do
         reached[variant.number] = true
      end
      local total = 2 ^ optional
      if #list.variants == 0 then
         table.insert(lines, string.format('%s: list %d (%s: %s) is never reached: those before it '
                                           .. 'take the same calls', luaname, k, list.cname, list.help))
      elseif total > SHOWN then
         if #list.variants < total then
            table.insert(lines, string.format('%s: list %d (%s): %.0f of %.0f combinations of optional '
                                              .. 'arguments are never reached', luaname, k, list.cname,
                                              total - #list.variants, total))
         end
      else
         for number = 0, total - 1 do
            if not reached[number] then
               table.insert(lines, string.format('%s: list %d (%s): never reached as %s', luaname, k,
                                                 list.cname, shown(list, number)))
            end
         end
      end
   end
   return lines
end

return unreached
