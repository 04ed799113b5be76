-- Purpose: reports which ways of calling a function no call can reach, and so are left out.

local variants = require 'wrap.variants'

local unreached = {}

-- The lines of all wrappers since the report was requested, or nil.
local all_lines

-- Requests the report; returns the list that grows.
function unreached.explain()
   all_lines = all_lines or {}
   return all_lines
end

-- More combinations than this are counted, not shown.
local SHOWN = 256

-- Functions with more ways to call them than this are not reported.
local MOST = 512

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

local function lines_of(luaname, lists)
   local lines = {}
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

-- Records the calls in the lists that can never be selected, if requested.
function unreached.note(luaname, lists, reader)
   if not all_lines then
      return
   elseif not variants.of(lists, reader.of, MOST) then
      table.insert(all_lines, string.format('%s: more than %d ways to call it; which are never reached is '
                                            .. 'not told', luaname, MOST))
      return
   end
   for _, line in ipairs(lines_of(luaname, lists)) do
      table.insert(all_lines, line)
   end
end

return unreached
