-- The uses of `wrap` in real scripts besides calls: they replace it, share tables between
-- interfaces, change them and wrap them again, read and write the list of lines.
local wrap = require 'cwrap'
local interface = wrap.CInterface.new()
local method = wrap.CInterface.new()
local unpack = unpack or table.unpack

interface:print([[
#include "luaT.h"
#include "module.h"
static void fill(void *context, Tensor *r, double x)
{
  long size = 2;
  tensor_resize(r, 1, &size);
  tensor_add(r, r, x + (context != NULL));
}]])

-- Every C function has the state as its first argument.
local function state(name)
   return string.format('void *%s = L;', name)
end
interface:registerDefaultArgument(state)

interface.names = {}
function interface:wrap(name, ...)
   wrap.CInterface.wrap(self, name, ...)
   assert(self.txt[#self.txt] == '' and self.txt[#self.txt - 1] == '}')
   table.insert(self.names, name)
   interface:print(string.format([[
static int try_%s(lua_State *L)
{
  return wrapper_%s(L);
}
]], name, name))
end

local function both(name, ...)
   interface:wrap(name, ...)
   for _, list in ipairs {...} do
      if type(list) == 'table' then
         for _, arg in ipairs(list) do
            for k, v in pairs(arg.method or {}) do
               if v == 'nil' then v = nil end
               arg[k] = v
            end
         end
      end
   end
   method:registerDefaultArgument(state)
   method:wrap(name, ...)
end

function method.luaname2wrapname(_, name)
   return 'm_' .. name
end

both('fill', 'fill', {
   {name = 'DoubleTensor', default = true, returned = true, method = {default = 'nil'}},
   {name = 'double', default = 7, method = {default = 8}},
})

-- `txt` is a list of text.
local found = 0
for i, line in ipairs(interface.txt) do
   if line:find('static int wrapper_', 1, true) then
      interface.txt[i] = '/* found */\n' .. line
      found = found + 1
   end
end
assert(found == 1)
table.insert(interface.txt, 'static const struct luaL_Reg tried [] = {')
for _, name in ipairs(interface.names) do
   table.insert(interface.txt, string.format('  {"%s", try_%s},', name, name))
end
table.insert(interface.txt, '  {NULL, NULL}\n};')

method:register('methods')
interface:print(method:tostring())
method:clearhistory()
assert(method:tostring() == '' and #method.registry == 0 and #method.defaultArguments == 0)
interface:print([[
int luaopen_scripts(lua_State *L)
{
  NEW_MODULE(L, tried);
  NEW_MODULE(L, methods);
  lua_setfield(L, -2, "methods");
  luaT_open(L);
  return 1;
}]])
assert(unpack(arg) == arg[1])
interface:tofile(arg[1])
