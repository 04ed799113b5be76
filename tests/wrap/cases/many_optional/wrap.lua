-- Sixteen optional arguments: of one type, where their number determines them, and of two in turns,
-- where C finds the positions.
local wrap = require 'cwrap'
local interface = wrap.CInterface.new()

interface:print([[
#include "module.h"
static lua_State *state;
static int sum(int a, int b, int c, int d, int e, int f, int g, int h,
               int i, int j, int k, int l, int m, int n, int o, int p)
{
  return a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p;
}
static void list(int a, int b, int c, int d, int e, int f, int g, int h,
                 int i, int j, int k, int l, int m, int n, int o, int p)
{
  lua_pushfstring(state, "%d %d %d %d %d %d %d %d", a, b, c, d, e, f, g, h);
  lua_pushfstring(state, "%d %d %d %d %d %d %d %d", i, j, k, l, m, n, o, p);
}
]])

local function sixteen(kinds)
   local args = {}
   for i = 1, 16 do
      args[i] = {name = kinds[(i - 1) % #kinds + 1], default = 2}
   end
   return args
end

local args = sixteen {'int'}
table.insert(args, {name = 'int', creturned = true})
interface:wrap('sum', 'sum', args)

args = sixteen {'boolean', 'int'}
args[1].returned, args[2].returned = true, true
args[1].precall, args[2].precall = function() end, function() end
interface:wrap('list', 'list', args)

interface:register('functions')
interface:print('int luaopen_many_optional(lua_State *L) { state = L; NEW_MODULE(L, functions); return 1; }')
interface:tofile(arg[1])
