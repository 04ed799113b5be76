local fp = require 'fishplate'
local m = require 'retained'
local support = require 'support'
local collect, raises = support.collect, support.raises

-- An array stays until the next call replaces it, or its object is released.
local seen = setmetatable({}, {__mode = 'k'})
local function count()
  collect()
  local n = 0
  for _ in pairs(seen) do n = n + 1 end
  return n
end
local function tensor(...)
  local t = fp.tensor({...}, 'float64')
  seen[t] = true
  return t
end

local r = m.Reader()
r:set_data(tensor(1, 2))
assert(count() == 1 and r:sum() == 3)
r:set_data(tensor(7))
assert(count() == 1 and r:sum() == 7)
r:close()
assert(count() == 0 and m.last_sum() == 7 and m.alive() == 0)

-- A failure: C may have stored it nevertheless.
r = m.Reader()
r:set_data(tensor(1))
raises('Reader.set_data(): rt_set_data returned status 2', r.set_data, r, tensor(2), 2)
assert(count() == 2 and r:sum() == 2)
r:set_data({8})
assert(count() == 0 and r:sum() == 8)
raises("Reader.set_data(): ...", r.set_data, r, tensor(3), 'x')
assert(count() == 0 and r:sum() == 8)

-- Copies: of tables, of other types; short and long.
for _, values in ipairs{{1, 2, 3}, fp.tensor({1, 2, 3}, 'int32'), fp.tensor({1, 0, 2, 0, 3, 0}, 'float64')[{{1, 6, 2}}]} do
  r:set_data(values)
  collect()
  assert(r:sum() == 6)
end
local long = {}
for k = 1, 1000 do long[k] = k end
r:set_data(long)
collect()
assert(r:sum() == 500500)
r:set_optional()
assert(r:sum() == 0)
local own = fp.zeros({3}, 'float64')
r:set_own(own)
own:fill(2)
assert(r:sum() == 6)

-- Strings, and arrays of them.
r:set_text('hello' .. 17)
collect()
assert(r:text() == 'hello17')
r:set_text(nil)
assert(r:text() == nil)
local words = {}
for k = 1, 40 do words[k] = 'w' .. k end
r:set_words(words)
words = nil
collect()
assert(r:word(0) == 'w1' and r:word(39) == 'w40' and r:word(40) == nil)
r:set_words{'a' .. 40, 'b'}
collect()
assert(r:word(0) == 'a40' and r:word(1) == 'b' and r:word(2) == nil)
for key = 0, 3 do r:option(key, 'option' .. key) end
r:option(1, 'other' .. 3)
collect()
assert(r:get_option(0) == 'option0' and r:get_option(1) == 'other3' and r:get_option(3) == 'option3')

-- Bytes.
r:open_memory(('xy'):rep(500))
collect()
assert(r:byte(999) == ('y'):byte() and r:byte(1000) == -1)

-- `keep` retains what every call passes.
r:set_data{}
for k = 0, 9 do r:add{k} end
collect()
assert(r:sum() == 45)

-- Memory to which C writes later.
local output = r:set_output(3)
r:fill(2.5)
assert(output[1] == 2.5 and output[3] == 2.5)
r:prepare(5)
collect()
assert(r:worked(5) == 5)
r:prepare(500)
collect()
assert(r:worked(500) == 500)
r:close()
assert(m.alive() == 0)

-- An object is not released before the one that retains it.
local outer, inner = m.Reader(), m.Reader()
inner:set_data{1, 2}
outer:set_data{4}
outer:link(inner)
inner:close()
assert(inner:closed() and m.alive() == 2 and outer:sum() == 7)
inner = nil
collect()
assert(m.alive() == 2)
outer:close()
assert(m.alive() == 0 and m.last_sum() == 3)
outer, inner = m.Reader(), m.Reader()
outer:link(inner)
inner:close()
outer:link(nil)
assert(m.alive() == 1)
outer:link(outer)
outer:link()
local third, fourth = m.Reader(), m.Reader()
outer:link(third)
outer:link(third)
local cycle = 'it refers to the Reader that would retain it, so neither could be released'
raises("Reader.link(): argument 'next': " .. cycle, third.link, third, outer)
third:link(fourth)
raises("Reader.link(): argument 'next': " .. cycle, fourth.link, fourth, outer)
raises("Reader.link(): argument 'next': this Reader is closed", outer.link, outer, inner)
assert(m.alive() == 3)
local child = outer:child()
local last = m.Reader()
last:link(child)
outer:unlink()
assert(child:closed() and last:closed() and not outer:closed())
outer, third, fourth, child, last = nil, nil, nil, nil, nil
collect() -- one after another
collect()
assert(m.alive() == 0)

-- A callback that replaces what the call has just passed.
r = m.Reader()
r:set_calling({6}, function() r:set_calling({5}, function() end) end)
collect()
assert(r:sum() == 5)
r:close()
assert(m.alive() == 0)

-- The module retains until a function was called.
m.watch(tensor(1, 2))
assert(count() == 1 and m.watched_sum() == 3)
m.watch{5}
assert(count() == 0 and m.watched_sum() == 5)
r = m.Reader()
r:set_data{10}
m.watch_reader(r)
r:close()
r = nil
collect()
assert(m.alive() == 1 and m.watched_sum() == 15)
m.unwatch()
assert(m.alive() == 0 and m.watched_sum() == 0)
-- Those that are left are released with the state.
outer, inner = m.Reader(), m.Reader()
outer:link(inner)
m.watch_reader(outer)
