local fp = require 'fishplate'
local m = require 'unpacked_arrays'
local support = require 'support'
local raises, same = support.raises, support.same

local result, characters = m.summarize({'a', 'bcd'}, {{1, 2, 3}, {1, 1, 1}}, {{0, 0}, {0, 0}}, {0, 0}, {2, 9}, m.Way.SUM)
same(result, 'float64', {2}, {5, 3})
assert(characters == 4)
result = m.summarize({'a', 'b'}, {{4}, {5, 7}}, {{0, 0}, {1, 2}}, {0, 0}, {9, 9}, m.Way.MEAN, {2, 3})
same(result, 'float64', {2}, {8, 39})
raises('summarize(): ua_summarize returned status 1', m.summarize, {'a'}, {{}}, {{0, 0}}, {0}, {0}, m.Way.SUM)
raises("summarize(): argument 'data': dimension 1 of shape {1} is 1, but n is 2",
  m.summarize, {'a', 'b'}, {{1}}, {{0, 0}, {0, 0}}, {0, 0}, {9, 9}, m.Way.SUM)

local parts = {m.Part(1), m.Part(10), m.Part(100)}
assert(m.weigh(parts, fp.tensor({{0, 1}, {2, 3}, {4, 5}}, 'float32')) == 2 * (1 + 50 + 900))
local data = {fp.tensor {0, 1, 2}, fp.tensor {5}}
m.scale(data, 3)
same(data[1], 'float64', {3}, {0, 3, 6})
same(data[2], 'float64', {1}, {15})

same(m.areas({{0, 1, 3}, {0, 2}}, {{1, 1, 1}, {0, 1}}), 'float64', {2}, {3, 1})
raises("areas(): argument 'y[2]': dimension 1 of shape {1} is 1, but n[2] is 2", m.areas, {{0, 1, 3}, {0, 2}}, {{1, 1, 1}, {0}})
local x, tags = m.shift({1, 2}, {3, 4}, 0.5)
same(x, 'float64', {2}, {1.5, 2.5})
assert(tags == 7)

-- A hidden value is the same in all structs.
assert(m.extent {1, 2} == 6 and m.extent_of_meshes {{1, 2}, {}, {3}} == 6 and m.extent_of_one {1, 2, 3} == 6)
assert(m.extent_of_triangles {{1, 2, 3}, {4, 5, 6}} == 21)
raises("extent_of_triangles(): argument 'points': dimension 2 of shape {1, 2} is 2, but count is 3", m.extent_of_triangles, {{1, 2}})
