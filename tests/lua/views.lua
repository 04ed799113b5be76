-- Views, shapes, copies, equality, strings.
local fp = require 'fishplate'
local s = require 'support'
local same, raises = s.same, s.raises

local function shares(a, b)
  return a:pointer() == b:pointer()
end

local t = fp.range(1, 6):reshape{2, 3}
same(t:t(), 'float64', {3, 2}, {1, 4, 2, 5, 3, 6})
assert(table.concat(t:t().strides, ' ') == '1 3' and not t:t().is_contiguous and t.is_contiguous)
same(t:transpose(1, -1), 'float64', {3, 2}, {1, 4, 2, 5, 3, 6})
local cube = fp.range(1, 24):view{2, 3, 4}
same(cube:permute{3, 1, 2}[1], 'float64', {2, 3}, {1, 5, 9, 13, 17, 21})
assert(table.concat(cube:permute{3, 1, 2}.shape, ' ') == '4 2 3')
raises('tensor:permute: argument 1 (dimensions): wanted each dimension once, got 1 twice',
  function() cube:permute{1, 1, 2} end)
raises('tensor:permute: argument 1 (dimensions): wanted a table of all 3 dimensions in their new order, got one of another length',
  function() cube:permute{1, 2} end)
raises('tensor:permute: argument 1 (dimensions): wanted a table of all 3 dimensions in their new order, got number',
  function() cube:permute(1, 2, 3) end)
raises('tensor:permute: argument 1 (dimensions): wanted an integer from 1 to 3 or from -3 to -1, got 4',
  function() cube:permute{1, 2, 4} end)

-- view never copies; reshape does if no strides can describe the shape; both keep C order.
assert(shares(cube:view{4, 6}, cube) and shares(cube:view(-1), cube))
same(cube:view{4, -1}[2], 'float64', {6}, {7, 8, 9, 10, 11, 12})
same(cube[{{}, {}, {2, 3}}]:view{6, 2}, 'float64', {6, 2}, {2, 3, 6, 7, 10, 11, 14, 15, 18, 19, 22, 23})
same(cube[{{}, {1, 3, 2}}]:view{2, 2, 2, 2}[{1, 2}], 'float64', {2, 2}, {9, 10, 11, 12})
local flat = t:t():reshape(6)
same(flat, 'float64', {6}, {1, 4, 2, 5, 3, 6})
assert(not shares(flat, t))
assert(shares(t:t():view{3, 1, 2, 1}, t))
same(fp.tensor(5):view{1, 1}, 'float64', {1, 1}, {5})
same(fp.full({1}, 5):view{}, 'float64', {}, {5})
same(fp.zeros{0, 3}:view{3, 0, 2}, 'float64', {3, 0, 2}, {})
raises('tensor:view: argument 1 (shape): wanted a shape that these strides allow; reshape makes a copy then',
  function() t:t():view(6) end)
raises('tensor:reshape: argument 1 (shape): wanted a shape of 6 elements, as {2, 3} has, got {4}',
  function() t:reshape(4) end)
raises('tensor:reshape: argument 1 (shape): wanted a shape of 6 elements, as {2, 3} has, got {-1, 4}',
  function() t:reshape{-1, 4} end)
raises('tensor:reshape: argument 1 (shape): wanted a shape of 6 elements, as {2, 3} has, got {-1, -1}',
  function() t:reshape{-1, -1} end)
raises('tensor:reshape: argument 1 (shape): wanted a table of integers or one integer, got nothing',
  function() t:reshape() end)

-- Every shape that a random view can have agrees with its elements.
math.randomseed(7)
for _ = 1, 300 do
  local shape, size = {}, 1
  for axis = 1, math.random(1, 4) do shape[axis] = math.random(1, 4); size = size * shape[axis] end
  local x = fp.range(1, size):view(shape)
  local order = {}
  for axis = 1, x.ndim do table.insert(order, math.random(1, axis), axis) end
  x = x:permute(order)
  for axis = 1, x.ndim do
    if math.random() < 0.5 then x = x:slice(axis, nil, nil, math.random() < 0.5 and -1 or 2) end
  end
  local elements = {}
  for e in x:elements() do elements[#elements + 1] = e end
  local wanted = fp.tensor(elements)
  assert(x:contiguous():view(-1) == wanted and x:reshape(-1) == wanted)
  local target = {}
  local rest = x.size
  for divisor = 2, 4 do
    if rest % divisor == 0 then target[#target + 1] = divisor; rest = rest / divisor end
  end
  target[#target + 1] = rest
  assert(x:reshape(target):reshape(-1) == wanted)
  local ok, view = pcall(x.view, x, target)
  assert(not ok or view == x:reshape(target))
  assert(x:copy() == x and fp.tensor(x:totable()) == x)
end

assert(t:contiguous() == t and shares(t:contiguous(), t) and not shares(t:t():contiguous(), t))
local c = t:copy()
c[1] = 0
assert(t[1][1] == 1 and c[1][1] == 0 and not shares(c, t))
same(t:copy('int8'), 'int8', {2, 3}, {1, 2, 3, 4, 5, 6})

-- assign and fill return the tensor, and change nothing when they are refused.
same(fp.zeros({2}, 'int8'):fill(3), 'int8', {2}, {3, 3})
same(fp.zeros{2, 2}:assign{{1, 2}, {3, 4}}, 'float64', {2, 2}, {1, 2, 3, 4})
same(fp.zeros({2}, 'int8'):assign(9), 'int8', {2}, {9, 9})
same(fp.zeros{3, 2}:assign(t:t()), 'float64', {3, 2}, {1, 4, 2, 5, 3, 6})
local kept = fp.tensor({1, 2, 3}, 'int8')
raises('tensor:assign: argument 1 (source): element {3}: wanted an integer from -128 to 127 (int8), got 2.5',
  function() kept:assign(fp.tensor{7, 8, 2.5}) end)
raises('tensor:assign: argument 1 (source): element {3}: wanted an integer from -128 to 127 (int8), got 2.5',
  function() kept:assign{7, 8, 2.5} end)
same(kept, 'int8', {3}, {1, 2, 3})
raises('tensor:assign: argument 1 (source): uninitialised tensor',
  function() kept:assign(fp.empty({3})) end)
raises('tensor:fill: argument 1 (value): wanted an integer from -128 to 127 (int8), got table',
  function() kept:fill{1} end)
local part = fp.zeros{3, 4}
part[{{}, {2, 3}}]:fill(1)
same(part, 'float64', {3, 4}, {0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0})

-- All elements of one value, whatever the size of the memory.
for _, dtype in ipairs(fp.dtypes) do
  local value = dtype == 'bool' or dtype:find('complex') and fp.complex(1, 2) or 3
  for _, size in ipairs{0, 1, 2, 3, 17, 1025, 17000} do
    local filled = fp.full(size, value, dtype)
    assert(filled.size == size)
    for x in filled:elements() do assert(x == value) end
  end
end

-- Equal: dtype, shape, and every element by value.
assert(fp.tensor{1, 2} == fp.tensor{1, 2} and fp.tensor{1, 2} ~= fp.tensor{1, 3})
assert(fp.tensor{1} ~= fp.tensor({1}, 'float32') and fp.zeros{2, 1} ~= fp.zeros{1, 2})
assert(fp.tensor{0} == fp.tensor{-0.0} and fp.tensor{0/0} ~= fp.tensor{0/0})
assert(t:t():t() == t and t:t():equal(t:t():copy()) and not t:equal(5))
assert(fp.tensor{fp.complex(1, 2)} ~= fp.tensor{fp.complex(1, 3)})

assert(tostring(t) == 'float64[2, 3]\n{{1, 2, 3},\n {4, 5, 6}}')
assert(tostring(fp.zeros{2, 1, 1}) == 'float64[2, 1, 1]\n{{{0}},\n {{0}}}')
assert(tostring(fp.tensor{true, false}) == 'bool[2] {true, false}')
assert(tostring(fp.tensor(1.5)) == 'float64[] 1.5')
assert(tostring(fp.tensor({0.1}, 'float32')) == 'float32[1] {0.1}')
assert(tostring(fp.tensor{fp.complex(1, -2)}) == 'complex128[1] {1-2i}')
assert(tostring(fp.zeros{2, 0}) == 'float64[2, 0]\n{{},\n {}}')
assert(tostring(fp.empty{2}) == 'float64[2] (uninitialised)')
assert(tostring(fp.range(1, 2000)) == 'float64[2000] {1, 2, 3, ..., 1998, 1999, 2000}')
assert(getmetatable(t) == 'fishplate.tensor')
assert(#tostring(fp.zeros{2000, 2000}) < 600)
assert(type(fp.tensor(3):totable()) == 'number' and #fp.zeros{2, 3}:totable()[2] == 3)
