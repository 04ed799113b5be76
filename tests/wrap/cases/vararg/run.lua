local m, support = require 'vararg', require 'support'
local fails, same = support.fails, support.same

same(m.product(2), 2)
same(m.product(2, 3, 4), 24)
same(m.product(true, 2, 3), 7)
fails('product: invalid arguments: no arguments provided\nexpected arguments: [int] n1 [n2...]', m.product)
fails('product: invalid arguments: boolean \n', m.product, true)
fails('product: invalid arguments: number string \n', m.product, 1, 'x')
same(m.either(2, 3), 1006)
same(m.either(5), 1005)
same(m.either(2, true), 2)
