local m, support = require 'many_optional', require 'support'
local fails, same = support.fails, support.same

local function list(...)
   local first, second = m.list(...)
   return first .. ' ' .. second
end

same(m.sum(), 32)
same(m.sum(0, 0, 3), 3 + 2 * 13)
same(m.sum(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1), 16)
fails('sum: invalid arguments: number string \n', m.sum, 1, 'x')
fails('sum: invalid arguments: ', m.sum, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)

same(list(), '2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2')
same(list(5), '2 5 2 2 2 2 2 2 2 2 2 2 2 2 2 2')
same(list(true, true, 5), '1 2 1 5 2 2 2 2 2 2 2 2 2 2 2 2')
same(list(5, 6, 7, 8, 9, 10, 11, 12), '2 5 2 6 2 7 2 8 2 9 2 10 2 11 2 12')
same(list(true, 3, false, 4, true, 5, false, 6, true, 7, false, 8, true, 9, false, 10),
     '1 3 0 4 1 5 0 6 1 7 0 8 1 9 0 10')
fails('list: invalid arguments: ', m.list, 1, 2, 3, 4, 5, 6, 7, 8, 9)
fails('list: invalid arguments: string \n', m.list, 'x')
fails("bad argument #2 to 'list' (int expected, got 1.5)", m.list, true, 1.5)
