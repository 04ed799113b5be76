-- A last argument that takes any number of values.
local wrap = require 'cwrap'
local interface = wrap.CInterface.new()

interface:print([[
#include "module.h"
static long product(int plus, const long *sizes, int n)
{
  long p = 1;
  while(n > 0)
    p *= sizes[--n];
  return p + plus;
}
static int are_numbers(lua_State *L, int idx)
{
  for(; idx <= lua_gettop(L); idx++)
    if(lua_type(L, idx) != LUA_TNUMBER)
      return 0;
  return 1;
}
]])

wrap.types.sizes = {
   vararg = true,
   helpname = function() return 'n1 [n2...]' end,
   declare = function(arg) return string.format('long arg%d[8];\nint arg%d_n = 0;', arg.i, arg.i) end,
   check = function(_, idx) return string.format('are_numbers(L, %d)', idx) end,
   read = function(arg, idx)
      return string.format('for(arg%d_n = 0; arg%d_n < 8 && arg%d_n <= narg - %d; arg%d_n++)\n'
                           .. '  arg%d[arg%d_n] = (long)lua_tonumber(L, %d + arg%d_n);',
                           arg.i, arg.i, arg.i, idx, arg.i, arg.i, arg.i, idx, arg.i)
   end,
   carg = function(arg) return string.format('arg%d, arg%d_n', arg.i, arg.i) end,
   precall = function() end,
   postcall = function() end,
}
interface:wrap('product', 'product', {
   {name = 'int', check = function(_, idx) return string.format('lua_isboolean(L, %d)', idx) end,
    read = function(arg, idx) return string.format('arg%d = lua_toboolean(L, %d);', arg.i, idx) end,
    default = 0},
   {name = 'sizes'},
   {name = 'long', creturned = true},
})
-- A list with an exact number of arguments before it, and an unreachable one after it.
interface:wrap('either',
   'product', {{name = 'int'}, {name = 'sizes', check = function(_, idx) return string.format('lua_isboolean(L, %d)', idx) end},
               {name = 'long', creturned = true}},
   'product', {{name = 'int', default = 1000, invisible = true}, {name = 'sizes'}, {name = 'long', creturned = true}},
   'product', {{name = 'int', default = 2000, invisible = true}, {name = 'sizes'}, {name = 'long', creturned = true}})

interface:register('functions')
interface:print('int luaopen_vararg(lua_State *L) { NEW_MODULE(L, functions); return 1; }')
interface:tofile(arg[1])
