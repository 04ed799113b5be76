-- Purpose: the fixed C that wrappers call, each piece written where a text first names it.
-- Invariant: a piece needs only Lua's headers and the C library, and may occur several times in one
-- file: scripts concatenate the source of several interfaces.

local macros = require 'wrap.macros'

local runtime = {}

-- {name, C, the pieces that it needs}
local PIECES = {
   {'wrap_invalid', [[
#ifndef lua_h
#include <lua.h>
#endif
#ifndef lauxlib_h
#include <lauxlib.h>
#endif
#include <string.h>
/* reports the values that were passed, and the expected ones */
static int wrap_invalid(lua_State *L, const char *function, const char *expected)
{
  int i, narg = lua_gettop(L);
  luaL_Buffer got;
  luaL_buffinit(L, &got);
  for(i = 1; i <= narg; i++)
  {
    int type = lua_type(L, i);
    const char *name = lua_typename(L, type);
    if(type == LUA_TFUNCTION || type > LUA_TUSERDATA)
      name = "???";
    else if((type == LUA_TUSERDATA || type == LUA_TTABLE) && lua_getmetatable(L, i))
    {
      lua_rawget(L, LUA_REGISTRYINDEX); /* where Torch keeps names */
      if(lua_type(L, -1) == LUA_TSTRING)
      {
        name = lua_tostring(L, -1);
        name += strncmp(name, "torch.", 6) ? 0 : 6;
      }
      lua_pop(L, 1);
    }
    luaL_addstring(&got, name);
    luaL_addchar(&got, ' ');
  }
  if(narg == 0)
    luaL_addstring(&got, "no arguments provided");
  luaL_pushresult(&got);
  return luaL_error(L, "%s: invalid arguments: %s\nexpected arguments: %s",
                    function, lua_tostring(L, -1), expected);
}]], {}},
   {'wrap_refuse', [[
static void wrap_refuse(lua_State *L, int idx, const char *function, const char *type)
{
  luaL_error(L, "bad argument #%d to '%s' (%s expected, got %s)",
             idx, function, type, lua_tostring(L, idx));
}]], {}},
   {'wrap_integer', [[
#include <limits.h>
#include <stdint.h>
/* the integer at idx from min to max; nothing is cut off */
static lua_Integer wrap_integer(lua_State *L, int idx, const char *function,
                                const char *type, lua_Integer min, lua_Integer max)
{
  lua_Integer n = lua_tointeger(L, idx);
  if(n < min || n > max || (lua_Number)n != lua_tonumber(L, idx))
    wrap_refuse(L, idx, function, type);
  return n;
}]], {'wrap_refuse'}},
   {'wrap_float', [[
#include <float.h>
static float wrap_float(lua_State *L, int idx, const char *function)
{
  lua_Number x = lua_tonumber(L, idx);
  if((x > FLT_MAX || x < -FLT_MAX) && x - x == 0)
    wrap_refuse(L, idx, function, "float");
  return (float)x;
}]], {'wrap_refuse'}},
   {'wrap_pushwide', [[
#include <stdint.h>
/* for types that lua_Integer may be too narrow for */
static void wrap_pushwide(lua_State *L, lua_Number x, lua_Integer n)
{
  if((lua_Number)n == x)
    lua_pushinteger(L, n);
  else
    lua_pushnumber(L, x);
}]], {}},
   {'wrap_inf', [[
#include <math.h>
#define wrap_inf HUGE_VAL]], {}},
   {'wrap_own', [[
/* pushes an empty box for a tensor of Torch, and its metatable: memory is allocated
 * before there is a tensor to lose, and an empty box is not freed */
static void **wrap_box(lua_State *L, const void *id)
{
  static char nothing;
  luaT_pushudata(L, &nothing, id);
  lua_getmetatable(L, -1);
  lua_pushnil(L);
  lua_setmetatable(L, -3);
  return lua_touserdata(L, -2);
}
/* makes a tensor that is the stack's */
#define wrap_own(L, arg, made, id) \
  do { void **box = wrap_box(L, id); *box = arg = made; lua_setmetatable(L, -2); } while(0)]], {}},
}

local PLACES = {}

local function add(name, text, needs)
   table.insert(PIECES, {name, text, needs})
   PLACES[name] = #PIECES
end

for place, piece in ipairs(PIECES) do
   PLACES[piece[1]] = place
end

-- A reader for one integer type: `name(L, idx, function)`.
function runtime.integer(name, ctype, text, min, max)
   add(name, string.format('#define %s(L, idx, function) \\\n  ((%s)wrap_integer(L, idx, function, "%s", %s, %s))',
                           name, ctype, text, min, max), {'wrap_integer'})
end

-- Each piece has a guard, named after it.
local function guarded(out, name, text)
   local before, after = macros.guard(name)
   table.insert(out, before)
   table.insert(out, text)
   table.insert(out, after)
end

local function need(out, name, written)
   if written[name] then
      return
   end
   written[name] = true
   local piece = PIECES[PLACES[name]]
   for _, other in ipairs(piece[3]) do
      need(out, other, written)
   end
   guarded(out, piece[1], piece[2])
end

-- Adds to `out` those functions, {name, C}, that are not in `written` yet.
function runtime.write_functions(out, functions, written)
   for _, one in ipairs(functions) do
      if not written[one[1]] then
         written[one[1]] = true
         guarded(out, one[1], one[2])
      end
   end
end

-- Adds to `out` the pieces that `text` names, and that are not in `written` yet.
function runtime.write(out, text, written)
   local from = text:find('wrap_', 1, true)
   while from do
      local name = text:match('^[%w_]+', from)
      if PLACES[name] and not written[name] then
         need(out, name, written)
      end
      from = text:find('wrap_', from + #name, true)
   end
end

return runtime
