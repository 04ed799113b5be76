local m = require 'pointer_types'
local support = require 'support'
local raises = support.raises

assert(m.root(3) == 9 and m.put(2) == 3)
raises('root(): negative', m.root, -1)
raises('put(): below zero', m.put, -1)
assert(m.length('four') == 4 and m.length(nil) == 0 and m.name() == 'name' and m.copy('x') == 'x')
assert(m.first(2.5) == 2.5 and m.longest{'a', 'ccc', 'bb'} == 1)

local words = {}
m.each('two', function (word) words[#words + 1] = word end)
assert(words[1] == 'one' and words[2] == 'two')
assert(m.value(m.Node(5)) == 5 and m.run('title', {1, 2}) == 8)
