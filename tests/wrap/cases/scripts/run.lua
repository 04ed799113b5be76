local m, support = require 'scripts', require 'support'
local fails, same = support.fails, support.same

same(m.get(m.fill()), {8, 8})
same(m.get(m.fill(1)), {2, 2})
local x = m.new('torch.DoubleTensor', {})
same(m.get(m.methods.fill(x)), {9, 9})
fails('fill: invalid arguments: number \nexpected arguments: *DoubleTensor* [double]', m.methods.fill, 1)
