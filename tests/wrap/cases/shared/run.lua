local m, support = require 'shared', require 'support'
local fails, same = support.fails, support.same

local limits = {Byte = {200, 256, 'unsigned char'}, Char = {100, 200, 'char'}, Short = {30000, 40000, 'short'},
                Int = {2 ^ 30, 2 ^ 31, 'int'}, Long = {2 ^ 40, 2 ^ 63, 'long'}}

for class, limit in pairs(limits) do
   local name = class .. 'Tensor'
   local functions, large, beyond = m[name], limit[1], limit[2]
   local x = m.new('torch.' .. name, {5})
   same(m.get(functions.plus(x, large)), {5 + large})
   same(m.get(functions.minus(x, 3)), {2})
   same(functions.first(x, 7), 12)
   local message = "bad argument #2 to '%s' (" .. limit[3] .. ' expected, got '
   fails(message:format('plus'), functions.plus, x, beyond)
   fails(message:format('minus'), functions.minus, x, beyond)
   fails(message:format('minus'), m['m_' .. name].minus, x, 1.5)
end

for _, class in ipairs {'Byte', 'Char', 'Short', 'Int', 'Long', 'Float', 'Double'} do
   local name = class .. 'Tensor'
   local functions, methods = m[name], m['m_' .. name]
   local x, y = m.new('torch.' .. name, {5, 6}), m.new('torch.' .. name, {0})
   local matrix, other = m.new('torch.' .. name, {7, 8}, 2), m.new('torch.' .. (class == 'Byte' and 'Char' or 'Byte') .. 'Tensor', {1})
   same(m.get(functions.plus(x)), {6, 7})
   same(m.get(functions.minus(x)), {4, 5})
   assert(rawequal(functions.plus(y, x, 10), y))
   same(m.get(y), {15, 16})
   assert(rawequal(methods.minus(y, 5), y))
   same(m.get(y), {10, 11})
   same(m.get(methods.plus(y, x)), {6, 7})
   same(functions.first(x), 6)
   same(functions.rank(matrix), 7)
   same(functions.rank(x), 105)
   same(functions.rank(x, 1), 6)
   fails(string.format(
      'plus: invalid arguments: string \nexpected arguments: [*%s*] %s [', name, name), functions.plus, 'x')
   fails(string.format('minus: invalid arguments: string \nexpected arguments: *%s* [%s] [', name, name),
         methods.minus, 'x')
   fails('plus: invalid arguments: ' .. (class == 'Byte' and 'Char' or 'Byte') .. 'Tensor ', functions.plus, other)
   fails('first: invalid arguments: no arguments provided', functions.first)
end

-- No variable and no macro is another function's.
m.one(0)
m.one(0)
same(m.one(0), 3)
same(m.two(0), 1)
same(m.three(0), 1)
for _, name in ipairs {'a', 'b', 'c'} do
   same(m['times_' .. name .. 3](2), 6)
   same(m['times_' .. name .. 4](2), 8)
end
for _, name in ipairs {'third', 'other_third', 'last_third'} do
   assert(m[name .. '_double'](1) == 1 / 3)
   assert(m[name .. '_float'](1) ~= 1 / 3 and math.abs(m[name .. '_float'](1) - 1 / 3) < 1e-7)
end
assert(m.FloatTensor.first(m.new('torch.FloatTensor', {0}), 0.1) ~= 0.1)
fails("bad argument #2 to 'plus' (float expected", m.FloatTensor.plus, m.new('torch.FloatTensor', {0}), 1e300)
