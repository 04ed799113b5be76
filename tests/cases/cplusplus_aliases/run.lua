local m = require 'cplusplus_aliases'
local raises = require('support').raises

assert(m.length({1, 4}) == 3 and m.lengths({a = {0, 2}}).a == 2)
raises('a path has points', m.length, {})
assert(m.rows({{1, 2}, {3}}, function(x) return 2 * x end)[2][1] == 6)
assert(m.total(2) == 2 and m.total({1, 2}) == 3)

local root = m.Node('root')
root:add(m.Node('leaf', {1, 5}))
root:add(m.Node('other', {0, 1}))
assert(root:at(0).path[2] == 5 and m.longest(root:children()).name == 'leaf' and m.longest({}) == nil)
local names = {}
for node in root:iterate() do names[#names + 1] = node.name end
assert(table.concat(names, ' ') == 'leaf other')
assert(m.extent(m.Shape(), 'a') == 1)
assert(m.extent(m.Shape(function(name) return {0, #name} end), 'abc') == 3)
