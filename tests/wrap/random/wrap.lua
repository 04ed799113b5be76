-- Purpose: random functions, each wrapped twice: by `wrap`, and with the original's chain of
-- complete tests. Each list of arguments is a C function that records its arguments.
-- Usage: lua wrap.lua FILE SEED COUNT

local wrap = require 'cwrap'
local chain = require 'chain'

math.randomseed(tonumber(arg[2]))
for _ = 1, 10 do math.random() end

local interface = wrap.CInterface.new()
local types = interface.argtypes

-- Types whose tests overlap, set variables, have several parts, or need each other.
local function text_type(name, check)
   types[name] = {
      helpname = function() return name end,
      declare = function(a) return string.format('const char *arg%d = "-";', a.i) end,
      check = check,
      read = function(a, idx) return string.format('arg%d = lua_tostring(L, %d);', a.i, idx) end,
      init = function(a) return string.format('arg%d = "%s";', a.i, a.default) end,
      carg = function(a) return string.format('arg%d', a.i) end,
      precall = function() end,
      postcall = function() end,
   }
end
text_type('string', function(_, idx) return string.format('lua_type(L, %d) == LUA_TSTRING', idx) end)
text_type('word', function(a, idx)
   return string.format('lua_type(L, %d) == LUA_TSTRING && (arg%d = lua_tostring(L, %d)) && (*arg%d == \'a\' || *arg%d == \'b\')', idx, a.i, idx, a.i, a.i)
end)
text_type('any', function(_, idx) return string.format('!lua_isnone(L, %d) || 0', idx) end)
types.word.read = function() end
types.any.read = function(a, idx) return string.format('arg%d = luaL_typename(L, %d);', a.i, idx) end
-- A value that differs from the previous one.
types.other = setmetatable({
   check = function(_, idx)
      return idx > 1 and string.format('!lua_rawequal(L, %d, %d) && lua_isstring(L, %d)', idx, idx - 1, idx)
             or 'lua_isstring(L, 1)'
   end,
}, {__index = types.string})

-- The first are the most frequent.
local KINDS = {
   {'word', '%s', 'const char *'}, {'int', '%d', 'int'}, {'boolean', '%d', 'int'},
   {'string', '%s', 'const char *'}, {'double', '%g', 'double'}, {'any', '%s', 'const char *'},
   {'other', '%s', 'const char *'},
}

-- Types of which a value can only be one.
local APART = {KINDS[2], KINDS[3], KINDS[4]}

local function random_list(number, cname, kinds)
   local args, params, formats, names = {}, {}, {}, {}
   local optional = math.random()
   for i = 1, math.random(0, 5) do
      local kind = kinds[math.random(math.random(#kinds))]
      args[i] = {name = kind[1]}
      if math.random() < optional then
         args[i].default = kind[1] == 'boolean' or 40 + i
         args[i].invisible = math.random(8) == 1 or nil
      end
      params[i] = string.format('%s a%d', kind[3], i)
      formats[i] = kind[2]
      names[i] = ', a' .. i
   end
   interface:print(string.format([[
static void %s(%s)
{
  snprintf(said, sizeof said, "list %d: %s"%s);
}]], cname, #params > 0 and table.concat(params, ', ') or 'void', number, table.concat(formats, ' '),
      table.concat(names)))
   return args
end

local function copy(lists)
   local copies = {}
   for i, item in ipairs(lists) do
      copies[i] = item
      if type(item) == 'table' then
         copies[i] = {}
         for j, a in ipairs(item) do
            copies[i][j] = {name = a.name, default = a.default, invisible = a.invisible}
         end
      end
   end
   return copies
end

interface:print('#include "module.h"\n#include <stdio.h>\nstatic char said[1000];')
local unpack = unpack or table.unpack
for n = 1, tonumber(arg[3]) do
   local lists = {}
   local count, kinds = math.random(4), KINDS
   if math.random(2) == 1 then
      count, kinds = 1, APART
   end
   for k = 1, count do
      local cname = string.format('f%d_%d', n, k)
      table.insert(lists, cname)
      table.insert(lists, random_list(k, cname, kinds))
   end
   interface:wrap('f' .. n, unpack(copy(lists)))
   interface.luaname2wrapname = function(_, name) return 'chain_' .. name end
   chain(interface, 'f' .. n, unpack(copy(lists)))
   interface.registry[#interface.registry].name = 'chain' .. n
   interface.luaname2wrapname = nil
end
interface:register('functions')
interface:print([[
static int said_what(lua_State *L)
{
  lua_pushstring(L, said);
  said[0] = 0;
  return 1;
}
int luaopen_random(lua_State *L)
{
  NEW_MODULE(L, functions);
  lua_pushcfunction(L, said_what);
  lua_setfield(L, -2, "said");
  return 1;
}]])
interface:tofile(arg[1])
