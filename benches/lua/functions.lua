-- Purpose: the functions whose calls are measured, as a script for `wrap`.
-- Usage: lua functions.lua FILE wrap|chain

local wrap = require 'cwrap'

local T, N, I, B = 'DoubleTensor', 'double', 'int', 'boolean'

local interface = wrap.CInterface.new()
if arg[2] == 'chain' then
   -- The helpers of our types, which the chain does not write.
   interface:wrap('helpers', 'scaled', {{name = T, default = true}, {name = T}, {name = I}})
   interface.registry = {}
   interface.wrap = require 'chain'
end

local text = interface.txt
interface.txt = {'#include "functions.h"'}
for _, piece in ipairs(text) do
   interface:print(piece)
end

interface:wrap('add', 'add', {{name = N}, {name = N}, {name = N, creturned = true}})
interface:wrap('norm', 'norm', {{name = T}, {name = N, creturned = true}})
interface:wrap('scaled', 'scaled', {{name = T, default = true, returned = true}, {name = T}, {name = N}})

local six = {{name = I, creturned = true}}
for i = 1, 6 do
   six[i + 1] = {name = I, default = i}
end
interface:wrap('six', 'six', six)

local lists = {}
for k, names in ipairs {{T, T, N}, {T, T, B}, {T, N, N}, {T, N, B}, {T, B, N}, {T, B, B}, {N, N, N}, {N, T, T}} do
   local list = {}
   for i, name in ipairs(names) do
      list[i] = {name = name}
   end
   list[4] = {name = I, creturned = true}
   table.insert(lists, 'list_' .. k)
   table.insert(lists, list)
end
interface:wrap('eight', (unpack or table.unpack)(lists))

local many, types = {}, {T = T, N = N, B = B}
for first in ('TN'):gmatch '.' do
   for second in ('TNB'):gmatch '.' do
      for third in ('TNB'):gmatch '.' do
         table.insert(many, 'many_' .. first .. second .. third)
         table.insert(many, {{name = types[first]}, {name = types[second]}, {name = types[third]},
                             {name = I, creturned = true}})
      end
   end
end
interface:wrap('many', (unpack or table.unpack)(many))

interface:register('functions')
interface:print(string.format([[
int luaopen_%s_module(lua_State *L)
{
  NEW_MODULE(L, functions);
  luaT_open(L);
  return 1;
}]], arg[2]))
interface:tofile(arg[1])
