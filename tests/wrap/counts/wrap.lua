-- Purpose: random functions whose tests are counted: those of Lua's types that `wrap` recognises, and
-- tests that are opaque to it.
-- Usage: lua wrap.lua FILE SEED COUNT

local wrap = require 'cwrap'

math.randomseed(tonumber(arg[2]))
for _ = 1, 10 do math.random() end

local interface = wrap.CInterface.new()

interface:print([=[
#include "module.h"
#include <string.h>
#define first() ((void)0)
]=])
-- The code that makes messages comes with it; its type tests are not counted.
interface:wrap('first', 'first', {})
interface:print([=[
/* How often each test of each value was made in a call, and the most often so far. */
static int made[32][32], most;
static int count(int idx, int test)
{
  if(++made[idx][test] > most)
    most = made[idx][test];
  return 1;
}
static int counted_type(lua_State *L, int idx) { count(idx, 31); return (lua_type)(L, idx); }
static int passes(lua_State *L, int idx, int type) { count(idx, 16 + type); return (lua_type)(L, idx) == type; }
#define lua_type(L, idx) counted_type(L, idx)
#undef lua_isboolean
#undef lua_istable
#undef lua_isnil
#define lua_isboolean(L, idx) (count(idx, LUA_TBOOLEAN) && (lua_type)(L, idx) == LUA_TBOOLEAN)
#define lua_istable(L, idx) (count(idx, LUA_TTABLE) && (lua_type)(L, idx) == LUA_TTABLE)
#define lua_isnil(L, idx) (count(idx, LUA_TNIL) && (lua_type)(L, idx) == LUA_TNIL)
]=])

local function kind(name, check)
   wrap.types[name] = {
      helpname = function() return name end,
      declare = function() end,
      check = function(_, idx) return string.format(check, idx) end,
      read = function() end,
      init = function() end,
      carg = function() return '0' end,
      precall = function() end,
      postcall = function() end,
   }
   return name
end
local KNOWN = {kind('boolean_', 'lua_isboolean(L, %d)'), kind('table_', 'lua_istable(L, %d)'),
               kind('nil_', 'lua_isnil(L, %d)'), kind('number_', 'lua_type(L, %d) == LUA_TNUMBER')}
local OPAQUE = {kind('some_number', 'passes(L, %d, LUA_TNUMBER)'), kind('some_string', 'passes(L, %d, LUA_TSTRING)'),
                kind('not_table', '!passes(L, %d, LUA_TTABLE)')}

local unpack = unpack or table.unpack
for n = 1, tonumber(arg[3]) do
   local kinds = math.random(2) == 1 and KNOWN or OPAQUE
   local lists, optional = {}, math.random()
   for k = 1, math.random(2) == 1 and 1 or math.random(5) do
      local args = {}
      for i = 1, math.random(0, 5) do
         args[i] = {name = kinds[math.random(#kinds)], default = math.random() < optional and 1 or nil}
      end
      lists[2 * k - 1], lists[2 * k] = string.format('f%d_%d', n, k), args
      interface:print(string.format('#define f%d_%d(...) ((void)0)', n, k))
   end
   interface:wrap('f' .. n, unpack(lists))
end
interface:register('functions')
interface:print([[
static int said_most(lua_State *L)
{
  lua_pushinteger(L, most);
  memset(made, 0, sizeof made);
  most = 0;
  return 1;
}
int luaopen_counts(lua_State *L)
{
  NEW_MODULE(L, functions);
  lua_pushcfunction(L, said_most);
  lua_setfield(L, -2, "most");
  return 1;
}]])
interface:tofile(arg[1])
