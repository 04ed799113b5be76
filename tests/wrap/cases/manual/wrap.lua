-- The manual's examples, verbatim.
require 'wrap'

interface = wrap.CInterface.new()

interface:print([[
#include "luaT.h"
#include "module.h"
#include <math.h>

static int numel(THDoubleTensor *t)
{
  return (int)tensor_numel(t);
}

static void THDoubleTensor_cos(THDoubleTensor *r, THDoubleTensor *t)
{
  long i;
  tensor_resize(r, t->nDimension, t->size);
  for(i = 0; i < tensor_numel(t); i++)
    r->data[i] = cos(t->data[i]);
}
]])

interface:wrap(
   "numel", -- the Lua name
   "numel", -- the C function name, here the same
   -- now we describe the 'arguments' of the C function
   -- (or possible returned values)
   {
      {name="DoubleTensor"},
      {name="int", creturned=true} -- this one is returned by the C function
   }
)

function interface:luaname2wrapname(name)
   return string.format("my_own_naming_%s", name)
end

interface:wrap("cos", -- the Lua function name

"THDoubleTensor_cos", { -- C function called for DoubleTensor
{name="DoubleTensor", default=true, returned=true}, -- returned tensor (if not present, we create an empty tensor)
{name="DoubleTensor"} -- input tensor
},

"cos", { -- the standard C math cos function
{name="double", creturned="true"}, -- returned value
{name="double"} -- input value
}
)

interface:register('myfuncs')

interface:print([[
int luaopen_manual(lua_State *L)
{
  NEW_MODULE(L, myfuncs);
  luaT_open(L);
  return 1;
}]])

interface:tofile(arg[1])
