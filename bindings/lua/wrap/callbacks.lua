-- Purpose: asks a script's types for their C.
-- Invariant: what a callback prints into the interface while it is asked stands where its text
-- stands. Whatever goes wrong in it is told with the function's and the argument's name.

local arguments = require 'wrap.arguments'

local callbacks = {}
callbacks.__index = callbacks

function callbacks.new(interface, luaname, lists)
   return setmetatable({interface = interface, luaname = luaname, lists = lists}, callbacks)
end

local function place(self, arg)
   for k, list in ipairs(self.lists) do
      for i, other in ipairs(list.args) do
         if other == arg then
            return arguments.place(self.luaname, self.lists, k, i, arg)
         end
      end
   end
end

-- Lines that were printed behind the first `length`, taken out again.
local function printed(txt, length)
   local lines = {}
   for i = length + 1, #txt do
      lines[i - length] = txt[i]
      txt[i] = nil
   end
   return lines
end

-- The text that the argument's callback gives, or nil.
function callbacks:ask(arg, name, idx)
   local callback = arg[name]
   if type(callback) ~= 'function' then
      error(string.format('%s: the type has no function `%s`', place(self, arg), name), 0)
   end
   local txt = self.interface.txt
   local length = #txt
   local done, text = pcall(callback, arg, idx)
   if not done then
      if type(text) == 'string' then
         text = string.format('%s: %s: %s', place(self, arg), name, text)
      end
      error(text, 0)
   elseif text ~= nil and type(text) ~= 'string' then
      if type(text) ~= 'number' then
         error(string.format('%s: `%s` gave a %s, not a string', place(self, arg), name,
                             type(text)), 0)
      end
      text = tostring(text)
   end
   if #txt > length then
      local lines = printed(txt, length)
      table.insert(lines, text)
      text = table.concat(lines, '\n')
   end
   return text
end

-- An index that stands for any other.
local ANY = 987654

-- The callback's text with `expression` for the index, if its texts for the indices from `first` to
-- `last` differ in nothing but that.
function callbacks:anywhere(arg, name, first, last, expression)
   local txt = self.interface.txt
   local length = #txt
   local done, general = pcall(arg[name], arg, ANY)
   if #printed(txt, length) > 0 or not done or type(general) ~= 'string' then
      return nil
   end
   for idx = first, last do
      if self:ask(arg, name, idx) ~= general:gsub(ANY, idx) then
         return nil
      end
   end
   return (general:gsub(ANY, expression))
end

-- What `ask` gives, where there must be a text.
function callbacks:must(arg, name, idx)
   local text = self:ask(arg, name, idx)
   if text == nil then
      error(string.format('%s: `%s` gave nothing', place(self, arg), name), 0)
   end
   return text
end

return callbacks
