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
local flipped = m.flip({ m.Color.red, m.Color.green })
assert(flipped[1] == m.Color.blue and flipped[2] == m.Color.red)
local colors, points = m.line(2)
assert(colors[2] == m.Color.green and points[1].color == m.Color.blue and m.corners()[2].x == 1)
local point = m.Point(1, m.Color.green)
local rows = m.shifted({ { point, m.Point(2, 0) }, {} }, 1)
assert(rows[1][1].x == 2 and rows[1][1].color == m.Color.green and rows[1][2].x == 3 and #rows[2] == 0)
assert(point.x == 1 and m.place_of({ a = point }, "a").x == 1 and m.place_of({}, 2.5) == 2.5)
assert(m.place_of({}, "a") == nil)
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

-- Tables of the values of a struct, where another overload or alternative is possible.
local pin = m.Pin()
pin.at = { x = 2 }
assert(pin.at.x == 2)
pin.at = { 3 }
assert(pin.at.x == 3)
assert(m.kind_of({ x = 1 }) == 'point' and m.kind_of(m.Point(1)) == 'point')
assert(m.kind_of({ 1 }) == 'list' and m.kind_of({}) == 'list')
support.raises('Pin.at(): no overload takes (cplusplus_arguments.Pin, table); it takes:...', function() pin.at = { y = 2 } end)
support.raises("kind_of(): argument 'value': wanted a tensor, a Point, got table", m.kind_of, { y = 1 })
