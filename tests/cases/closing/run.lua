local m = require 'closing'
local raises = require('support').raises

-- A failure leaves the object open.
local a = m.Archive()
a:lock()
raises('Archive.close(): it is locked', a.close, a)
assert(not a:closed() and m.live() == 1)
a:lock(0)
a:close()
assert(a:closed() and m.live() == 0 and m.closed() == 2)
-- Closing twice is a no-op.
a:close()
assert(m.closed() == 2)

-- An object that is not closed is released by `free`, which reports nothing.
a = m.Archive()
a:lock()
a = nil
collectgarbage()
collectgarbage()
assert(m.live() == 0 and m.closed() == 3)

-- The object is gone, whatever C returns, and the other object is free to close.
a = m.Archive()
local r = m.Reader(a, 1)
raises('...another object refers to this Archive, which C destroys', a.close, a)
raises('Reader.close(): reader_close returned status 1', r.close, r)
assert(r:closed() and m.live() == 1)
a:close()
a = m.Archive()
r = m.Reader(a)
r:close()
a:close()
assert(m.live() == 0)

-- Hidden arguments, a return code that is an argument, and a callback that the object retains.
local seen
local s = m.Stream(0)
assert(m.close(s) == 0)
s:watch(function(what)
  seen = what
  return 0
end)
raises('Stream.close(): stream_close returned status 3', s.close, s)
assert(s:closed() and seen == 0 and m.live() == 0)

-- An object of the library is only marked as closed.
local before = m.closed()
local standard = m.standard()
standard:close()
assert(standard:closed() and m.closed() == before)

-- The end of a block of Lua 5.4.
if _VERSION == 'Lua 5.4' then
  local block = load [[
    local m = ...
    local a <close> = m.Archive()
    a:lock()
  ]]
  raises('Archive.close(): it is locked', block, m)
  collectgarbage()
  collectgarbage()
end
assert(m.live() == 0)
