local fp = require 'fishplate'
local m = require 'c_strings'
local s = require 'support'
local raises, same = s.raises, s.same

-- Strings end at a NUL.
assert(m.length('') == 0 and m.length('abc') == 3 and m.known('ab') == 2)
assert(m.length(('x'):rep(100000)) == 100000 and m.length('12') == 2)
raises("length(): argument 's': the string contains an embedded NUL", m.length, 'a\0b')
raises("length(): argument 's': wanted a string, got 1", m.length, 1)
raises("length(): argument 's': wanted a string, got table", m.length, {'a'})
assert(m.is_null() == 1 and m.is_null(nil) == 1 and m.is_null('') == 0)
assert(m.first() == ('r'):byte() and m.first('w') == ('w'):byte() and m.first_of_macro() == ('r'):byte())
assert(m.null_by_default() == 1 and m.null_by_default('') == 0 and m.version() == 1)
assert(m.same('a', 'a') == 1 and m.same('a', 'b') == 0)

-- Which prototype is meant.
assert(m.chosen(2) == 4 and m.chosen('2.5') == 2.5 and m.chosen('x') == 0)
assert(m.chosen(fp.tensor({1, 2, 3}, 'uint8')) == 3)
raises('chosen(): no overload takes (table); it takes:...', m.chosen, {})

-- Strings and bytes that C wrote.
assert(m.greet('you') == 'hello you' and m.greet('you', 6) == 'hello' and m.greet('a', 1) == '')
assert(m.fill(5, 97) == 'aaaaa' and m.fill(5, 97, 1) == 'aaaa' and m.fill(0, 1) == '')
assert(m.fill(1000, 97) == ('a'):rep(1000) and m.fill(2, 255) == '\255\255')
assert(m.fill_upto(5, 98) == 'bbbb' and m.fill_upto(1, 98) == '')
raises("fill_upto(): argument 'buffer': computed length `result - 1` is -1, but the capacity is 0", m.fill_upto, 0, 1)

-- Bytes are used in place.
assert(m.total('') == 0 and m.total('\1\2\0\3') == 6 and m.total(fp.tensor({1, 255}, 'uint8')) == 256)
assert(m.total(fp.tensor({1, -1}, 'int8')) == 256)
raises("total(): argument 'data': wanted a string or a tensor of uint8 of rank 1, got 1", m.total, 1)
raises("total(): argument 'data': wanted a string or a tensor of uint8 of rank 1, got table", m.total, {1})
raises("total(): argument 'data': wanted a string or a tensor of uint8 of rank 1, got a tensor of float64 and shape {1}",
       m.total, fp.tensor{1})
assert(m.total_or_null() == 0 and m.total_or_null('a') == 97)
assert(m.reversed('abc') == 'cba' and m.reversed('') == '' and m.reversed('a\0') == '\0a')
assert(m.mirrored('abcd') == 'dcba' and m.mirrored(('ab'):rep(1000)) == ('ba'):rep(1000))
local bytes = fp.tensor({1, 2, 3}, 'uint8')
m.mirror(bytes)
same(bytes, 'uint8', {3}, {3, 2, 1})
raises("mirror(): argument 'data': wanted a tensor of uint8 of rank 1, which can be written to, got string", m.mirror, 'abc')

-- Variable-length outputs.
assert(m.pack('aaaab') == '\4a\1b' and m.pack('') == '' and m.pack(('x'):rep(600)) == '\255x\255x\90x')
local dest, length = m.pack_into(100, 'zzz')
assert(dest == '\3z' and length == 2)
raises('pack_into(): pack returned status 5', m.pack_into, 3, 'ab')
local y, n, result = m.upto(10, 3.5)
same(y, 'float64', {4}, {0, 1, 2, 3})
assert(n == 4 and result == 7)
same(m.upto(3, 100), 'float64', {3}, {0, 1, 2})
assert(m.upto_alone(8, 0).size == 0 and m.upto_alone(0, 1).size == 0)
local mine = fp.tensor{-1, -1, -1}
same(m.upto_alone(3, 2, mine), 'float64', {2}, {0, 1})
same(mine, 'float64', {3}, {0, 1, -1})
same(m.evens{1, 2, 3, 4}, 'int32', {2}, {2, 4})
same(m.rows(3, 2), 'float64', {2, 2}, {{0, 1}, {2, 3}})
same(m.rows_fortran(3, 2), 'float64', {2, 2}, {{0, 3}, {1, 4}})
same(m.lie(3, 3), 'float64', {3}, {0, 0, 0})
raises("lie(): argument 'y': computed length `n` is 4, but the capacity is 3", m.lie, 3, 4)
raises("lie(): argument 'y': computed length `n` is -1, but the capacity is 3", m.lie, 3, -1)
raises("lie_of_sum(): argument 'y': computed length `n + 9223372036854775807` overflowed, divided by zero or was read beyond an array", m.lie_of_sum, 3, 1)

-- Size queries.
same(m.words('a new  word'), 'int64', {3}, {0, 2, 7})
assert(m.words('').size == 0)
raises('words(): words returned status 3', m.words, 'why?')
same(m.first_words('one two three', 2), 'int64', {2}, {0, 4})
assert(m.unpack('\3a') == 'aaa' and m.unpack_to('\3a') == 'aaa' and m.unpack('\0a') == '')
assert(m.weigh('one two', {1, 2.5}) == 3.5)
raises("weigh(): argument 'weights': dimension 1 of shape {1} is 1, but count is 2", m.weigh, 'one two', {1})
assert(m.joined('a', ('b'):rep(300)) == 'a ' .. ('b'):rep(300))
assert(m.scaled(2) == 2 and m.scaled(2, 'k') == 2000)
