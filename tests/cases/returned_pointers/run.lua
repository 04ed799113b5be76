local fp = require 'fishplate'
local m = require 'returned_pointers'
local s = require 'support'
local raises, same = s.raises, s.same

local function alive()
    collectgarbage()
    collectgarbage()
    return m.alive()
end

-- Strings are copied, and freed if they are owned.
assert(m.name(0) == 'zero' and m.name_or_none(1) == 'eins' and m.name_or_none(9) == nil)
raises('name(): the result: C returned NULL', m.name, 9)
assert(m.joined('ab', 'c') == 'abc' and m.joined('', '') == '' and m.alive() == 0)
assert(m.lowered('ABC') == 'abc' and m.broken() == '\255')

-- Arrays own their memory until the last view of it is gone.
local x = m.range(3)
same(x, 'float64', {3}, {3, 4, 5})
assert(m.alive() == 1)
local part = x[{{2, 3}}]
x = nil
assert(alive() == 1)
same(part, 'float64', {2}, {4, 5})
part = nil
assert(alive() == 0)
assert(m.range(0).size == 0 and alive() == 0 and m.range(-1).size == 0)
raises('range(): the result: C returned NULL', m.range, -2)
assert(m.range_or_none(-2) == nil and m.range_or_none(-1) == nil)
same(m.grid(2, 3), 'int32', {2, 3}, {{0, 1, 2}, {3, 4, 5}})
same(m.grid_fortran(2, 3), 'int32', {2, 3}, {{0, 2, 4}, {1, 3, 5}})
assert(alive() == 0)

-- A borrowed view keeps its owner alive.
same(m.primes(), 'int32', {4}, {2, 3, 5, 7})
x = fp.range(0, 4)
local view = m.tail(x, 2)
same(view, 'float64', {3}, {2, 3, 4})
view[1] = 7
assert(x[3] == 7)
view = m.tail(fp.range(0, 4), 3)
collectgarbage()
same(view, 'float64', {2}, {3, 4})
raises('tail(): the result: dimension 1, computed after the call, is -1', m.tail, x, 6)
for _, count in ipairs{5, 500} do
    local values = fp.range(1, count)
    local list = {}
    for k = 1, count do list[k] = k end
    view = m.larger(list, {1})
    list = nil
    collectgarbage()
    assert(view == values)
    local pairs_of = fp.zeros{count, 2}
    for k = 1, count do pairs_of[{k, 1}] = k end
    view = m.tail_of_any(pairs_of[{{}, 1}], 0)
    pairs_of = nil
    collectgarbage()
    assert(view == values)
end
assert(not pcall(function() m.larger(x, {1})[1] = 3 end))

-- Bytes.
assert(m.random_bytes(3) == '\4\4\4' and m.random_bytes(0) == '' and m.alive() == 0)
assert(m.raw('a\0b') == 'a\0b' and m.raw('') == '' and m.raw_text('a\0b') == 'a' and m.alive() == 0)
view = m.look('abcdef', 4)
collectgarbage()
same(view, 'uint8', {2}, {101, 102})
assert(not pcall(function() view[1] = 3 end))

-- Non-const pointers in C do not make read-only memory writable.
view = m.rest_of_bytes('abcdef', 4)
same(view, 'uint8', {2}, {101, 102})
assert(not pcall(function() view[1] = 3 end))
x = fp.range(0, 3)
view = m.rest(x, 2)
view[2] = 7
assert(x[4] == 7)
view = m.rest(m.larger(x, {1}), 2)
assert(view[1] == 2 and not pcall(function() view[1] = 3 end))
view = m.rest({1, 2, 3}, 1)
view[2] = 7
same(view, 'float64', {2}, {2, 7})

-- Pointers that C sets.
assert(m.describe(0) == 'text' and m.alive() == 0)
raises('describe(): describe returned status 1', m.describe, 1)
assert(m.alive() == 0)
raises("describe(): argument 'text': C returned NULL", m.describe, 3)
assert(m.describe_or_none(3) == nil and m.describe_or_none(0) == 'text' and m.alive() == 0);
(function()
    local low, high = m.split{1, -2, 3, -4}
    same(low, 'float64', {2}, {-2, -4})
    same(high, 'float64', {2}, {1, 3})
    assert(m.alive() == 2)
end)()
assert(alive() == 0)
raises('split(): split returned status 1', m.split, {})
assert(m.alive() == 0)
x = m.split_high{1, -2}
same(x, 'float64', {1}, {1})
assert(m.alive() == 1, 'memory that is not returned is freed at once')
x = nil
assert(alive() == 0)
assert(m.message(1) == 'eins')
raises("message(): argument 'text': C returned NULL", m.message, 7)
local data, size = m.bytes_of(3)
assert(data == 'xxx' and size == 3)
raises("bytes_of(): argument 'data': dimension 1, computed after the call, is -1", m.bytes_of, -1)
assert(alive() == 0)
local a, b = m.both()
assert(a == 'a1' and b == '\255' and m.alive() == 0)
same(m.wrong_shape(1), 'float64', {1}, {1})
raises('wrong_shape(): the result: dimension 1, computed after the call, is -1', m.wrong_shape, -1)
assert(alive() == 0)

-- Of a handle: its object exists as long as views of it do, closed or not.
local box = m.Box(3)
assert(box:name() == 'boxes');
(function()
    local v = box:data()
    same(v, 'float64', {3}, {0, 1, 2})
    v[2] = 5
    box:close()
    collectgarbage()
    assert(m.alive() == 1 and v[2] == 5)
end)()
assert(alive() == 0)
box = nil;
(function()
    local v = m.Box(2):data()
    collectgarbage()
    assert(m.alive() == 1 and v[2] == 1)
end)()
assert(alive() == 0)
