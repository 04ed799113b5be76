local m, support = require 'returned', require 'support'
local fails, same = support.fails, support.same

local t = m.new('torch.DoubleTensor', {1, 2})
local r, a, back, b, i, created = m.sum_into(5, t)
same(m.get(r), {1 + 5 + 2 + 2, 2 + 5 + 2 + 2})
same(a, 5)
assert(rawequal(back, t))
same(b, 2)
same(i, 3)
same(created, 6)

local given = m.new('torch.DoubleTensor', {})
same(select('#', m.sum_into(given, 5, t, 1, 1)), 6)
assert(rawequal((m.sum_into(given, 5, t, 1, 1)), given))
same(m.get(given), {7, 8})
fails('sum_into: invalid arguments: DoubleTensor \nexpected arguments: '
      .. '[*DoubleTensor*] *int* *DoubleTensor* [*double*] [*index*]', m.sum_into, t)

-- An optional tensor that points to another argument, and one that C returns: each owns itself.
local pointing, same_one = m.first(t)
same(m.get(pointing), {1, 2})
same(m.get(same_one), {1, 2})
same(m.nothing(), nil)

same(m.scaled(4), 42)
fails('scaled: invalid arguments: number number \nexpected arguments: double', m.scaled, 4, 5)

t, r, back, given, pointing, same_one = nil, nil, nil, nil, nil, nil
same(m.alive(), 0)
