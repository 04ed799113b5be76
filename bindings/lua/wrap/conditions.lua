-- Purpose: conditions in C on the number of the variant.

local conditions = {}

-- That `name` is in `set`, given that it is one of `all`, ascending; nil if it always is.
function conditions.is_in(name, set, all)
   local first, last, count = nil, nil, 0
   for place, id in ipairs(all) do
      if set[id] then
         first, last, count = first or place, place, count + 1
      end
   end
   if count == #all then
      return nil
   elseif count == 1 then
      return string.format('%s == %d', name, all[first])
   elseif count == last - first + 1 then
      local from, to = string.format('%s >= %d', name, all[first]), string.format('%s <= %d', name, all[last])
      if first == 1 then
         return to
      end
      return last == #all and from or from .. ' && ' .. to
   elseif count == #all - 1 then
      for _, id in ipairs(all) do
         if not set[id] then
            return string.format('%s != %d', name, id)
         end
      end
   end
   local strings = {}
   for _, id in ipairs(all) do
      if set[id] then
         table.insert(strings, string.format('%s == %d', name, id))
      end
   end
   return table.concat(strings, ' || ')
end

return conditions
