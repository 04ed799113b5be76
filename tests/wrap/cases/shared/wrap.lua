-- Wrappers of one shape, which share a function: functions of seven types as torch has them, in an interface for functions and
-- one for methods, which is emptied for each type; and wrappers that differ in more than a shape allows.
local wrap = require 'cwrap'
local interface, method = wrap.CInterface.new(), wrap.CInterface.new()

interface:print([=[
#include "luaT.h"
#include "module.h"
#include <string.h>

static void combine(Tensor *r, Tensor *t, double x)
{
  if(r != t)
    tensor_resize(r, t->nDimension, t->size);
  tensor_add(r, t, x);
}]=])

local reals = {Byte = 'unsigned char', Char = 'char', Short = 'short', Int = 'int', Long = 'long', Float = 'float',
               Double = 'double'}

for _, class in ipairs {'Byte', 'Char', 'Short', 'Int', 'Long', 'Float', 'Double'} do
   local Tensor, real = class .. 'Tensor', reals[class]
   interface:print(string.format([[
static void TH%s_plus(TH%s *r, TH%s *t, %s x) { combine(r, t, (double)x); }
static void TH%s_minus(TH%s *r, TH%s *t, %s x) { combine(r, t, -(double)x); }
static %s TH%s_first(TH%s *t, %s x) { return (%s)(t->data[0] + (double)x); }]],
      Tensor, Tensor, Tensor, real, Tensor, Tensor, Tensor, real, real, Tensor, Tensor, real, real))
   function interface.luaname2wrapname(_, name) return Tensor .. '_' .. name end
   function method.luaname2wrapname(_, name) return 'm_' .. Tensor .. '_' .. name end
   for _, name in ipairs {'plus', 'minus'} do
      local cname = string.format('TH%s_%s', Tensor, name)
      interface:wrap(name, cname, {
         {name = Tensor, default = true, returned = true}, {name = Tensor}, {name = real, default = 1},
      })
      method:wrap(name, cname, {
         {name = Tensor, returned = true}, {name = Tensor, default = 1}, {name = real, default = 1},
      })
   end
   -- The result is a variable of the type itself.
   interface:wrap('first', string.format('TH%s_first', Tensor), {
      {name = Tensor}, {name = real, default = 1}, {name = real, creturned = true},
   })
   -- Two ranks, which the choice tells apart.
   interface:wrap('rank', string.format('TH%s_first', Tensor), {
      {name = Tensor, dim = 2}, {name = real, default = 0}, {name = 'double', creturned = true},
   }, string.format('TH%s_first', Tensor), {
      {name = Tensor, dim = 1}, {name = real, default = 100}, {name = 'double', creturned = true},
   })
   method:register('m_' .. Tensor .. '_list')
   interface:print(method:tostring())
   method:clearhistory()
   interface:register(Tensor .. '_list')
end

function interface.luaname2wrapname(_, name) return 'wrapper_' .. name end

-- A variable that is each function's own: it counts the calls.
interface:print('static double same(double x) { return x; }')
for _, name in ipairs {'one', 'two', 'three'} do
   interface:wrap(name, 'same', {
      {name = 'double', precall = function(arg)
         return string.format('static int calls = 0;\ncalls++;\narg%d = calls;', arg.i)
      end},
      {name = 'double', creturned = true},
   })
end
-- The same words in C under other directives.
for _, value in ipairs {3, 4} do
   interface:print('#undef TIMES\n#define TIMES(x) ((x) * ' .. value .. ')')
   for _, name in ipairs {'a', 'b', 'c'} do
      interface:wrap('times_' .. name .. value, 'TIMES', {{name = 'double'}, {name = 'double', creturned = true}})
   end
end
-- Results of a narrower type than the C function's: they are rounded to the variable's type.
interface:print('static double third(double x) { return x / 3; }')
for _, ctype in ipairs {'float', 'double'} do
   for _, name in ipairs {'third', 'other_third', 'last_third'} do
      interface:wrap(name .. '_' .. ctype, 'third', {{name = 'double'}, {name = ctype, creturned = true}})
   end
end

interface:register('functions')
interface:print([[
#define OPEN(NAME) NEW_MODULE(L, NAME##_list); lua_setfield(L, -2, #NAME); \
  NEW_MODULE(L, m_##NAME##_list); lua_setfield(L, -2, "m_" #NAME);
int luaopen_shared(lua_State *L)
{
  NEW_MODULE(L, functions);
  luaT_open(L);
  OPEN(ByteTensor) OPEN(CharTensor) OPEN(ShortTensor) OPEN(IntTensor) OPEN(LongTensor) OPEN(FloatTensor)
  OPEN(DoubleTensor)
  return 1;
}]])
interface:tofile(arg[1])
