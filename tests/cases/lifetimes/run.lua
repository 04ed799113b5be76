local m = require 'lifetimes'
local fishplate = require 'fishplate'
local s = require 'support'
local raises, same = s.raises, s.same

local function counts()
  collectgarbage()
  collectgarbage()
  return m.counts()
end

-- An object stays alive until the call that uses it is over, whatever closes it.
local w = m.Walk(5)
assert(w:run(0.5, 3, function(x) w:close() return 1 end) == 8)
assert(w:closed() and counts() == 0, 'released with the end of the call')
raises("Walk.at(): argument 'w': this Walk is closed", w.at, w)

-- In every position, also twice, and if the call fails.
local a, b = m.Walk(1), m.Walk(2)
assert(m.meet(a, 10, function() a:close() b:close() end, b) == 12)
assert(a:closed() and b:closed() and counts() == 0)
a, b = m.Walk(1), m.Walk(2)
local good, why = pcall(m.meet, a, 10, function() a:close() b:close() error("no", 0) end, b)
assert(not good and why == 'no' and m.counts() == 0)
w = m.Walk(3)
assert(m.meet(w, 1, function() w:close() end, w) == 6 and counts() == 0)
w = m.Walk(3)
assert(m.meet(w, 2, function() w:close() end) == 6 and counts() == 0)

-- A call within a call.
w = m.Walk()
local inner
assert(w:run(1, 1, function()
  inner = w:run(1, 2, function() w:close() return 0 end)
  return 0
end) == 3)
assert(inner == 2 and counts() == 0)

-- The callback of another call, a coroutine, and the collector's finalizers.
a, b = m.Walk(1), m.Walk(2)
a:run(1, 1, function()
  b:run(1, 1, function() a:close() return 0 end)
  coroutine.wrap(function() b:close() end)()
  return 0
end)
assert(a:closed() and b:closed() and counts() == 0)
-- Strings that make the collector run; the finalizer belongs to a table if this Lua supports that.
local function finalized(f)
  if newproxy then
    local proxy = newproxy(true)
    getmetatable(proxy).__gc = f
  else
    setmetatable({}, {__gc = f})
  end
end
w = m.Walk(7)
assert(w:run(1, 4, function()
  finalized(function() w:close() end)
  collectgarbage()
  collectgarbage()
  return 0
end) == 11)
assert(w:closed() and counts() == 0)
-- It runs wherever a call allocates: the call continues with the object, or is refused.
local refused, closed = 0, 0
for round = 1, 3000 do
  local w = m.Walk(round)
  finalized(function() w:close() end)
  local good, why = pcall(w.after, w, function() return {} end)
  if not good then
    refused = refused + 1
    assert(tostring(why):find('closed', 1, true), why)
  end
  if w:closed() then closed = closed + 1 end
end
assert(refused <= closed and counts() == 0)

-- Uses of the object by C after the call, and views of it.
w = m.Walk(4)
local path = w:path(3, function() w:close() return 2 end)
assert(w:closed() and m.counts() == 1)
same(path, 'float64', {8}, {2, 4, 6, 0, 0, 0, 0, 0})
path = nil
assert(counts() == 0)
w = m.Walk(4)
local at
path, at = w:after(function() w:close() end)
assert(at == 4 and path.shape[1] == 4 and counts() == 0)

-- <close>, in Luas that have it.
if _VERSION == 'Lua 5.4' then
  local result = load [[
    local m = ...
    local w = m.Walk(1)
    return w:run(1, 2, function() do local again <close> = w end return 0 end)
  ]](m)
  assert(result == 3 and counts() == 0)
end

-- Memory that C may use after the call: the caller's, or the copy that was made of it.
for _, values in ipairs {'tensor', 'table', 'view', 'integers'} do
  local x = {1, 2, 3}
  if values == 'tensor' then x = fishplate.tensor(x) end
  if values == 'view' then x = fishplate.tensor {1, 0, 2, 0, 3, 0}:slice(1, 1, 6, 2) end
  if values == 'integers' then x = fishplate.tensor(x, 'int32') end
  local box = m.Box(x)
  x = nil
  collectgarbage()
  collectgarbage()
  assert(box:number(0) == 1 and box:number(2) == 3, values)
end
local many = {}
for k = 1, 2000 do many[k] = k end
local box = m.Box(many)
many = nil
collectgarbage()
assert(box:number(1999) == 2000)
box = m.Box(('x'):rep(1000) .. 'y')
collectgarbage()
assert(box:at(1000) == 121)
local x = fishplate.zeros {3}
box = m.writable(x)
box:write(1, 5)
assert(x[2] == 5)
box = m.borrowed(x)
box:write(2, 6)
assert(x[3] == 6)
-- Each of many objects refers to the one before it.
local walk = m.Walk(0)
for _ = 1, 20000 do walk = walk:next() end
assert(walk:at() == 20000 and counts() == 20001)
walk = nil
assert(counts() == 0)
-- A copy that C goes on writing to belongs to the box.
box = m.inplace(fishplate.tensor {1, 0, 2, 0}:slice(1, 1, 4, 2))
collectgarbage()
box:write(1, 7)
assert(box:number(1) == 7)
box, x = nil, nil
local walks, boxes = counts()
assert(walks == 0 and boxes == 0)
