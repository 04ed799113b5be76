-- The module as scripts find it: both names, one table of types, no global but `wrap`.
local known = {}
for name in pairs(_G) do
   known[name] = true
end

local later = require 'cwrap'
assert(rawget(_G, 'wrap') == nil)
local early = require 'wrap'
assert(early == later and wrap == early)
assert(early.types == early.CInterface.argtypes and early.types == early.argtypes)
assert(early.types.byte == early.types['unsigned char'])

local one, other = wrap.CInterface.new(), wrap.CInterface.new()
assert(one.argtypes == other.argtypes and one.txt ~= other.txt)
for name in pairs(_G) do
   assert(known[name] or name == 'wrap', 'the global ' .. name)
end

-- Text that an argument prints during its call is placed where its result is.
one:wrap('f', 'f', {{name = 'int', precall = function(arg)
   one:print('/* printed */')
   return '/* returned */'
end}})
assert(one:tostring():find('  /* printed */\n  /* returned */\n  f(arg1);', 1, true))

-- The same list again gives the same text; the helpers are written once, and again after a
-- `clearhistory`.
local list = {{name = 'int', default = 1}}
local function wrapped(interface, name)
   local length = #interface.txt
   interface:wrap(name or 'g', 'g', list)
   local text = table.concat(interface.txt, '\n', length + 1)
   return (text:gsub('wrapper_h', 'wrapper_g'):gsub('"h', '"g'))
end
local first, second = wrapped(other), wrapped(other, 'h')
assert(#first > #second and first:sub(-#second) == second)
other:clearhistory()
assert(wrapped(other) == first)

-- Text grows with the optional arguments, not with their combinations.
local function size(count, kinds)
   local interface, args = wrap.CInterface.new(), {}
   for i = 1, count do
      args[i] = {name = kinds[i % #kinds + 1], default = i}
   end
   interface:wrap('f', 'f', args)
   return #interface:tostring()
end
for _, kinds in ipairs {{'int'}, {'int', 'boolean'}, {'int', 'boolean', 'double'}} do
   local a, b, c = size(16, kinds), size(32, kinds), size(48, kinds)
   assert(c - b < 1.2 * (b - a), 'it grows faster than the arguments')
end

-- Unreachable calls are reported.
local lines = wrap.explain()
local cos = wrap.CInterface.new()
cos:wrap('cos', 'cosd', {{name = 'double'}}, 'cosf', {{name = 'float'}})
cos:wrap('add', 'add', {{name = 'int', default = 1}, {name = 'int', default = 2}})
assert(lines[1] == 'cos: list 2 (cosf: float) is never reached: those before it take the same calls')
assert(lines[2] == 'add: list 1 (add): never reached as - [int]')
assert(#lines == 2)
assert(not cos:tostring():find('cosf', 1, true))
