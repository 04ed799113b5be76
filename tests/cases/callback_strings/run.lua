local c = require 'callback_strings'
local raises = require('support').raises

local function fail() error('no', 0) end

-- C takes over a copy that malloc has allocated, as completion generators have it; nil is the end.
assert(c.complete('re', function(text, k) return k < 3 and text .. k or nil end) == 're0 re1 re2 ')
assert(c.complete('', function() end) == '')
raises('no', c.complete, 'a', function(text, k) if k > 0 then fail() end return 'x' end)
raises("complete(): argument 'generate' returned 'result': wanted a string, got 5", c.complete, 'a', function() return 5 end)
raises("complete(): argument 'generate' returned 'result': the string contains an embedded NUL",
  c.complete, 'a', function() return 'x\0y' end)

-- Another function allocates it, after all else that may fail.
assert(c.joined(function(k, x) return k < 2 and 1 or 0, ('abc'):sub(k + 1, k + 1) .. x[1] end) == 'a1.5b1.5c1.5')
assert(c.joined(function(k) return k < 2 and 1 or 0, k ~= 1 and '-' or nil end) == '--')
assert(not pcall(c.joined, function() return 'ab' end))
assert(not pcall(c.joined, function() return 1, 2 end))
assert(not pcall(c.joined, function() return 'one', 'two' end))
raises("joined(): argument 'next' returned 'result': not enough memory", c.joined, function(k)
  c.refuse(k == 1 and 1 or 0)
  return 1, 'xy'
end)
c.refuse(0)
assert(c.live() == 0)

-- C reads the memory of the strings, all of them until the call returns.
local function long(k) collectgarbage() return ('x'):rep(k) .. ('y'):rep(100 * (9 - k)) end
assert(c.longest(9, long) == ('y'):rep(900))
assert(c.longest(0, fail) == '' and c.longest(5) == '')
raises('no', c.longest, 5, function(k) if k < 3 then return 'x' end fail() end)
raises("longest(): argument 'name' returned 'result': wanted a string, got nil", c.longest, 2, function() end)

-- Each callback has its own, also in a call of a callback.
local function inner(k)
  return c.longest(3, function(n) collectgarbage() return ('abc'):sub(n + 1, n + 1):rep(50 * (k + n + 1)) end)
end
assert(c.longest(4, inner) == ('c'):rep(300))

-- The header has no `const`, and C passes no user data.
assert(c.length(function() return 'four' end) == 4 and c.length(function() end) == -1 and c.length() == -1)
assert(not pcall(c.length, function() return 4 end))

-- In a struct; the error return value is a string of C.
assert(c.lengths(3, function(k) return ('x'):rep(k) end) == 3)
raises('no', c.lengths, 2, fail)
assert(c.strictly(function() return 'yes' end) and not c.strictly(function() return 'no' end))
raises('no', c.strictly, fail)

-- A callback that outlives its call: C uses a chunk until it asks for the next one, in a later call.
local function chunks(rest)
  return function()
    local one = table.remove(rest, 1)
    return one and one .. (' '):rep(100)
  end
end
local reader = c.Reader()
assert(reader:word() == nil)
reader:set(chunks {'one two', '', 'three'})
local words = {}
for word in function() return reader:word() end do
  collectgarbage()
  words[#words + 1] = word
end
assert(table.concat(words, ',') == 'one,two,three' and reader:word() == nil)
reader:set(chunks {'a bb', 'c'})
assert(reader:word() == 'a')
reader:set(fail)
raises('no', reader.word, reader)
reader:set(function() return 5 end)
raises("Reader.set(): argument 'chunk' returned 'result': wanted a string, got 5", reader.word, reader)
reader:set()
assert(reader:word() == nil)
reader:close()
assert(c.live() == 0)
