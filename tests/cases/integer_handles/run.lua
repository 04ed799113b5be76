local m = require 'integer_handles'
local raises = require('support').raises

local node = m.Node(2.5)
assert(m.number_of(node) == 0 and node:value() == 2.5 and m.alive() == 1)
local other = m.Node()
assert(m.sum(node, other) == 3.5 and m.sum(node) == 102.5)
other:close()
other:close()
assert(other:closed() and m.alive() == 1 and m.times_closed(1) == 1)
raises("Node.value(): argument 'node': this Node is closed", other.value, other)

local leaf = m.Leaf(node, 4)
raises("Node.value(): argument 'node': wanted a Node, got integer_handles.Leaf", node.value, leaf)
raises("Node.value(): argument 'node': wanted a Node, got 0", node.value, 0)
node:close()
assert(m.alive() == 2 and leaf:value() == 4 and leaf:parent():value() == 2.5)
leaf, node, other = nil, nil, nil
collectgarbage()
collectgarbage()
assert(m.alive() == 0)

local nodes = {m.Node(0), m.Node(1), m.Node(2), m.Node(3)}
raises('Node(): Too many open files', m.Node)
raises('Leaf(): ih_child returned IH_NONE', m.Leaf, nodes[1], 1)
raises('create(): ih_create set made to -1', m.create, 5)
assert(m.each(function(one) return one and one:value() + 1 or 10 end) == 20)
for _, one in ipairs(nodes) do one:close() end
collectgarbage() -- the failed leaf
assert(m.alive() == 0)

raises('create(): ih_create returned status 1', m.create, -1)
raises('create(): ih_create returned status 2', m.create, -2)
assert(m.alive() == 0 and m.times_closed(0) == 1)
local made = m.create(3)
assert(made:scaled(2) == 6)
made:close()

local texture = m.Texture(255)
assert(texture:number() == 255 and m.textures_alive() == 1)
raises('Texture(): ih_texture_new returned 0', m.Texture, 0)
texture:close()
assert(m.textures_alive() == 0)

-- A pointer that may be NULL, and of which -1 is none.
local null, one = m.Converter(0), m.Converter(1)
assert(null:is_null() == 1 and one:is_null() == 0 and m.converters_alive() == 2)
assert(m.has_converter(null) == 1 and m.has_converter(nil) == 0)
raises('Converter(): ih_converter_open returned -1', m.Converter, -1)
m.find_converter(0):close()
raises('find_converter(): ih_converter_find set made to -1', m.find_converter, -1)
raises('find_converter(): ih_converter_find returned status 1', m.find_converter, 7)
null:close()
one:close()
assert(m.converters_alive() == 0)
