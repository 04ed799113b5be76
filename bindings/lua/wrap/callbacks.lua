-- Purpose: calls a script's types for their C.
-- Invariant: text that a callback prints into the interface during its call is placed where its
-- result is. Errors in it are reported with the function's and the argument's name.

local arguments = require 'wrap.arguments'

local callbacks = {}
callbacks.__index = callbacks

function callbacks.new(interface, luaname, lists)
   local txt = interface.txt
   return setmetatable({txt = txt, length = #txt, luaname = luaname, lists = lists}, callbacks)
end

-- The message with its place: the argument whose callback is running, if any.
function callbacks:located(message)
   local wanted = self.running
   if not wanted or type(message) ~= 'string' then
      return message
   end
   for k, list in ipairs(self.lists) do
      for i, arg in ipairs(list.args) do
         if arg == wanted then
            local place = arguments.place(self.luaname, self.lists, k, i, arg)
            return string.format('%s: %s: %s', place, self.name, message)
         end
      end
   end
end

-- Lines that were printed during the call, taken out again.
local function printed(self)
   local txt, lines = self.txt, {}
   for i = self.length + 1, #txt do
      lines[i - self.length] = txt[i]
      txt[i] = nil
   end
   return lines
end

-- The result of a callback that is not a string, or that printed something.
local function converted(self, given)
   local kind = type(given)
   if kind == 'number' then
      given = tostring(given)
   elseif kind ~= 'string' and kind ~= 'nil' then
      error(string.format('it gave a %s, not a string', kind), 0)
   end
   local lines = printed(self)
   if #lines > 0 then
      table.insert(lines, given)
      given = table.concat(lines, '\n')
   end
   return given
end

-- The result of the argument's callback, a string or nil.
function callbacks:ask(arg, name, idx)
   local callback = arg[name]
   self.running, self.name = arg, name
   if not callback then
      error('the type has no such function', 0)
   end
   local given = callback(arg, idx)
   if type(given) ~= 'string' and given ~= nil or self.txt[self.length + 1] ~= nil then
      given = converted(self, given)
   end
   self.running = nil
   return given
end

-- An index that stands for any other.
local ANY = 987654

-- The callback's text with `expression` for the index, if its results for the indices from `first`
-- to `last` differ in nothing but that.
function callbacks:anywhere(arg, name, first, last, expression)
   local done, general = pcall(arg[name], arg, ANY)
   if #printed(self) > 0 or not done or type(general) ~= 'string' then
      return nil
   end
   for idx = first, last do
      if self:ask(arg, name, idx) ~= general:gsub(ANY, idx) then
         return nil
      end
   end
   return (general:gsub(ANY, expression))
end

-- The result of `ask`, which must be a string.
function callbacks:must(arg, name, idx)
   local text = self:ask(arg, name, idx)
   if text == nil then
      self.running = arg
      error('it gave nothing', 0)
   end
   return text
end

return callbacks
