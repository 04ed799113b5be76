-- Results, their order, and invisible ones.
local wrap = require 'cwrap'
local interface = wrap.CInterface.new()

interface:print([[
#include "luaT.h"
#include "module.h"

static int sum_into(THDoubleTensor *r, int a, THDoubleTensor *t, double b, long c)
{
  tensor_resize(r, t->nDimension, t->size);
  tensor_add(r, t, a + b + c);
  return a + 1;
}
static THDoubleTensor *first(THDoubleTensor *t, THDoubleTensor *other)
{
  (void)other;
  return t;
}
static double scaled(double x, double by, double plus) { return x * by + plus; }
static THDoubleTensor *nothing(void) { return NULL; }
]])

-- Returned values first, in the order of the arguments, then the created one.
interface:wrap('sum_into', 'sum_into', {
   {name = 'DoubleTensor', default = true, returned = true},
   {name = 'int', returned = true},
   {name = 'DoubleTensor', returned = true},
   {name = 'double', default = 2, returned = true},
   {name = 'index', default = 3, returned = true},
   {name = 'int', creturned = true},
})
interface:wrap('first', 'first', {
   {name = 'DoubleTensor', creturned = true},
   {name = 'DoubleTensor'},
   {name = 'DoubleTensor', default = 2, returned = true},
})
interface:wrap('scaled', 'scaled', {
   {name = 'double', creturned = true},
   {name = 'double'},
   {name = 'double', default = 10, invisible = true},
   {name = 'double', default = function(arg) return arg.args[2]:carg() .. ' / 2' end, invisible = true},
})
interface:wrap('nothing', 'nothing', {{name = 'DoubleTensor', creturned = true}})

interface:register('functions')
interface:print('int luaopen_returned(lua_State *L) { NEW_MODULE(L, functions); luaT_open(L); return 1; }')
interface:tofile(arg[1])
