local c = require 'callback_objects'
local raises = require('support').raises

local function fail() error('no', 0) end
local function result(f, name, why) return ("%s(): argument '%s' returned 'result': %s"):format(f, name, why) end
local function taken(why) return result('sum_taken', 'make', why) end
local function used(why) return result('sum_used', 'pick', why) end
local function closed(one) one:close() return one end
local function collect() collectgarbage() collectgarbage() end

-- C takes objects over, which are consumed as an `own` argument is.
local kept = {}
local function make(k)
  kept[#kept + 1] = c.Thing(k + 0.5)
  return kept[#kept]
end
assert(c.sum_taken(4, make) == 8 and c.live() == 0)
raises("Thing.value(): argument 't': this Thing was consumed: C owns it", kept[1].value, kept[1])
assert(c.sum_taken(3, c.Thing) == 3 and c.live() == 0)
raises('no', c.sum_taken, 3, function(k) return k < 1 and c.Thing(k) or fail() end)
raises(taken('wanted a Thing, got nil'), c.sum_taken, 2, function() end)
raises(taken('wanted a Thing, got 5'), c.sum_taken, 2, function() return 5 end)
raises(taken('this Thing is closed'), c.sum_taken, 2, function() return closed(c.Thing(1)) end)
local one = c.Thing(3)
raises(taken('this Thing was consumed: C owns it'), c.sum_taken, 2, function() return one end)
assert(c.live() == 0)
local whole = c.Thing(5)
local part = c.Part(whole)
raises(taken('another object refers to this Thing, which C takes over'), c.sum_taken, 1, function() return whole end)
part:close()
assert(c.sum_taken(1, function() return whole end) == 5)
local things = c.List(3)
raises(taken('C cannot take over this Thing, which the caller does not own'), c.sum_taken, 1,
  function() return things:at(1) end)
local busy = c.Thing(6)
raises(result('taken_of', 'f', 'this Thing, which C takes over, is also used elsewhere'), c.taken_of, busy,
  function() return busy end)
raises(result('taken_of', 'f', 'C cannot take over this Thing, which the caller does not own'), c.taken_of, busy,
  function(a) return a end)
assert(c.taken_of(busy, function(a) return c.Thing(a:value() + 1) end) == 7 and busy:value() == 6)
busy:close()
things:close()
collect()
assert(c.live() == 0)

-- The object is the last result that is read.
assert(c.joined(function(k, x) return 2 - k, c.Thing(k + x[0 + 1]) end) == 1.5 * 100 + 2.5 * 10 + 3.5)
assert(c.joined(function() return 0, nil end) == 0)
one = c.Thing(1)
assert(not pcall(c.joined, function() return 'one', one end) and one:value() == 1)
assert(not pcall(c.joined, function() return 1 end))
assert(c.joined(function() return 0, one end) == 1 and c.live() == 0)

-- The error return value is an object that C creates.
assert(c.fallback(function() return c.Thing(2) end) == 2)
raises('no', c.fallback, fail)
assert(c.live() == 0)

-- C uses objects until the call returns, each of which is retained once.
local function new(k) collect() return c.Thing(k) end
assert(c.sum_used(5, new) == 10 and c.sum_used(5) == -1)
assert(c.sum_used(1000, function() return c.Thing(1) end) == 1000)
collect()
assert(c.live() == 0)
local same = c.Thing(2)
assert(c.sum_used(1000, function() return same end) == 2000 and same:value() == 2)
raises(used('wanted a Thing, got nil'), c.sum_used, 2, function() end)
raises(used('wanted a Thing, got callback_objects.Part'), c.sum_used, 2, function() return c.Part(same) end)
raises(used('this Thing is closed'), c.sum_used, 2, function() return closed(c.Thing(1)) end)
raises('no', c.sum_used, 3, function(k) return k < 2 and same or fail() end)
collect()
assert(c.live() == 1)

-- It may be closed in the meantime, and is released after the call; C cannot take it over then.
local alone = {c.Thing(1), c.Thing(2)}
assert(c.sum_used(2, function(k)
  if k > 0 then
    alone[k]:close()
    assert(c.live() == 3)
  end
  return alone[k + 1]
end) == 3 and c.live() == 2)
alone[2]:close()
local function taking() return same end
raises(taken('this Thing, which C takes over, is also used elsewhere'), c.sum_used, 2,
  function(k) if k > 0 then c.sum_taken(1, taking) end return same end)
assert(c.live() == 1)

-- Parts refer to things, and callbacks call functions with callbacks.
assert(c.sum_parts(3, function(k) collect() return c.Part(c.Thing(k)) end) == 3)
assert(c.sum_used(3, function(k)
  return c.Thing(c.sum_used(3, function(j) collect() return c.Thing(j * k) end))
end) == 9)
assert(c.sum_of(3, new) == 3)
raises('no', c.sum_of, 3, fail)
assert(c.first(function() return c.Thing(4) end) == 4 and c.first(function() end) == -1)
raises(result('first', 'pick', 'wanted a Thing, got table'), c.first, function() return {} end)

-- An object that C has passed may be returned, as long as it exists.
local a, b = c.Thing(1), c.Thing(2)
assert(c.choose(a, b, function(x) return x end) == 1)
assert(c.choose(a, b, function(_, both) return both[2] end) == 2)
assert(c.choose(a, b, function() return c.Thing(3) end) == 3)
raises('no', c.choose, a, b, fail)
local last
assert(c.choose(a, b, function(x) last = x return b end) == 2)
raises(result('choose', 'f', 'this Thing is closed'), c.choose, a, b, function() return last end)
assert(c.choose(a, b, function(x) last = x return x end) == 1)
raises(result('choose', 'f', 'this Thing is closed'), c.choose, a, b, function() return last end)

-- Objects that the library owns, that the module stores, and that are integers.
assert(c.factor(c.kilo) == 1000)
raises(result('factor', 'f', 'wanted a Unit, got callback_objects.Thing'), c.factor, function() return a end)
assert(c.length(4, function(k) collect() return c.Point(k) end) == 6)
raises(result('length', 'f', 'wanted a Point, got nil'), c.length, 4, function() end)
local nodes = {c.Node(1), c.Node(2)}
local function node(k) return nodes[k + 1] end
local function nothing() end
assert(c.sum_nodes(2, function(k) return c.Node(10 * k) end, node) == 13)
assert(c.sum_nodes(2, function() return c.Node(10) end, nothing) == 20)
raises('no', c.sum_nodes, 2, fail, node)
raises(result('sum_nodes', 'make', 'wanted a Node, got nil'), c.sum_nodes, 2, nothing, nothing)
raises(result('sum_nodes', 'make', 'this Node was consumed: C owns it'), c.sum_nodes, 2,
  function() return nodes[2] end, nothing)
nodes[1]:close()
a:close()
b:close()
collect()
assert(c.live() == 1)

-- On a thread of C, Lua cannot run.
assert(not pcall(c.on_threads, 4, new) and not pcall(c.taken_on_threads, 4, new))

-- A callback that outlives its call retains the objects.
local box = c.Box()
assert(box:next() == -1 and box:value() == 0)
local rest = {c.Thing(1), c.Thing(2), c.Thing(3)}
box:set(function() return table.remove(rest, 1) end)
for k = 1, 4 do assert(box:next() == (k < 4 and k or -1)) end
collect()
assert(box:value() == 6 and c.live() == 4)
box:set(function() return same end)
collect()
assert(c.live() == 1)
for _ = 1, 100 do assert(box:next() == 2) end
assert(box:value() == 200)
raises(taken('another object refers to this Thing, which C takes over'), c.sum_taken, 1, taking)
box:set()
box:set(fail)
raises('no', box.next, box)
box:set(function() return 5 end)
raises(result('Box.set', 'source', 'wanted a Thing, got 5'), box.next, box)
box:set(function() return c.Thing(7) end)
assert(box:next() == 7)
collect()
assert(box:value() == 7)
box:close()
assert(c.released() == 7)
collect()
assert(c.live() == 1)

-- A closed object exists until the box is released, which still uses it.
box = c.Box()
alone = c.Thing(8)
box:set(function() return alone end)
assert(box:next() == 8)
alone:close()
raises(result('Box.set', 'source', 'this Thing is closed'), box.next, box)
assert(box:value() == 8 and c.live() == 2)
box:close()
assert(c.released() == 15 and c.live() == 1)
box = c.Box()
box:add(function() return c.Thing(1) end)
assert(not pcall(box.add, box, nothing))
box:close()

-- The constructor calls it, before the object exists that retains it.
box = c.Box(function() return c.Thing(3) end, 4)
collect()
assert(c.live() == 5 and box:value() == 12)
assert(box:next() == 3 and box:value() == 15 and c.live() == 6)
box:close()
collect()
assert(c.live() == 1)
box = c.Box(taking, 10)
raises(taken('another object refers to this Thing, which C takes over'), c.sum_taken, 1, taking)
assert(box:value() == 20)
box:close()
raises('Box(): box_new returned NULL', c.Box, function() return c.Thing(1) end, 3, true)
raises('no', c.Box, fail)
local calls = 0
raises('no', c.Box, function()
  calls = calls + 1
  return calls < 3 and c.Thing(1) or fail()
end, 5)
collect()
assert(c.live() == 1)

-- An object that belongs to the one which retains the callback needs not be retained.
things = c.List(3)
things:pick(function() return things:at(2) end)
for _ = 1, 3 do
  collect()
  assert(things:picked() == 2)
end
local outer = c.Thing(1)
things:pick(function() return outer end)
assert(things:picked() == 1)
things:close()
outer:close()
collect()
assert(c.live() == 1)

-- The module retains it.
c.watch(function() return c.Thing(1) end)
for k = 1, 3 do
  assert(c.poke() == k)
  collect()
end
assert(c.live() == 4)
c.watch(taking)
collect()
assert(c.live() == 1)
for k = 1, 3 do assert(c.poke() == 2 * k) end
raises(taken('this Thing, which C takes over, is also used elsewhere'), c.sum_taken, 1, taking)
c.unwatch()
assert(c.sum_taken(1, taking) == 2 and c.live() == 0)

-- Retained as the state is closed.
c.watch(function() return c.Thing(1) end)
assert(c.poke() == 1)
box = c.Box(function() return c.Thing(3) end, 4)
assert(box:value() == 12)
