local m = require 'cplusplus_containers'
local raises = require('support').raises

local words = m.words('to be or not')
assert(#words == 4 and words[1] == 'to' and words[4] == 'not' and #m.words('') == 0)
local sorted = m.sort({'b', 'a', 'c'})
assert(sorted[1] == 'a' and sorted[3] == 'c')
local parts, count = m.split('to be')
assert(#parts == 2 and count == 2 and m.first_word('to be') == 'to')
assert(m.binary()[1] == 'a\0b')
raises("sort(): argument 'words': wanted a list, got string", m.sort, 'ab')
raises("sort(): argument 'words[2]': wanted a string, got 1", m.sort, {'a', 1})

assert(m.root(-1) == nil and m.root(4) == 2)
assert(m.positive() == nil and m.positive(nil) == nil)
local positive = m.positive({1, -2, 3})
assert(positive[1] == 1 and positive[2] == 3)
local digits = m.digits({1, 2, 255})
assert(digits[1] == 255 and digits[3] == 1)
raises("digits(): argument 'values[2]': ...", m.digits, {1, 256})

local rows = m.transposed({{1, 2, 3}, {4, 5}, {6}})
assert(#rows == 3 and rows[1][3] == 6 and rows[3][1] == 3)
assert(m.total({{{1, 2}}, {}, {{3}, {}, {4.5}}}) == 10.5)
raises("transposed(): argument 'rows': wanted a list, got 1.5", m.transposed, 1.5)

local counted = m.counted({'a', 'b', 'a'})
assert(counted.a == 2 and counted.b == 1)
local scaled = m.scaled({x = {1, 2}, y = {3}}, 2)
assert(scaled.x[2] == 4 and scaled.y[1] == 6)
assert(m.inverted({a = 1, b = 7})[7] == 'b')
assert(m.poles().b.re == 2 and m.poles().b.im == -1)
raises("inverted(): argument 'ids.keys()[1]': wanted a string, got 1", m.inverted, {1})
raises('negative', m.failing, -1)

assert(m.kind(1) == 'int' and m.kind(1.5) == 'double' and m.kind('a') == 'string' and m.kind({1, 2}) == 'vector')
raises("kind(): argument 'value': wanted an integer, a number, a string, a tensor, got ...", m.kind, true)
assert(m.parsed('') == nil and m.parsed('12') == 12 and m.parsed('ab') == 'ab')

local ranked = m.ranked({a = 1, b = 3, c = 2})
assert(ranked[1][1] == 'b' and ranked[1][2] == 3)
local names, number = m.summary(1)
assert(#names == 1 and number == nil)
assert(m.area({2, 3}, {{1, 0}, {0, 1}}) == 6)
raises("area(): argument 'size': wanted 2 values, got 3", m.area, {1, 2, 3}, {})
raises("area(): argument 'turned': wanted 2 values, got 1", m.area, {1, 2}, {{1, 2}})
raises("area(): argument 'turned[2]': wanted 2 values, got 3", m.area, {1, 2}, {{1, 2}, {1, 2, 3}})

local lengths = m.lengths({'be', 'a', 'bee'})
assert(#lengths == 3 and lengths[2][1] == 'b' and lengths[3][2] == 3)
assert(#m.values_of({{'a', 2}, {'b', 3}, {'a', 1}}, 'a') == 2)

-- The values of all elements choose the alternative of a variant.
assert(m.listed({1, 2}) == 'ints' and m.listed({1, 2.5}) == 'doubles' and m.listed({'a', 'b'}) == 'strings')
raises("listed(): argument 'value': ...", m.listed, {'a', 1})
assert(m.mapped({a = 1}) == 'ints' and m.mapped({a = 'b'}) == 'strings')
assert(m.paired({1, 2}) == 'ints' and m.paired({1, 'a'}) == 'int and string' and m.paired({1, 2, 3}) == 'three')
-- Until Lua 5.3, whole numbers are integers and floats.
assert(m.real_first(1.5) == 'double' and m.real_first(1) == (math.type and 'int' or 'double'))
if math.type then assert(m.real_first(1.0) == 'double' and m.kind(1.0) == 'double') end
assert(#m.unique({3, 1, 3}) == 2 and m.bits(3)[2][1] == true)

local t = m.Table()
t:set('x', {1, 2})
t:set('y', nil)
assert(t.all.x[2] == 2 and t:column('x')[1] == 1 and t:column('y') == nil)
t.limits = {low = 1, high = 2.5}
assert(t.limits.high == 2.5)
t.names = {'a', 'b'}
assert(t.names[2] == 'b')

assert(m.described({a = 1}) == 'a map' and m.described({{1, 2}, {3}}) == 'rows' and m.described(2) == 'a number')

-- Each allocation of C++ fails in turn.
local calls = {
    function() return m.words('a ' .. ('b'):rep(50)) end,
    function() return m.sort({('b'):rep(50), 'a'}) end,
    function() return m.transposed({{1, 2, 3}, {4, 5}}) end,
    function() return m.scaled({x = {1, 2}, y = {3}}, 2) end,
    function() return m.summary(3) end,
    function() return t.all end,
}
collectgarbage()
collectgarbage()
local before = m.allocated()
for _, call in ipairs(calls) do
    for allocation = 1, 1000 do
        m.fail_at(allocation)
        if pcall(call) then break end
        collectgarbage()
        assert(m.allocated() == before)
    end
end
m.fail_at(0)
