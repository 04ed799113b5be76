-- Memory from and to other libraries: DLPack, buffers, modules that Fishplate generates.
-- `foreign` is such a library, and does not use `fishplate`.
local foreign = require 'foreign'
local made_before = foreign.ones(3)
local fp = require 'fishplate'
local s = require 'support'
local same, raises = s.same, s.raises

-- A module made its tensor before the library was loaded.
same(made_before, 'float64', {3}, {1, 1, 1})
same(foreign.ones(2), 'float64', {2}, {1, 1})
assert(foreign.total(fp.range(1, 4)) == 10 and foreign.total(fp.range(1, 4):t()[{{2, 3}}]) == 5)
raises('foreign.total: argument 1 (x): wanted a tensor of float64, got a tensor of int8 and shape {2}',
  foreign.total, fp.zeros(2, 'int8'))
raises('foreign.total: argument 1 (x): wanted a tensor of float64, got 5', foreign.total, 5)

-- Exported and imported again: the same memory, and the storage lives as long as either.
for _, kind in ipairs{'dltensor', 'dltensor_versioned'} do
  local t = fp.range(1, 6, 1, 'int16'):view{2, 3}:t()
  local capsule = t:dlpack(kind)
  local u = fp.from_dlpack(capsule)
  assert(u:pointer() == t:pointer() and u == t and table.concat(u.strides, ' ') == '1 3')
  t = nil
  collectgarbage()
  same(u, 'int16', {3, 2}, {1, 4, 2, 5, 3, 6})
  raises('fishplate.from_dlpack: argument 1 (capsule): wanted a DLPack capsule, got one that was consumed before',
    fp.from_dlpack, capsule)
  assert(foreign.consume(fp.range(1, 4):dlpack(kind)) == 10)
  fp.zeros(2):dlpack(kind) -- never consumed
end
for _, dtype in ipairs(fp.dtypes) do
  local t = fp.ones({2}, dtype)
  assert(fp.from_dlpack(t:dlpack()) == t and fp.from_dlpack(t) == t, dtype)
end
assert(fp.from_dlpack(fp.zeros{}) == fp.zeros{} and fp.from_dlpack(fp.zeros{0, 2}) == fp.zeros{0, 2})
local unfilled = fp.empty{2}
fp.from_dlpack(unfilled):fill(3)
same(unfilled, 'float64', {2}, {3, 3})
raises("tensor:dlpack: argument 1 (kind): wanted 'dltensor' or 'dltensor_versioned', got string",
  function() fp.zeros(1):dlpack('x') end)
raises('fishplate.from_dlpack: argument 1 (capsule): wanted a DLPack capsule, got 1', fp.from_dlpack, 1)
raises('fishplate.from_dlpack: argument 1 (capsule): wanted a DLPack capsule, got nil', fp.from_dlpack)

-- Capsules of others. Their deleter is called once in every case.
local function deletions(f)
  collectgarbage()
  collectgarbage()
  local before = foreign.deleted()
  f()
  collectgarbage()
  collectgarbage()
  return foreign.deleted() - before
end
for _, versioned in ipairs{false, true} do
  assert(deletions(function() foreign.capsule{versioned = versioned} end) == 1)
  assert(deletions(function()
    local t = fp.from_dlpack(foreign.capsule{versioned = versioned})
    same(t, 'float64', {3}, {1, 2, 3})
    local view, capsule = t[{{2, 3}}], t:dlpack()
    t = nil
    collectgarbage()
    same(view, 'float64', {2}, {2, 3})
    view = fp.from_dlpack(capsule)
  end) == 1)
  for what, message in pairs{
    [{device = 2}] = 'with memory of the CPU (device type 1), got device type 2',
    [{bits = 16}] = 'of a dtype of Fishplate, got type code 2 of 16 bits and 1 lanes',
    [{lanes = 4}] = 'of a dtype of Fishplate, got type code 2 of 64 bits and 4 lanes',
    [{code = 3}] = 'of a dtype of Fishplate, got type code 3 of 64 bits and 1 lanes',
    [{code = 200}] = 'of a dtype of Fishplate, got type code 200 of 64 bits and 1 lanes',
    [{ndim = 33}] = 'with at most 32 dimensions, got 33',
    [{ndim = -1}] = 'with at most 32 dimensions, got -1',
    [{size = -3}] = 'with a shape that fits in memory',
    [{size = 2^62}] = 'with a shape that fits in memory',
    [{stride = 2^62}] = 'with strides that fit in memory',
    [{null = true}] = 'with a pointer to its elements',
  } do
    what.versioned = versioned
    assert(deletions(function()
      raises('fishplate.from_dlpack: argument 1 (capsule): wanted a capsule ' .. message,
        fp.from_dlpack, foreign.capsule(what))
    end) == 1)
  end
  same(fp.from_dlpack(foreign.capsule{versioned = versioned, stride = -1, offset = 16}), 'float64', {3}, {3, 2, 1})
  same(fp.from_dlpack(foreign.capsule{versioned = versioned, stride = 'none'}), 'float64', {3}, {1, 2, 3})
  same(fp.from_dlpack(foreign.capsule{versioned = versioned, size = 0, null = true}):fill(1), 'float64', {0}, {})
end
raises('fishplate.from_dlpack: argument 1 (capsule): wanted a capsule of DLPack 1, got one of DLPack 2',
  fp.from_dlpack, foreign.capsule{versioned = true, major = 2})

-- Read-only memory stays so, in views too, and is not exported as writable.
local readonly = fp.from_dlpack(foreign.capsule{versioned = true, readonly = true})
assert(readonly.readonly and readonly[{{1, 2}}].readonly and not readonly:copy().readonly)
for _, f in ipairs{
  function() readonly[1] = 2 end, function() readonly[{{1, 2}}] = 2 end,
} do
  raises('tensor[]: value: wanted a tensor that can be written to, got a read-only one', f)
end
raises('tensor:set: argument 2 (value): wanted a tensor that can be written to, got a read-only one',
  function() readonly:set(1, 2) end)
raises('tensor:fill: argument 1 (value): wanted a tensor that can be written to, got a read-only one',
  function() readonly:fill(2) end)
raises('tensor:dlpack: self: wanted a tensor that can be written to, since a capsule without version '
  .. 'cannot say otherwise, got a read-only one', function() readonly:dlpack('dltensor') end)
assert(fp.from_dlpack(readonly).readonly)

-- __fishplate_buffer.
local function lend(...)
  return foreign.buffer({1, 2, 3, 4, 5, 6}, ...)
end
local object = lend('block', 'float64', {2, 3})
local view = fp.from_buffer(object)
same(view, 'float64', {2, 3}, {1, 2, 3, 4, 5, 6})
view[1][1] = 10
assert(foreign.first(object) == 10 and foreign.total(object) == 30)
same(fp.tensor(object), 'float64', {2, 3}, {10, 2, 3, 4, 5, 6})
same(fp.zeros{2, 3}:assign(object), 'float64', {2, 3}, {10, 2, 3, 4, 5, 6})
same(fp.from_buffer(lend('light', 'float64', {3}, {2})), 'float64', {3}, {1, 3, 5})
assert(fp.from_buffer(lend('block', 'float64', {2}, nil, true)).readonly)
assert(fp.from_buffer(lend('block', 'float64', {3}, {0})).readonly) -- its elements are one
same(fp.from_buffer(lend('none', 'int8', {0})):fill(1), 'int8', {0}, {})
assert(fp.from_buffer(view) == view)
local where = "fishplate.from_buffer: argument 1 (object): the object's __fishplate_buffer must return "
for message, lent in pairs{
  ['a pointer as its first result'] = lend('number', 'float64', {1}),
  ['a pointer to its elements'] = lend('none', 'float64', {1}),
  ['the name of a dtype as its second result'] = lend('block', 'double', {1}),
  ['a table of integers, its shape, as its third result'] = lend('block', 'int8', 3),
  ['a table of integers, one for each dimension, or nil as its fourth result'] = lend('block', 'int8', {3}, {}),
  ['a shape that fits in memory'] = lend('light', 'float64', {2^62}),
  ['strides that fit in memory'] = lend('light', 'float64', {3}, {2^62}),
  ['a shape that fits its memory'] = lend('block', 'float64', {8}),
} do
  raises(where .. message, fp.from_buffer, lent)
end
raises('there is no memory', fp.from_buffer, foreign.buffer({}, 'error'))
raises(where .. 'a shape that fits its memory', fp.from_buffer, lend('block', 'float64', {2}, {-1}))
raises("fishplate.from_buffer: argument 1 (object): wanted an object with __fishplate_buffer or an array of "
  .. "LuaJIT's FFI, got table", fp.from_buffer, {})
raises('tensor:dlpack: self: wanted a tensor that owns its memory, got a view on a Lua object\'s; copy it',
  function() view:dlpack() end)

-- The object lives as long as a view on it.
do
  local part = fp.from_buffer(lend('block', 'float64', {2, 3}))[2]:view{3, 1}
  collectgarbage()
  collectgarbage()
  same(part, 'float64', {3, 1}, {4, 5, 6})
end
