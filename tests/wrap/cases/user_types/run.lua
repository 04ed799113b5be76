local m, support = require 'user_types', require 'support'
local fails, same = support.fails, support.same

same(m.length_of('abc'), 3)
same(m.length_of(), 4)
fails('length_of: invalid arguments: number \nexpected arguments: [text]', m.length_of, 3)
same(m.first_of('xyz'), ('x'):byte())

same(m.choose(2), 2)
same(m.choose('N', 2), -2)
same(m.choose('P', 2), 2)
fails('choose: invalid arguments: string number \nexpected arguments: [(N|P)] double', m.choose, 'X', 2)
-- Options are compared whole.
fails('choose: invalid arguments: string number \n', m.choose, 'No', 2)

same(m.shifted('N', 'P'), 107)
same(m.shifted('N', 'P', 'N'), 1017)
same(m.shifted('N', 'P', 5), 105)
same(m.shifted('P', 'N', 5), 15)
same(m.shifted('N', 'P', 'N', 5), 1015)

same(m.option_or_number('N'), -1)
same(m.option_or_number(3), -3)
same(m.option_or_number(5), 1)
fails('option_or_number: invalid arguments: string \nexpected arguments: (N|5) | double', m.option_or_number, '3')

same(m.truth(nil), 7)
same(m.truth(true), 17)
same(m.truth(true, 3), 13)
fails('truth: invalid arguments: number \n', m.truth, 1)

local a, b = m.twice(21)
same(a, 42)
same(b, 42)
same(m.deeper(1, 2), 4312)
same(m.parity(4), 40)
same(m.parity(3), 31)
fails('parity: invalid arguments: boolean \nexpected arguments: even | int', m.parity, true)
