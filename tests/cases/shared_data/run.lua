local m = require 'shared_data'
local s = require 'support'
local raises = s.raises

-- Each callback finds its own function, whichever was set first, and whatever another object has.
local seen = {}
local function number(n)
  seen[#seen + 1] = n
  return 1
end
local function is_seen(...)
  local wanted = {...}
  assert(#seen == #wanted)
  for k, value in ipairs(wanted) do
    assert(seen[k] == value)
  end
  seen = {}
end
local r, other = m.Reader(), m.Reader()
assert(r:feed('one 2') == 0)
r:words(function(w) seen[#seen + 1] = w end)
r:numbers(number)
other:words(function(w) seen[#seen + 1] = w:upper() end)
assert(r:feed('one 2 three') == 3)
is_seen('one', 2, 'three')
assert(other:feed('one 2 three') == 2)
is_seen('ONE', 'THREE')

-- A later call replaces the function, which is released; nil removes it.
local old = setmetatable({}, {__mode = 'k'})
do
  local f = function(w) seen[#seen + 1] = w .. tostring(old) end
  old[f] = true
  r:words(f)
end
collectgarbage()
assert(next(old) ~= nil)
r:words(function(w) seen[#seen + 1] = #w end)
collectgarbage()
collectgarbage()
assert(next(old) == nil)
assert(r:feed('four 5') == 2)
is_seen(4, 5)
r:words(nil)
assert(r:feed('four') == 0)

-- After a failed call, C may have stored the function, which it can call.
raises('Reader.numbers(): reader_numbers returned status 1', r.numbers, r, function(n)
  seen[#seen + 1] = -n
  return 1
end, -1)
assert(r:feed('7') == 1)
is_seen(-7)

-- Several of one call share an argument, and one may be absent.
r:both(nil, number)
assert(r:feed('a 1') == 1)
r:both(function(w) seen[#seen + 1] = w end, nil)
assert(r:feed('a 1') == 1)
is_seen(1, 'a')
r:both(nil, nil)
assert(r:feed('a 1') == 0)

-- The constructor calls them already.
local o = m.Reader(function(w) seen[#seen + 1] = w end, number)
is_seen('open', 1)
assert(o:feed('x 2') == 2)
is_seen('x', 2)
o:close()
assert(m.readers() == 2)

-- An error is raised by the call, and C calls no more.
local function fails(n) error({n}) end
r:numbers(fails)
local good, why = pcall(r.feed, r, '1 2')
assert(not good and why[1] == 1)
good, why = pcall(m.Reader, function() end, fails)
assert(not good and why[1] == 1)
assert(m.readers() == 2)

-- A callback replaces itself while C calls it.
r:words(function(w)
  r:words(function(x) seen[#seen + 1] = 'new ' .. x end)
  seen[#seen + 1] = 'old ' .. w
end)
assert(r:feed('a b') == 2)
is_seen('old a', 'new b')

-- The user data exists until the destructor has returned.
local ended = 0
r:ends(function(one) ended = ended + 1 end)
r:close()
assert(ended == 1)
other:close()
assert(m.readers() == 0)
