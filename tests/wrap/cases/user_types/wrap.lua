-- Types of a script's own, and methods that one argument overrides.
local wrap = require 'cwrap'
local interface = wrap.CInterface.new()
local types = wrap.types

interface:print([[
#include "module.h"
#include <string.h>
typedef struct { const char *text; size_t length; } slice;
static size_t length_of(const char *text, size_t length) { (void)text; return length; }
static char first_of(slice s) { return s.length ? s.text[0] : '?'; }
static double choose(char option, double x) { return option == 'N' ? -x : x; }
static int shifted(char a, char b, char c, int d)
{
  return (a == 'N') * 1000 + (b == 'N') * 100 + (c == 'N') * 10 + d;
}
static int twice(int *n) { *n *= 2; return *n; }
static int depth = 0;
static int deeper(int a, int b) { return depth * 100 + a * 10 + b; }
static int pair(int a, int b) { return a * 10 + b; }
]])

-- One argument in Lua, two in C: `carg` may give both.
types.text = {
   helpname = function() return 'text' end,
   declare = function(arg) return string.format('const char *arg%d = NULL;\nsize_t arg%d_n = 0;', arg.i, arg.i) end,
   check = function(_, idx) return string.format('lua_type(L, %d) == LUA_TSTRING', idx) end,
   read = function(arg, idx) return string.format('arg%d = lua_tolstring(L, %d, &arg%d_n);', arg.i, idx, arg.i) end,
   init = function(arg) return string.format('arg%d = %s; arg%d_n = strlen(arg%d);', arg.i, arg.default, arg.i, arg.i) end,
   carg = function(arg) return string.format('arg%d, arg%d_n', arg.i, arg.i) end,
   precall = function() end,
   postcall = function() end,
}
interface:wrap('length_of', 'length_of', {
   {name = 'text', default = '"four"'},
   {name = 'size_t', creturned = true},
})

-- A struct, built where it is passed.
interface:wrap('first_of', 'first_of', {
   {name = 'text', carg = function(arg) return string.format('(slice){arg%d, arg%d_n}', arg.i, arg.i) end},
   {name = 'char', creturned = true},
})

-- `check` may set the variable, and may consist of `&&` and `||`.
types.option = {
   helpname = function(arg) return '(' .. table.concat(arg.values, '|') .. ')' end,
   declare = function(arg) return string.format('const char *arg%d = NULL;', arg.i) end,
   check = function(arg, idx)
      local tests = {}
      for i, value in ipairs(arg.values) do
         tests[i] = string.format('!strcmp(arg%d, "%s")', arg.i, value)
      end
      return string.format('(arg%d = lua_tostring(L, %d)) && (%s)', arg.i, idx, table.concat(tests, ' || '))
   end,
   read = function() end,
   init = function(arg) return string.format('arg%d = "%s";', arg.i, arg.default) end,
   carg = function(arg) return string.format('*arg%d', arg.i) end,
   precall = function() end,
   postcall = function() end,
}
interface:wrap('choose', 'choose', {
   {name = 'option', values = {'N', 'P'}, default = 'P'},
   {name = 'double'},
   {name = 'double', creturned = true},
})

-- Tests that are shared set variables of other arguments, which move one further.
local function option(default)
   return {name = 'option', values = {'N', 'P'}, default = default}
end
interface:wrap('shifted', 'shifted', {option('P'), option(), option(), {name = 'int', default = 7},
                                      {name = 'int', creturned = true}})

-- A check that converts a number in place does not affect later checks.
interface:wrap('option_or_number',
   'choose', {{name = 'option', values = {'N', '5'}}, {name = 'double', default = 1, invisible = true},
              {name = 'double', creturned = true}},
   'choose', {{name = 'option', default = 'N', invisible = true, values = {}}, {name = 'double'},
              {name = 'double', creturned = true}})

-- A check with a weak operator in it is one test.
interface:wrap('truth', 'pair', {
   {name = 'int', check = function(_, idx) return string.format('lua_isnil(L, %d) || lua_isboolean(L, %d)', idx, idx) end,
    read = function(arg, idx) return string.format('arg%d = lua_toboolean(L, %d);', arg.i, idx) end},
   {name = 'int', default = 7},
   {name = 'int', creturned = true},
})

-- One argument's methods, with the type's own as a fallback.
interface:wrap('twice', 'twice', {
   {name = 'int', returned = true, precall = function() end,
    carg = function(arg) return '&' .. arg.__metatable.carg(arg) end,
    postcall = function(arg) return string.format('lua_pushinteger(L, arg%d);', arg.i) end},
   {name = 'int', creturned = true,
    creturn = function(arg) return 'depth = ' .. arg.__metatable.creturn(arg) end},
})

-- A brace that one argument opens and another closes.
interface:wrap('deeper', 'deeper', {
   {name = 'int', postcall = function() return 'depth--; }' end},
   {name = 'int', precall = function(arg) return string.format('if(arg%d >= 0) { depth++;', arg.i) end},
   {name = 'int', creturned = true},
})
interface:wrap('depth', 'pair', {
   {name = 'int', default = 'depth', invisible = true},
   {name = 'int', default = 'depth', invisible = true},
   {name = 'int', creturned = true},
})

-- A type that all interfaces have, including those made before.
types.even = setmetatable({
   helpname = function() return 'even' end,
   check = function(arg, idx)
      return string.format('lua_type(L, %d) == LUA_TNUMBER && (arg%d = (int)lua_tonumber(L, %d)) %% 2 == 0', idx, arg.i, idx)
   end,
   read = function() end,
}, {__index = types.int})
interface:wrap('parity', 'pair',
   {{name = 'even'}, {name = 'int', default = 0, invisible = true}, {name = 'int', creturned = true}},
   'pair', {{name = 'int'}, {name = 'int', default = 1, invisible = true}, {name = 'int', creturned = true}})

interface:register('functions')
interface:print([[
int luaopen_user_types(lua_State *L) { NEW_MODULE(L, functions); return 1; }]])
interface:tofile(arg[1])
