-- The Torch tensor types: every class, every kind of default, `dim`, indices, and errors in C.
local wrap = require 'cwrap'
local interface = wrap.CInterface.new()

interface:print([=[
#include "luaT.h"
#include "module.h"

static lua_State *state;
static void fill(Tensor *r, double x)
{
  long size = 2;
  tensor_resize(r, 1, &size);
  tensor_add(r, r, x);
}
static void add(Tensor *r, Tensor *t, double x, Tensor *u)
{
  long i;
  if(tensor_numel(t) != tensor_numel(u))
    luaL_error(state, "sizes differ");
  if(r != t)
    tensor_resize(r, t->nDimension, t->size);
  for(i = 0; i < tensor_numel(t); i++)
    r->data[i] = t->data[i] + x * u->data[i];
}
static double rank(Tensor *t) { return t->nDimension; }
static double both(Tensor *t, Tensor *u) { return t->nDimension * 10 + u->nDimension; }
static double pick(Tensor *t, Tensor *index) { return t->data[(long)index->data[0]]; }
static void where(Tensor *r, Tensor *t)
{
  tensor_resize(r, t->nDimension, t->size);
  tensor_add(r, r, t->data[0]);
}
]=])

for _, class in ipairs {'Byte', 'Char', 'Short', 'Int', 'Long', 'Float', 'Double'} do
   interface:wrap('fill' .. class, 'fill', {
      {name = class .. 'Tensor', default = true, returned = true},
      {name = 'double'},
   })
end
interface:wrap('fillTensor', 'fill', {{name = 'Tensor', default = true, returned = true}, {name = 'double'}})

interface:wrap('add', 'add', {
   {name = 'DoubleTensor', default = true, returned = true},
   {name = 'DoubleTensor'},
   {name = 'double', default = 1},
   {name = 'DoubleTensor'},
})
-- In place: the omitted tensor is another argument.
interface:wrap('add_to', 'add', {
   {name = 'DoubleTensor', returned = true},
   {name = 'DoubleTensor', default = 1},
   {name = 'double', default = 1},
   {name = 'DoubleTensor'},
})
-- A script's own init and precall around ours.
interface:wrap('add_new', 'add', {
   {name = 'DoubleTensor', default = true, returned = true,
    init = function(arg)
       return arg.__metatable.init(arg) .. string.format('\nfill(%s, 0);', arg:carg())
    end,
    precall = function(arg)
       return string.format('fill(%s, 0);\n', arg:carg()) .. arg.__metatable.precall(arg)
    end},
   {name = 'DoubleTensor'},
   {name = 'double', default = 1, invisible = true},
   {name = 'DoubleTensor'},
})
-- A precall that pushes the new tensor without ours.
interface:wrap('add_own', 'add', {
   {name = 'DoubleTensor', default = true, returned = true, invisible = true,
    precall = function(arg)
       return string.format('luaT_pushudata(L, arg%d, torch_DoubleTensor_id);\n(void)arg%d_idx;', arg.i, arg.i)
    end},
   {name = 'DoubleTensor'},
   {name = 'double', default = 1, invisible = true},
   {name = 'DoubleTensor'},
})
-- An init of its own, which precall pushes.
interface:wrap('add_init', 'add', {
   {name = 'DoubleTensor', default = true, returned = true,
    init = function(arg) return string.format('arg%d = tensor_clone(arg%d);', arg.i, arg.args[2].i) end},
   {name = 'DoubleTensor'},
   {name = 'double', default = 1, invisible = true},
   {name = 'DoubleTensor'},
})
-- A tensor that is created and discarded.
interface:wrap('add_nothing', 'add', {
   {name = 'DoubleTensor', default = true, invisible = true},
   {name = 'DoubleTensor'},
   {name = 'double', default = 1, invisible = true},
   {name = 'DoubleTensor'},
})
interface:wrap('rank',
   'both', {{name = 'DoubleTensor', dim = 2}, {name = 'DoubleTensor', dim = 2}, {name = 'double', creturned = true}},
   'both', {{name = 'DoubleTensor', dim = 2}, {name = 'DoubleTensor', dim = 1}, {name = 'double', creturned = true}},
   'rank', {{name = 'DoubleTensor', dim = 2}, {name = 'double', creturned = true}},
   'rank', {{name = 'DoubleTensor'}, {name = 'double', creturned = true}})
interface:wrap('pick', 'pick', {{name = 'DoubleTensor'}, {name = 'IndexTensor'}, {name = 'double', creturned = true}})
interface:wrap('pick_raw', 'pick', {{name = 'DoubleTensor'}, {name = 'IndexTensor', noreadadd = true}, {name = 'double', creturned = true}})
interface:wrap('where', 'where', {{name = 'IndexTensor', default = true, returned = true, noreadadd = true}, {name = 'DoubleTensor'}})

interface:register('functions')
interface:print([[
int luaopen_tensors(lua_State *L)
{
  state = L;
  NEW_MODULE(L, functions);
  luaT_open(L);
  return 1;
}]])
interface:tofile(arg[1])
