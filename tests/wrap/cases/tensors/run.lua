local m, support = require 'tensors', require 'support'
local fails, same = support.fails, support.same

local function double(numbers, rows)
   return m.new('torch.DoubleTensor', numbers, rows)
end

-- Values that a function has left on the stack are garbage.
local function scope(f)
   f()
end

scope(function()
for _, class in ipairs {'Byte', 'Char', 'Short', 'Int', 'Long', 'Float', 'Double'} do
   local fill, mine = m['fill' .. class], m.new('torch.' .. class .. 'Tensor', {})
   same(m.get(fill(3)), {3, 3})
   assert(rawequal(fill(mine, 4), mine))
   same(m.get(mine), {4, 4})
   fails(string.format("fill%s: invalid arguments: %sTensor \nexpected arguments: [*%sTensor*] double",
                       class, class, class), fill, mine)
end
same(m.get(m.fillTensor(1)), {1, 1})
end)

scope(function()
   local x, y, z = double {1, 2}, double {10, 20}, double {}
   same(m.get(m.add(x, y)), {11, 22})
   same(m.get(m.add(x, 2, y)), {21, 42})
   assert(rawequal(m.add(z, x, y), z))
   same(m.get(m.add(z, x, 3, y)), {31, 62})
   assert(rawequal(m.add_to(x, y), x))
   same(m.get(x), {11, 22})
   same(m.get(m.add_to(x, 2, y)), {31, 62})
   same(m.get(m.add_to(z, x, y)), {41, 82})
   for _, name in ipairs {'add_new', 'add_own', 'add_init'} do
      same(m.get(m[name](x, y)), {41, 82})
   end
   assert(rawequal(m.add_new(z, x, y), z))
   same(select('#', m.add_nothing(x, y)), 0)
end)
same(m.alive(), 0)

-- No error in C leaks.
scope(function()
   local x, y = double {1, 2}, double {1, 2, 3}
   for _, name in ipairs {'add', 'add_to', 'add_new', 'add_nothing'} do
      fails('sizes differ', m[name], x, y)
   end
end)
same(m.alive(), 0)

scope(function()
   local vector, matrix = double {1, 2, 3, 4}, double({1, 2, 3, 4}, 2)
   same(m.rank(matrix, matrix), 22)
   same(m.rank(matrix, vector), 21)
   same(m.rank(matrix), 2)
   same(m.rank(vector), 1)
   fails('rank: invalid arguments: DoubleTensor DoubleTensor \nexpected arguments: DoubleTensor~2D '
         .. 'DoubleTensor~2D | DoubleTensor~2D DoubleTensor~1D | DoubleTensor~2D | DoubleTensor',
         m.rank, vector, matrix)
end)

-- An index tensor that is read does not change.
scope(function()
   local x, index = double {5, 6, 7}, m.new('torch.LongTensor', {3})
   for _ = 1, 3 do
      same(m.pick(x, index), 7)
      same(m.get(index), {3})
   end
   same(m.pick_raw(x, m.new('torch.LongTensor', {2})), 7)
   same(m.get(m.where(double {4})), {5})
   same(m.get(m.where(index, double {4})), {5})
   fails('pick: invalid arguments: DoubleTensor DoubleTensor \nexpected arguments: DoubleTensor LongTensor',
         m.pick, x, x)
end)
same(m.alive(), 0)
