local m = require 'pointer_lists'
local s = require 'support'
local raises = s.raises

local function alive()
    collectgarbage()
    collectgarbage()
    return m.alive()
end

local function same(list, expected)
    assert(#list == #expected)
    for k, one in ipairs(expected) do assert(list[k] == one) end
end

local function values(list)
    local found = {}
    for k, one in ipairs(list) do found[k] = m.value(one) end
    return found
end

-- Strings are copied, and the array and the strings are freed at once.
same(m.words('a bc  d'), {'a', 'bc', 'd'})
same(m.words(''), {})
assert(#m.words(('x '):rep(5000)) == 5000 and m.alive() == 0)
raises('words(): the result: C returned NULL', m.words, 'none')
same(m.terminated('a bc'), {'a', 'bc'})
assert(m.terminated('none') == nil and #m.terminated('') == 0)
same(m.block('one two'), {'one', 'two'})
same(m.freed_at_once('a b'), {'a', 'b'})
raises('freed_at_once(): the result: C returned NULL', m.freed_at_once, 'none')
same(m.constants(), {'zero', 'eins', 'd\195\169ux'})
same(m.some_constants(2), {'zero', 'eins'})
assert(m.some_constants(0) == nil and m.some_constants(4) == nil)
same(m.half(2), {})
same(m.loose(), {'a', 'b'})
assert(alive() == 0)
raises('half(): the result: dimension 1, computed after the call, is -1', m.half, 0)
raises('half(): the result: C returned NULL', m.half, 4)

-- C's mistakes.
raises('broken(): the result: dimension 1, computed after the call, is -1', m.broken, 0)
same(m.broken(1), {'a', '\255', 'c'})
raises('broken(): the result: C returned NULL as item 3', m.broken, 2)
assert(alive() == 0)

-- Arguments and fields of structs: if C fails, memory that it has set is freed.
local parts, other = m.split('a b', 7)
same(parts, {'a', 'b'})
assert(other == nil)
parts, other = m.split('a b', 0)
same(other, {'zero', 'eins', 'd\195\169ux'})
raises('split(): pl_split returned status 3', m.split, 'a b', 3)
raises("split(): argument 'parts': C returned NULL", m.split, 'none', 0)
same(m.matches('a b c'), {'a', 'b', 'c'})
raises('matches(): pl_glob returned status 1', m.matches, 'a bad one')
assert(alive() == 0)

-- Objects of the caller.
local nodes = m.nodes(3, 3)
same(values(nodes), {0, 1, 2})
assert(alive() == 3)
local middle = nodes[2]
nodes = nil
assert(alive() == 1 and m.value(middle) == 1)
middle:close()
assert(alive() == 0 and #m.nodes(0, 0) == 0 and #m.nodes(-1, 0) == 0)
raises('nodes(): the result: C returned NULL', m.nodes, -1, 1)
raises('nodes(): the result: dimension 1, computed after the call, is -2', m.nodes, 0, -2)
raises('nodes(): the result: C returned NULL as item 14', m.nodes, 20, 20)
same(values(m.ended(2)), {0, 1})
assert(m.ended(-1) == nil and #m.ended(0) == 0 and #m.set_nodes(2000, 0) == 2000)
raises('set_nodes(): pl_set_nodes returned status 5', m.set_nodes, 3, 5)
assert(alive() == 0)

-- Objects of another one, which they keep alive.
local tree = m.Tree(3)
nodes = m.children(tree)
local every = m.all_children(tree)
same(values(nodes), {0, 1, 2})
same(values(every), {0, 1, 2})
tree = nil
assert(alive() == 5)
nodes = nil
assert(alive() == 5 and m.value(every[3]) == 2)
every = nil
assert(alive() == 0)
same(values(m.shared(3)), {70, 71, 70})
assert(alive() == 0)
