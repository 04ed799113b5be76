-- Purpose: the class CInterface: a text of C that grows by each wrapper.
-- Invariant: `txt` is a plain list of pieces of text, which scripts read, change and add to. A
-- `wrap` that fails leaves it, and the registry, as they were.

local arguments = require 'wrap.arguments'
local bodies = require 'wrap.bodies'
local callbacks = require 'wrap.callbacks'
local macros = require 'wrap.macros'
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

local function kind_of(value)
   return value == nil and 'nil' or 'a ' .. type(value)
end

-- Methods are called with a colon: `interface.wrap('f', ...)` has no interface.
local function check_self(self, method)
   if type(self) ~= 'table' or type(self.txt) ~= 'table' then
      error(string.format('%s: it is called with a colon, interface:%s(...)', method, method), 3)
   end
end

function CInterface:print(str)
   check_self(self, 'print')
   if str ~= nil and type(str) ~= 'string' and type(str) ~= 'number' then
      error('print: the text must be a string, not ' .. kind_of(str), 2)
   end
   table.insert(self.txt, str)
end

-- `code(name)` returns C that declares the variable `name`. It is in every wrapper from now on,
-- and the variable is the first argument of its C function.
function CInterface:registerDefaultArgument(code)
   table.insert(self.defaultArguments, code)
end

local function cut(list, length)
   for i = #list, length + 1, -1 do
      list[i] = nil
   end
end

local keywords = {}
for word in ([[auto break case char const continue default do double else enum extern float for goto if int long
               register return short signed sizeof static struct switch typedef union unsigned void volatile
               while]]):gmatch('%a+') do
   keywords[word] = true
end

-- True for a name in C, also by a macro as Torch has them: `nn_(abs)`.
local function is_name(name)
   return type(name) == 'string' and not keywords[name]
      and (name:match('^[%a_][%w_]*$') or name:match('^[%a_][%w_]*%s*%b()$')) ~= nil
end

-- True if the text has conditionals after this place, of which wrappers may be alternatives.
local function is_conditional(txt, from)
   for i = from, #txt do
      for line in tostring(txt[i]):gmatch('[^\n]+') do
         local word, name = line:match('^%s*#%s*(%a+)%s*([%w_]*)')
         local own = word == 'ifndef' and (name:match('^WRAP_') or name == 'lua_h' or name == 'lauxlib_h')
         if word and not own and (word:match('^if') or word:match('^el')) then
            return true
         end
      end
   end
   return false
end

-- C has no two functions of one name.
local function check_name(self, luaname, wrapname)
   if not is_name(wrapname) then
      error(string.format("function '%s': %s is not a name in C; `luaname2wrapname` gives it another one",
                          luaname, tostring(wrapname)), 0)
   end
   local before = (self.__wrapped or {})[wrapname]
   if before and before <= #self.txt and not is_conditional(self.txt, before) then
      error(string.format("function '%s': it is wrapped twice; several C functions are one `wrap`, with a "
                          .. 'list of arguments each', luaname), 0)
   end
end

function CInterface:wrap(luaname, ...)
   check_self(self, 'wrap')
   local txt = self.txt
   local length = #txt
   local given = {n = select('#', ...), ...}
   local ask, wrapname
   local done, made, functions = pcall(function()
      local lists = arguments.read(luaname, self.argtypes, given)
      wrapname = self:luaname2wrapname(luaname)
      check_name(self, luaname, wrapname)
      ask = callbacks.new(self, luaname, lists)
      local scope = wrapname:match('^[%w_]+$') and macros.scope(self)
      return wrapper.write(ask, luaname, lists, self.defaultArguments, scope)
   end)
   if not done then
      cut(txt, length)
      error(ask and ask:located(made) or made, type(made) == 'string' and 2 or 0)
   end
   self.__helpers = self.__helpers or {}
   runtime.write(txt, made, self.__helpers)
   runtime.write_functions(txt, functions, self.__helpers)
   length = #txt
   txt[length + 1] = string.format('static int %s(lua_State *L)', wrapname)
   txt[length + 2] = '{'
   txt[length + 3] = made
   txt[length + 4] = '}'
   txt[length + 5] = ''
   table.insert(self.registry, {name = luaname, wrapname = wrapname})
   self.__wrapped = self.__wrapped or {}
   self.__wrapped[wrapname] = #txt
   bodies.note(wrapname, luaname, made)
end

function CInterface:register(name)
   check_self(self, 'register')
   local txt = self.txt
   if not is_name(name) then
      error('register: ' .. tostring(name) .. ' is not a name in C', 2)
   end
   local before = (self.__wrapped or {})[name]
   if before and before <= #txt and not is_conditional(txt, before) then
      error(string.format('register: %s is the name of a wrapper or of another list; choose another one', name), 2)
   end
   table.insert(txt, string.format('static const struct luaL_Reg %s [] = {', name))
   for _, registered in ipairs(self.registry) do
      table.insert(txt, string.format('  {%s, %s},', text.quoted(registered.name), registered.wrapname))
   end
   table.insert(txt, '  {NULL, NULL}')
   table.insert(txt, '};')
   table.insert(txt, '')
   self.registry = {}
   self.__wrapped = self.__wrapped or {}
   self.__wrapped[name] = #txt
end

function CInterface:tostring()
   return macros.without_repeated(table.concat(self.txt, '\n'))
end

function CInterface:tofile(filename)
   check_self(self, 'tofile')
   if type(filename) ~= 'string' then
      error('tofile: the name of the file must be a string, not ' .. kind_of(filename), 2)
   end
   local file, reason = io.open(filename, 'w')
   if not file then
      error(string.format('tofile: cannot write %s', reason), 2)
   end
   local written, problem = file:write(bodies.shared(self:tostring()))
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
   self.__wrapped = nil
   self.__scope = nil
end

return CInterface
