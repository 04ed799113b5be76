-- Functions of every kind, for tests without memory: values that are created, cloned, returned,
-- refused. Usage: lua wrap.lua FILE
local wrap = require 'cwrap'
local interface = wrap.CInterface.new()

interface:print([=[
#include "faults.h"
#include <stdint.h>
#include "module.h"

static void fill(Tensor *r, Tensor *s, Tensor *t, double x)
{
  long size = 2;
  tensor_resize(r, 1, &size);
  tensor_resize(s, 1, &size);
  tensor_resize(t, 1, &size);
  tensor_add(r, r, x);
}
static double pick(Tensor *t, Tensor *index) { return t->data[(long)index->data[0]]; }
static double pick_both(Tensor *index, Tensor *other, Tensor *r)
{
  (void)r;
  return index->data[0] + other->data[0];
}
static Tensor *same(Tensor *t) { return t; }
static void refuse(Tensor *r, int n)
{
  (void)r;
  luaL_error(tensor_state, "refused with %d", n);
}
static size_t text_length(const char *text, double x) { return strlen(text) + (size_t)x; }
static int64_t sum(int a, int b, long c, int d) { return (int64_t)a + b + c + d; }
static int count(int narg) { return narg; }
]=])

local T, I = 'DoubleTensor', 'IndexTensor'
local function made() return {name = T, default = true, returned = true} end

interface:wrap('fill', 'fill', {made(), made(), {name = T, default = true}, {name = 'double'}})
interface:wrap('fill_own', 'fill', {
   made(), {name = T, default = true, returned = true,
            init = function(arg) return arg.__metatable.init(arg) end},
   {name = T, default = 1}, {name = 'double', returned = true},
})
interface:wrap('pick', 'pick', {{name = T}, {name = I}, {name = 'double', creturned = true}})
interface:wrap('pick_both', 'pick_both', {{name = I}, {name = I}, made(), {name = 'double', creturned = true}})
interface:wrap('same', 'same', {{name = T}, {name = T, creturned = true}})
interface:wrap('refuse', 'refuse', {made(), {name = 'int'}})
interface:wrap('sum', 'sum', {
   {name = 'int', returned = true}, {name = 'int', default = 1}, {name = 'long', default = 2, returned = true},
   {name = 'int', default = 3}, {name = 'int64_t', creturned = true},
})
wrap.types.text = {
   helpname = function() return 'text' end,
   declare = function(arg) return string.format('const char *arg%d = NULL;', arg.i) end,
   check = function(arg, idx) return string.format('(arg%d = lua_tostring(L, %d))', arg.i, idx) end,
   read = function() end,
   carg = function(arg) return string.format('arg%d', arg.i) end,
   precall = function(arg)
      if arg.returned then
         return string.format('lua_pushstring(L, arg%d);', arg.i)
      end
   end,
   postcall = function() end,
}
interface:wrap('text', 'text_length', {{name = 'text', returned = true}, {name = 'double', default = 0},
                                       {name = 'size_t', creturned = true}})
interface:wrap('variants', 'pick', {{name = T}, {name = I}, {name = 'double', creturned = true}},
               'text_length', {{name = 'text'}, {name = 'double'}, {name = 'size_t', creturned = true}},
               'fill', {made(), made(), {name = T}, {name = 'double'}})
interface:wrap('count', 'count', {{name = 'int', vararg = true}, {name = 'int', creturned = true}})

interface:register('functions')
interface:print([[
int luaopen_faulty(lua_State *L)
{
  NEW_MODULE(L, functions);
  luaT_open(L);
  lua_pushcfunction(L, faults_fault);
  lua_setfield(L, -2, "fault");
  return 1;
}]])
interface:tofile(arg[1])
