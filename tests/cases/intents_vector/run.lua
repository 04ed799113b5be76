local foreign = require 'foreign'
local fp = require 'fishplate'
local m = require 'intents_vector'
local s = require 'support'
local raises = s.raises

local function fixed() return fp.from_dlpack(foreign.capsule{versioned = true, readonly = true}) end
local function unaligned() return fp.from_dlpack(foreign.capsule{versioned = true, offset = 1, size = 2}) end

-- Short ones are copied on the stack, long ones in allocated memory.
for _, n in ipairs{1, 3, 5000} do
  local start, after, weight = {}, {}, 0
  for i = 1, n do
    start[i], after[i], weight = i, i + 10 * (i - 1), weight + i * i
  end
  for layout, x in s.layouts(start) do
    assert(m.read(x) == weight and m.hidden(x) == 2 * weight, layout)
    local copied = m.in_out(x)
    assert(copied:equal(fp.tensor(after)) and copied.is_contiguous and s.equal(x, start), layout)
  end
  -- inplace: the caller's memory changes, wherever it is
  for layout, x in s.layouts(start) do
    assert(select('#', m.inplace(x)) == 0 and s.equal(x, after), layout)
  end
  for layout, x in s.layouts(start) do
    local returned = m.inplace_out(x)
    assert(s.equal(x, after) and s.equal(returned, after), layout)
    returned:fill(0)
    assert(s.equal(x, after), layout)
  end
  -- inout: in place, or refused
  for _, name in ipairs{'inout', 'inout_out'} do
    for layout, x in s.layouts(start) do
      if x.is_contiguous then
        local returned = m[name](x)
        assert(s.equal(x, after) and (returned == nil) == (name == 'inout'), layout)
      else
        raises(name .. "(): argument 'x': the tensor must be C-contiguous", m[name], x)
        assert(s.equal(x, start), 'a refused argument is unchanged')
      end
    end
  end

  -- Of another type: valid to read and to copy, not to write.
  for _, dtype in ipairs{'int8', 'uint16', 'int64', 'uint64', 'float32', 'bool'} do
    local other = fp.ones(n, dtype)
    assert(m.read(other) == n * (n + 1) / 2 and m.read(fp.ones({n, 2}, dtype)[{{}, 1}]) == n * (n + 1) / 2)
    assert(m.in_out(other)[n] == 1 + 10 * (n - 1))
  end
  assert(m.read(start) == weight and m.in_out(start):equal(fp.tensor(after)))
  assert(m.read(foreign.buffer(start, 'block', 'float64', {n})) == weight)
  for _, name in ipairs{'inplace', 'inout', 'inplace_out', 'inout_out'} do
    local call, where = m[name], name .. "(): argument 'x': "
    raises(where .. ('wanted a tensor of exactly float64, got a tensor of float32 and shape {%d}'):format(n), call,
      fp.tensor(start, 'float32'))
    raises(where .. 'wanted a tensor of float64, which can be written to, got table', call, start)
    raises(where .. ('wanted a 1-D tensor, got a tensor of float64 and shape {1, %d}'):format(n), call, fp.ones{1, n})
    local lent = foreign.buffer(start, 'block', 'float64', {n})
    call(lent)
    assert(s.equal(fp.from_buffer(lent), after))
  end
  assert(#m.out(n) == n and m.out(n)[n] == n - 1)
end

-- Outputs in buffers of the caller's.
local buffer = fp.empty(3)
assert(m.out(3, buffer) == buffer and rawequal(m.out(3, buffer), buffer) and buffer[3] == 2)
local wide = fp.zeros(6)
m.out(3, wide[{{1, -1, 2}}])
s.same(wide, 'float64', {6}, {0, 0, 1, 0, 2, 0})
local lent = foreign.buffer({7, 7, 7}, 'block', 'float64', {3})
assert(rawequal(m.out(3, lent), lent) and fp.from_buffer(lent)[2] == 1)
raises("out(): argument 'x': dimension 1 is 3, but must be 4", m.out, 4, buffer)
raises("out(): argument 'x': wanted a tensor of exactly float64, got a tensor of int8 and shape {4}", m.out, 4, fp.zeros(4, 'int8'))
raises("out(): argument 'x': wanted a tensor of float64, which can be written to, got table", m.out, 2, {0, 0})
raises("out(): argument 'x': the tensor is read-only", m.out, 3, fixed())

-- Readonly, unaligned, not filled.
assert(m.read(fixed()) == 14 and m.in_out(fixed())[3] == 23)
for _, name in ipairs{'inplace', 'inout', 'inplace_out', 'inout_out'} do
  raises(name .. "(): argument 'x': the tensor is read-only", m[name], fixed())
  raises(name .. "(): argument 'x': uninitialised tensor", m[name], fp.empty(2))
end
raises("read(): argument 'x': uninitialised tensor", m.read, fp.empty(2))
m.read(unaligned())
m.inplace(unaligned())
raises("inout(): argument 'x': the tensor must be aligned", m.inout, unaligned())

-- No value is dropped on the way to C.
for _, name in ipairs{'read', 'in_out'} do
  local call, where = m[name], name .. "(): argument 'x': "
  raises(where .. 'wanted a tensor that casts safely to float64, got a tensor of complex128 and shape {2}', call,
    fp.zeros(2, 'complex128'))
  raises(where .. 'wanted a tensor of float64, got string', call, '12')
  raises(where .. 'wanted a tensor of float64, got nil', call, nil)
  raises(where .. 'wanted a tensor of float64, got 1', call, 1)
  raises(where .. 'wanted a 1-D tensor, got a tensor of float64 and shape {2, 2}', call, fp.zeros{2, 2})
  raises(where .. 'wanted a 1-D tensor, got a table of shape {2, 1}', call, {{1}, {1, 2}})
  raises(where .. 'element {2}: wanted a number (float64), got string', call, {1, '2'})
  raises(where .. 'element {2}: wanted a number (float64), got a complex number', call, {1, fp.complex(0, 2)})
  raises(where .. "the object's __fishplate_buffer must return the name of a dtype as its second result", call,
    foreign.buffer({1}, 'block', 'float', {1}))
  raises('there is no memory', call, foreign.buffer({1}, 'error'))
end

-- A hole in a list is an element that is nil, in LuaJIT as in others.
raises("read(): argument 'x': element {2}: wanted a number (float64), got nil", m.read, {1, nil, 3})
raises("fishplate.tensor: argument 1 (value): element {2}: wanted a number (float64), got nil; the dtype can be given",
       fp.tensor, {1, nil, 3})
