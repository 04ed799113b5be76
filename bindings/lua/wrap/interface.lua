-- Purpose: the class CInterface: a text of C that grows by each wrapper.
-- Invariant: `txt` is a plain list of pieces of text, which scripts read, change and add to. A
-- `wrap` that fails leaves it, and the registry, as they were.

local arguments = require 'wrap.arguments'
local callbacks = require 'wrap.callbacks'
local runtime = require 'wrap.runtime'
local text = require 'wrap.text'
local wrapper = require 'wrap.wrapper'

local CInterface = {argtypes = require 'wrap.types'}

function CInterface.new()
   local interface = {txt = {}, registry = {}, defaultArguments = {}}
   return setmetatable(interface, {__index = CInterface})
end

function CInterface:luaname2wrapname(name)
   return string.format('wrapper_%s', name)
end

function CInterface:print(str)
   table.insert(self.txt, str)
end

-- `code(name)` gives C that declares the variable `name`. It stands in every wrapper from now on,
-- and the variable is the first argument of its C function.
function CInterface:registerDefaultArgument(code)
   table.insert(self.defaultArguments, code)
end

local function cut(list, length)
   for i = #list, length + 1, -1 do
      list[i] = nil
   end
end

function CInterface:wrap(luaname, ...)
   local txt = self.txt
   local length = #txt
   local given = {n = select('#', ...), ...}
   local ask, wrapname
   local done, made = pcall(function()
      local lists = arguments.read(luaname, self.argtypes, given)
      wrapname = self:luaname2wrapname(luaname)
      ask = callbacks.new(self, luaname, lists)
      return wrapper.write(ask, luaname, lists, self.defaultArguments)
   end)
   if not done then
      cut(txt, length)
      error(ask and ask:told(made) or made, type(made) == 'string' and 2 or 0)
   end
   self.__helpers = self.__helpers or {}
   runtime.write(txt, made, self.__helpers)
   length = #txt
   txt[length + 1] = string.format('static int %s(lua_State *L)', wrapname)
   txt[length + 2] = '{'
   txt[length + 3] = made
   txt[length + 4] = '}'
   txt[length + 5] = ''
   table.insert(self.registry, {name = luaname, wrapname = wrapname})
end

function CInterface:register(name)
   local txt = self.txt
   table.insert(txt, string.format('static const struct luaL_Reg %s [] = {', name))
   for _, registered in ipairs(self.registry) do
      table.insert(txt, string.format('  {%s, %s},', text.quoted(registered.name), registered.wrapname))
   end
   table.insert(txt, '  {NULL, NULL}')
   table.insert(txt, '};')
   table.insert(txt, '')
   self.registry = {}
end

function CInterface:tostring()
   return table.concat(self.txt, '\n')
end

function CInterface:tofile(filename)
   local file, reason = io.open(filename, 'w')
   if not file then
      error(string.format('tofile: cannot write %s', reason), 2)
   end
   local written, problem = file:write(self:tostring())
   local closed, trouble = file:close()
   if not (written and closed) then
      error(string.format('tofile: cannot write %s: %s', filename, problem or trouble), 2)
   end
end

-- The helpers that wrappers call are written again where they are needed next.
function CInterface:clearhistory()
   self.txt = {}
   self.registry = {}
   self.defaultArguments = {}
   self.__helpers = nil
end

return CInterface
