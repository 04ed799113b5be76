local m = require 'struct_arrays'
local support = require 'support'
local raises = support.raises
local Point = m.Point

-- A table of records, of tables with values by field, or in the order of the fields.
local x = {Point {x = 1, tag = 2, m = {0, 0.5}}, {x = 2, tag = 2, m = {0, 0.5}}, {3, 4}, {4, tag = 1}, {}}
assert(m.total(x) == 2 + 0.5 + 4 + 0.5 + 12 + 4)
assert(m.total {} == 0)
raises("total(): argument 'x': wanted a table of values of Point, got 1", m.total, 1)
raises("total(): argument 'x[1]': wanted a Point, got 1", m.total, {1})
raises("total(): argument 'x[2].tag': wanted an integer from -2147483648 to 2147483647 (int32), got 1.5", m.total, {{}, {1, 1.5}})
raises("total(): argument 'x[3].tag': wanted an integer from -2147483648 to 2147483647 (int32), got 2147483648", m.total,
  {{}, {}, {tag = 2 ^ 31}})
raises("total(): argument 'x[1]': a Point has no field 'y'; it has x, tag, m", m.total, {{y = 1}})
raises("total(): argument 'x[1]': a Point has no field '4'; it has x, tag, m", m.total, {{1, 2, {3, 4}, 5}})
raises("total(): argument 'x[2].m': the table has 3 elements, but must have 2", m.total, {{}, {m = {1, 2, 3}}})
raises("total(): argument 'x[2]': wanted a Point, got nil", m.total, {{}, nil, {}})
raises("total(): argument 'x': wanted a table of values of Point, got struct_arrays.Point", m.total, Point())
raises("total(): argument 'x[1]': wanted a Point, got struct_arrays.Lamp", m.total, {m.Lamp(1)})

-- Results are new records; a caller's table of records is filled.
local y = m.line(3, 2)
assert(#y == 3 and y[2].x == 2 and y[3].x == 4 and y[3].tag == 2 and y[1].m[2] == 4)
assert(y[1] ~= y[2] and #m.line(0, 1) == 0)
local buffer = {Point(9), Point(9)}
local filled = m.line(2, 3, buffer)
assert(filled[2] == buffer[2] and buffer[2].x == 3 and buffer[1].tag == 2)
raises("line(): argument 'y': dimension 1 is 2, but must be 3", m.line, 3, 1, buffer)
raises("line(): argument 'y[2]': wanted a Point, got table", m.line, 2, 1, {Point(), {}})
raises("line(): argument 'n': wanted an integer from 0 to 18446744073709551615 (uint64), got -1", m.line, -1, 1)

-- C's changes are copied back to records.
x = {Point(1), Point(2), Point(3)}
m.move(x, 10)
assert(x[1].x == 11 and x[3].x == 13)
m.push(x, 1)
assert(x[1].x == 12)
local moved = m.moved(x, 1)
assert(moved[1].x == 13 and x[1].x == 12 and moved[1] ~= x[1])
assert(m.moved({{1}}, 1)[1].x == 2)
raises("move(): argument 'x[1]': wanted a Point, got table", m.move, {{1}}, 1)
local many = {}
for k = 1, 100 do many[k] = Point(k) end
m.move(many, 1)
assert(many[100].x == 101 and #m.moved(many, 1) == 100)

-- Several dimensions are nested tables.
local grid = {{{x = 1}, {x = 2}}, {{x = 3}, {x = 4}}}
assert(m.corner(grid) == 4 + 10 * 3)
raises("corner(): argument 'a[2]': wanted a table of 2, as the first is, got one of 1", m.corner, {{{}, {}}, {{}}})
raises("corner(): argument 'a[2][1].x': wanted a number (float64), got string", m.corner,
  {{{}}, {{x = 'a'}}})

-- Fields that are arrays of structs.
local pair = m.Pair {of = {Point(1), {x = 2}}}
m.swap(pair)
assert(pair.of[1].x == 2 and pair.of[2].x == 1)

-- The elements choose the overload.
assert(m.sum {Point(2, 3)} == 6 and m.sum {{x = 2, tag = 3}} == 6 and m.sum {4} == 4)

-- Pointers to rows, of one table and of several.
local rows = {}
for i = 1, 20 do
  rows[i] = {}
  for j = 1, 3 do rows[i][j] = {x = 3 * (i - 1) + j - 1, tag = 1} end
end
assert(m.total_rows(rows) == 1770)
y = {Point(), Point(), Point()}
m.move_rows({{y[1]}, {y[2], y[3]}, {}}, 1)
m.push_rows({{y[3]}}, 1)
assert(y[1].x == 1 and y[2].x == 1 and y[3].x == 2)
m.try_rows({{{x = 1}}, y}, 1)
assert(y[1].x == 1) -- C had copies
raises("try_rows(): argument 'rows[2][1]': wanted a Point, got 3", m.try_rows, {{{}}, {3}}, 1)
local long = {}
for k = 1, 600 do long[k] = {Point(k)} end
m.move_rows(long, 1)
assert(long[600][1].x == 601)

-- Enums are checked before C sees them.
local bad = "argument 'x[2]': field 'color' of a Lamp is 0, not a member of Color (RED, GREEN)"
assert(m.reds {m.Lamp(1), {color = 2, size = 1}, {1}} == 2)
raises('reds(): ' .. bad, m.reds, {m.Lamp(1), {}})
raises('paint(): ' .. bad, m.paint, {m.Lamp(1), m.Lamp()})
raises("reds(): argument 'x[1].color': 9 is not a member of Color (RED, GREEN)", m.reds, {{9}})
local lamps = {m.Lamp(), m.Lamp()}
m.lamps(2, lamps)
assert(lamps[1].color == 2 and lamps[2].color == 2)
assert(m.painted({m.Lamp(1)})[1].color == 2)
