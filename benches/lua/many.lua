-- Purpose: a script of many wraps, as a tensor library has: one argument list or several, created
-- results, defaults, invisible arguments.
-- Prints the processor time of the process in seconds, including the start of the interpreter.
-- Usage: lua many.lua FILE COUNT

local wrap = require 'cwrap'

local interface = wrap.CInterface.new()
local R = {name = 'DoubleTensor', default = true, returned = true}
local T, N, X = {name = 'DoubleTensor'}, {name = 'double'}, {name = 'index'}
local M, V = {name = 'DoubleTensor', dim = 2}, {name = 'DoubleTensor', dim = 1}
local C, O = {name = 'double', creturned = true}, {name = 'double', default = 1}
local H = {name = 'double', default = 0, invisible = true}

local KINDS = {
   {'fill', {{name = 'DoubleTensor', returned = true}, N}},
   {'dot', {T, T, C}},
   {'mul', {R, T, N}},
   {'cadd', {R, T, N}, 'add', {R, T, O, T}},
   {'sumall', {T, C}, 'sum', {R, T, X}},
   {'cos', {R, T}, 'cosd', {C, N}},
   {'addmm', {R, O, M, O, M, M}},
   {'mv', {R, H, M, H, M, V}},
   {'histc', {R, T, {name = 'long', default = 100}, O, O}},
   {'uniform', {C, O, O}, 'uniformT', {R, T, O, O}},
}

-- Every argument is a table of its own.
local function fresh(kind)
   local copy = {}
   for i, item in ipairs(kind) do
      copy[i] = item
      if type(item) == 'table' then
         copy[i] = {}
         for j, argument in ipairs(item) do
            copy[i][j] = {}
            for field, value in pairs(argument) do
               copy[i][j][field] = value
            end
         end
      end
   end
   return copy
end

for n = 1, tonumber(arg[2]) do
   local kind = fresh(KINDS[n % #KINDS + 1])
   interface:wrap(kind[1] .. n, (unpack or table.unpack)(kind))
end
interface:register('functions')
interface:tofile(arg[1])
print(os.clock())
