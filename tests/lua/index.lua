-- Indexing, from 1 and from the end; slices; iteration.
local fp = require 'fishplate'
local s = require 'support'
local same, raises = s.same, s.raises

local t = fp.range(1, 24):reshape{2, 3, 4}
same(t[1], 'float64', {3, 4}, fp.range(1, 12):totable())
same(t[-1][-1], 'float64', {4}, {21, 22, 23, 24})
assert(t[2][3][4] == 24 and t[{2, 3, 4}] == 24 and t[{-2, -3, -4}] == 1 and t:get(2, 3, 4) == 24)
same(t[{2, 3}], 'float64', {4}, {21, 22, 23, 24})
same(t[{}], 'float64', {2, 3, 4}, fp.range(1, 24):totable())
same(t[{{}, 2, {2, 3}}], 'float64', {2, 2}, {6, 7, 18, 19})
same(t[{1, 1, {-1, 1, -1}}], 'float64', {4}, {4, 3, 2, 1})
same(t[{1, 1, {1, -1, 2}}], 'float64', {2}, {1, 3})
same(t[{1, 1, {4, 2, -2}}], 'float64', {2}, {4, 2})
same(t[{1, 1, {3, 2}}], 'float64', {0}, {})
same(t[{1, 1, {5, 4}}], 'float64', {0}, {})
same(t[{1, 1, {1, 0}}], 'float64', {0}, {})
same(t[{1, 1, {nil, nil, -1}}], 'float64', {4}, {4, 3, 2, 1})
same(t[{1, 1, {2}}], 'float64', {3}, {2, 3, 4})
same(fp.zeros{0, 3}[{{}, 2}], 'float64', {0}, {})
same(fp.zeros{0, 3}[{{nil, nil, -1}}], 'float64', {0, 3}, {})
same(t:select(2, -1), 'float64', {2, 4}, {9, 10, 11, 12, 21, 22, 23, 24})
same(t:slice(3, 2, 3):slice(2, 1, 1), 'float64', {2, 1, 2}, {2, 3, 14, 15})
same(t:slice(-1, 1, 4, 3)[1][1], 'float64', {2}, {1, 4})

-- Views write through.
local u = t:copy()
u[1] = 0
u[{2, {1, 2}, 1}] = {-1, -2}
u[{2, 3}] = fp.tensor({1, 2, 3, 4}, 'int8')
u:set(2, 1, 2, 100)
same(u[1], 'float64', {3, 4}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})
same(u[2], 'float64', {3, 4}, {-1, 100, 15, 16, -2, 18, 19, 20, 1, 2, 3, 4})
u[{}] = 7
assert(u == fp.full({2, 3, 4}, 7))
local scalar = fp.tensor(3)
assert(scalar:item() == 3 and scalar:get() == 3 and scalar[{}] == 3)
scalar[{}] = 4
assert(scalar:set(5) == scalar and scalar:item() == 5)

-- Overlapping memory is copied as if it did not overlap.
local v = fp.range(1, 5)
v[{{2, 5}}] = v[{{1, 4}}]
same(v, 'float64', {5}, {1, 1, 2, 3, 4})
v = fp.range(1, 4)
v:assign(v[{{-1, 1, -1}}])
same(v, 'float64', {4}, {4, 3, 2, 1})

raises('tensor[]: index: wanted an integer from 1 to 2 or from -2 to -1, got 3', function() return t[3] end)
raises('tensor[]: index: wanted an integer from 1 to 2 or from -2 to -1, got 0', function() return t[0] end)
raises('tensor[]: index: wanted an integer from 1 to 2 or from -2 to -1, got 1.5', function() return t[1.5] end)
raises('tensor[]: index: wanted an integer from 1 to 2 or from -2 to -1, got -3', function() t[-3] = 1 end)
raises('tensor[{}]: index 2: wanted an integer from 1 to 3 or from -3 to -1, got string',
  function() return t[{1, 'x'}] end)
raises('tensor[{}]: index 3: wanted an integer from 1 to 4 or from -4 to -1, got 5',
  function() return t[{1, 1, 5}] end)
raises('tensor[{}]: index 1: wanted an integer from 1 to 2 or from -2 to -1, got 0',
  function() t[{0, 1, 1}] = 1 end)
raises('tensor[]: value: wanted a number (float64), got string', function() t[{1, 1, 1}] = 'x' end)
raises('tensor[{}]: self: uninitialised tensor', function() return fp.empty{2, 2}[{1, 2}] end)
local deep = {}
for k = 1, 32 do deep[k] = 1 end
assert(fp.full(deep, 5)[deep] == 5)
deep[32] = 2
raises('tensor[{}]: index 32: wanted an integer from 1 to 1 or from -1 to -1, got 2',
  function() return fp.ones(fp.ones(32):totable())[deep] end)
raises('tensor[{}]: indices: wanted at most 3, got 4', function() return t[{1, 1, 1, 1}] end)
raises('tensor[{}]: first: wanted an integer from 1 to 2 or from -2 to -1, got 7',
  function() return t[{{7, 8}}] end)
raises('tensor[{}]: last: wanted an integer from 1 to 2 or from -2 to -1, got 4',
  function() return t[{{1, 4}}] end)
raises('tensor[{}]: last: wanted a slice from 1 to 2, got one from 1 to 3',
  function() return t[{{1, 3}}] end)
raises('tensor[{}]: last: wanted a slice whose end is not before its start, got one from 3 to 1',
  function() return t[{1, {3, 1}}] end)
raises('tensor[{}]: step: wanted an integer other than 0, got 0', function() return t[{{1, 2, 0}}] end)
raises('tensor[{}]: index 1: wanted an integer or {first, last, step}, got a longer table',
  function() return t[{{1, 2, 1, 1}}] end)
raises('tensor:slice: argument 3 (last): wanted an integer from 1 to 4 or from -4 to -1, got 9',
  function() return t:slice(3, 1, 9) end)
raises('tensor:slice: argument 1 (dimension): wanted an integer from 1 to 3 or from -3 to -1, got 4',
  function() return t:slice(4, 1, 1) end)
raises('tensor:select: argument 2 (index): wanted an integer from 1 to 3 or from -3 to -1, got nothing',
  function() return t:select(2) end)
raises('tensor:get: indices: wanted 3, one for each dimension, got 1', function() return t:get(1) end)
raises('tensor:set: argument 4 (value): wanted a number (float64), got nil',
  function() return t:set(1, 1, 1, nil) end)
raises('tensor[]: value: wanted shape {3, 4}, got a tensor of float64 and shape {2}',
  function() t[1] = {1, 2} end)
raises('tensor[]: value: wanted a number, a boolean, a table, a tensor or a buffer, got nil',
  function() t[1] = nil end)
raises("tensor: no field or method 'foo'", function() return t.foo end)
raises("tensor: no assignable field 'shape'", function() t.shape = {} end)
raises('tensor[]: index: wanted an integer, a table of them and of slices, or a name, got boolean',
  function() return t[true] end)
raises('tensor[]: index: wanted a tensor with dimensions (use get and set for others), got a tensor of float64 and shape {}',
  function() return scalar[1] end)
raises('tensor:item: self: wanted a tensor of one element, got a tensor of float64 and shape {2, 3, 4}',
  function() return t:item() end)
raises('tensor:fill: self: wanted a tensor (is it called with a colon?), got table',
  function() t.fill({}, 1) end)
assert(not pcall(t.fill, io.stdout, 1))

assert(#t == 2 and #t[1] == 3 and #fp.zeros(0) == 0)
raises('#tensor: self: wanted a tensor with dimensions (use get and set for others), got a tensor of float64 and shape {}',
  function() return #scalar end)

local seen = {}
for i, row in t[1]:iter() do seen[#seen + 1] = i * 100 + row[1] end
assert(table.concat(seen, ' '):gsub('%.0', '') == '101 205 309')
seen = {}
for x in t[{{}, 1, {1, 2}}]:elements() do seen[#seen + 1] = x end
assert(table.concat(seen, ' '):gsub('%.0', '') == '1 2 13 14')
for _ in fp.zeros{0, 3}:elements() do error('it is empty') end
for _ in fp.zeros{0, 3}:iter() do error('it is empty') end
seen = {}
for x in scalar:elements() do seen[#seen + 1] = x end
assert(#seen == 1 and seen[1] == 5)
