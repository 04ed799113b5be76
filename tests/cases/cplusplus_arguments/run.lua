local m = require("cplusplus_arguments")
local support = require("support")

local a, b, square = m.Shape(1), m.Shape(2), m.Square(4)
assert(m.total({ a = a, b = b, c = square, d = a }) == 8 and m.total({}) == 0)
assert(m.total_of({ { a }, {}, { b, square } }) == 7)
assert(m.size_of_pair({ square, 2 }) == 8)
m.grow({ a = a, c = square }, 1)
assert(a.size == 2 and b.size == 2 and square.size == 5)
support.raises("negative", m.grow, { a = a }, -1)
local rows = m.grow_all({ { a, b } }, 10)
assert(#rows == 2 and rows[1][1].size == 11 and rows[1][2].size == 12 and rows[2][1].size == 10)
assert(m.size_of(2.5) == 2.5 and m.size_of(square) == 5)
local nodes = { m.Node(0), m.Node(1), m.Node(2) }
assert(m.sum({ { "a", nodes[2] }, { "b", nodes[3] }, { "" } }) == 103)
assert(m.kept({ nodes[1] }) == 3 and m.kept({}) == 0)
assert(m.replace(nodes[1]) == nil and m.replace(nil).id == 9)
local counts = m.counts({ m.Color.red, m.Color.blue, 0 })
assert(counts[m.Color.red] == 2 and counts[m.Color.blue] == 1)
local named = m.named({ [m.Color.green] = "g" }, m.Color.green)
assert(named[1] == m.Color.green and named[2] == "g")
assert(m.palette(2)[2][1] == m.Color.blue and m.palette(1)[1][2] == 9)
support.raises("total(): argument 'shapes.values()[1]': wanted a Shape, got 1", m.total, { a = 1 })
support.raises("counts(): argument 'colors[2]': 3 is not a member of Color (red, green, blue)", m.counts, { 0, 3 })
local closed = m.Shape(1)
closed:close()
support.raises("total_of(): argument 'rows[1][2]': this Shape is closed", m.total_of, { { a, closed } })

local one, two = m.Shape(1), m.Shape(2)
local seen = {}
m.each({ a = one, b = two }, function(size)
    seen[#seen + 1] = size
    two:close()
end)
assert(#seen == 2 and seen[1] + seen[2] == 3)
support.raises("odd", m.each, { a = one }, function() error("odd") end)

local group = m.Group()
group:add(a)
group:make(3).size = 4
local all = group:all()
all[2].size = 5
group = nil
collectgarbage()
collectgarbage()
assert(all[1].size == 1 and all[2].size == 5)
local made = m.made(3)
assert(#made == 3 and made[3].size == 2)
