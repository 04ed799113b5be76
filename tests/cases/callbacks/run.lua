local c = require 'callbacks'
local fishplate = require 'fishplate'
local s = require 'support'
local raises, same = s.raises, s.same

-- Numbers by value: any function, also one that calls the same function.
assert(math.abs(c.integrate(function(x) return x * x end, 0, 1) - 1 / 3) < 1e-3)
assert(math.abs(c.integrate(math.sin, 0, math.pi, 10) - 2) < 0.01)
local inner = 0
local area = c.integrate(function(x)
  return c.integrate(function(y)
    inner = inner + 1
    return x * y
  end, 0, 1, 2)
end, 0, 1, 2)
assert(area == 0.25 and inner == 4)

-- The call raises the callback's error, of any type; Lua is not called any more.
local calls, told = 0, {}
local good, why = pcall(c.integrate, function()
  calls = calls + 1
  error(told)
end, 0, 1)
assert(not good and why == told and calls == 1)
good, why = pcall(c.integrate, function() error() end, 0, 1)
assert(not good and why == nil)
raises("integrate(): argument 'f' returned 'result': wanted a number (float64), got string", c.integrate,
  function() return 'one' end, 0, 1)
raises("integrate(): argument 'f': wanted a function, got 1", c.integrate, 1, 0, 1)
local callable = setmetatable({}, {__call = function(self, x) return 2 * x end})
assert(c.integrate(callable, 0, 1) == 1)

-- It cannot yield; a coroutine may call back.
local thread = coroutine.wrap(function()
  return c.integrate(function(x) return x end, 0, 1)
end)
assert(math.abs(thread() - 0.5) < 1e-12)
assert(not coroutine.resume(coroutine.create(function()
  return c.integrate(function() coroutine.yield() end, 0, 1)
end)))

-- A struct, and one that may be NULL.
assert(math.abs(c.root(function(x) return x * x - 2 end, 0, 2) - math.sqrt(2)) < 1e-12)
good, why = pcall(c.root, function() error('no', 0) end, 0, 2)
assert(not good and why == 'no')
raises('root(): curve_root returned status 5', c.root, function() return 0 / 0 end, 0, 2)
assert(math.abs(c.slope(function(x) return x * x end, 3) - 6) < 1e-5)
assert(math.abs(c.slope(function(x) return x * x end, 3, function() return 2 end) - 12) < 1e-4)

-- Strings, and a return code: nothing is 0, an error 1. NULL is false there.
local seen = {}
local given = {}
c.attributes(function(texts, x) given[#given + 1] = #texts .. x[3] end)
assert(table.concat(given, " "):gsub("%.0", "") == "25 05")
c.rows(2, function(values, names) seen[#seen + 1] = {values, names} end)
assert(#seen == 2 and seen[1][1][2] == 'even' and seen[2][1][2] == false and seen[1][2][2] == 'höhe')
raises("rows(): argument 'row' returned 'result': wanted nothing, got 0", c.rows, 1, function() return 0 end)

-- Arrays: views that are read-only, and results that are copied and checked.
local y = fishplate.tensor {1, 2}
assert(c.ode(1, function(t, y) return {-y[1], -y[2]} end, y) == 1)
assert(math.abs(y[1] - 0.9) < 1e-12 and math.abs(y[2] - 1.8) < 1e-12)
c.ode(1, function(t, y) return y end, y)
assert(math.abs(y[1] - 0.99) < 1e-12)
good, why = pcall(c.ode, 1, function() return {1, 2, 3} end, y)
assert(not good and why:find("ode(): argument 'f' returned 'dydt': dimension 1", 1, true), why)
y = fishplate.tensor {1, 2}
good, why = pcall(c.ode, 1, function(t, y) y[1] = 2 return {0, 0} end, y)
assert(not good and why:find('read-only', 1, true), why)
-- A retained argument does not refer to C memory any more.
local kept
y = fishplate.tensor {1, 2}
c.ode(1, function(t, y) kept = y return {0, 0} end, y)
assert(y[1] == 1)
good, why = pcall(function() return kept[1] end)
assert(not good and why:find('uninitialised tensor', 1, true), why)

local a = fishplate.zeros({3, 2}):transpose()
c.scale(function(a, k)
  assert(k == 3 and a.shape[1] == 2 and a.shape[2] == 3)
  a[{2, 3}] = k
end, a)
assert(a[{2, 3}] == 3 and a[{1, 1}] == 0)

-- Several results, in order, the C result last.
local x, both = c.divide(function(a, b, x) return a % b, x * 2, (a - a % b) / b end, 17, 5)
raises("divide(): argument 'f': must return 3 values (rest, x, result), returned 2", c.divide,
       function(a, b, x) return a % b, x end, 17, 5)
raises("divide(): argument 'f': must return 3 values (rest, x, result), returned 0", c.divide, function() end, 17, 5)
assert(not pcall(c.divide, function(a, b, x) return a % b, x, nil end, 17, 5))
assert(x == 1 and both == 3002)

-- Without data, also in one another.
local values = fishplate.tensor {3, 1, 2}
local function order(a, b) return a < b and -1 or a > b and 1 or 0 end
c.sort(values, order)
same(values, 'float64', {3}, {1, 2, 3})
c.sort(values, function(a, b)
  local other = fishplate.tensor {1, 2}
  c.sort(other, function(a, b) return order(b, a) end)
  same(other, 'float64', {2}, {2, 1})
  return order(b, a)
end)
same(values, 'float64', {3}, {3, 2, 1})

-- NULL is nil, to C and from it.
assert(c.spell() == -1 and c.spell(nil) == -1)
local words = {}
assert(c.spell(function(word, raw)
  words[#words + 1] = tostring(word) .. ' ' .. #raw
  return #raw
end) == 3)
assert(words[1] == 'grün 3' and words[2] == 'nil 0')

-- Callbacks that share their data.
assert(c.area(function(x) return x + 1 end, 1, 3) == 6)
local function product(n, key) return n * key end
local function count(n) return n end
assert(c.run(product, count, 10, function(n, key) return n + key end) == 25)
assert(c.run(product, count, 10) == 12)
assert(math.abs(c.minimize(function(x) return (x - 2) ^ 2 + 1 end, function(x) return 2 * (x - 2) end, 0) - 1) < 1e-9)

-- Lua runs on no other thread.
raises("threads(): argument 'f': C called it on another thread or in another call, where Lua cannot run",
  c.threads, 2, function() return 1 end)

-- Overloads: a function fits a callback.
assert(c.either(function() return 1 end, 0, 2) == 2 and c.either(4) == 8)

-- Retained as long as the handle exists; replaced by the next.
local function listener(heard)
  return function(source, what)
    assert(not source:closed())
    heard[#heard + 1] = what
    if what < 0 then error('below', 0) end
  end
end
local function is_collected(weak)
  collectgarbage()
  collectgarbage()
  return weak[1] == nil
end
local source = c.Source()
local first, second = {}, {}
local heard = listener(first)
local weak = setmetatable({heard}, {__mode = 'v'})
source:listen(heard)
heard = nil
assert(not is_collected(weak))
assert(source:tell(1) == 1 and first[1] == 1)
good, why = pcall(source.tell, source, -1)
assert(not good and why == 'below')
source:listen(listener(second))
assert(is_collected(weak))
source:tell(2)
assert(second[1] == 2)
source:close()
assert(second[2] == 0)

-- nil is NULL, and drops the last.
source = c.Source()
heard = listener({})
weak = setmetatable({heard}, {__mode = 'v'})
source:listen(heard)
heard = nil
source:listen(nil)
assert(is_collected(weak) and source:tell(1) == 0)

-- A handle given to a callback is closed when that returns.
local given
source:listen(function(from) given = from end)
source:tell(7)
assert(given:closed())

-- Retained until another function is called.
c.watch(function(what) return what + 1 end)
collectgarbage()
assert(c.show(5) == 6)
heard = function(what) return what end
weak = setmetatable({heard}, {__mode = 'v'})
c.watch(heard)
heard = nil
assert(c.show(5) == 5 and not is_collected(weak))
c.unwatch()
assert(is_collected(weak) and c.show(5) == -1)

-- Several retained at once, under names and numbers.
local bus = c.Bus()
local function answering(factor)
  return function(context, tokens)
    local sum = 0
    for _, token in ipairs(tokens) do sum = sum + token:value() end
    context:answer(factor * sum)
  end
end
bus:on('a', 1, answering(1))
bus:on('a', 2, answering(2))
bus:on('b', nil, answering(3))
bus:on('a', 12, answering(4))
collectgarbage()
assert(bus:emit('a', 1, 1) == 3 and bus:emit('a', 2, 1) == 6 and bus:emit('b', 0, 1) == 9)
assert(bus:emit('a', 12, 1) == 12)
raises('Bus.emit(): nobody answered', bus.emit, bus, 'c', 1, 1)

-- The same name and number replace; nil removes the callback of this key, and no other.
local handlers = setmetatable({answering(5), answering(6)}, {__mode = 'v'})
bus:on('a', 1, handlers[1])
bus:on('b', 0, handlers[2])
collectgarbage()
assert(bus:emit('a', 1, 1) == 15 and bus:emit('b', 0, 1) == 18)
bus:on('a', 1, answering(7))
assert(is_collected(handlers) and handlers[2] ~= nil and bus:emit('a', 1, 1) == 21)
bus:on('b', 0, nil)
collectgarbage()
collectgarbage()
assert(handlers[2] == nil)
raises('Bus.emit(): nobody answered', bus.emit, bus, 'b', 0, 1)
assert(bus:emit('a', 2, 1) == 6)

-- One that C refuses replaces none.
raises('Bus.on(): refused', bus.on, bus, ('a'):rep(16), 1, answering(1))
raises('Bus.on(): refused', bus.on, bus, 'a', -1, answering(1))
assert(bus:emit('a', 1, 1) == 21)

-- A callback that fails reports it in C's way, and the call raises its error; by then C's objects are closed,
-- including those that were taken out of the table.
local lent = {}
local function spoiled(context, tokens)
  assert(not context:closed() and #tokens == 2)
  lent = {context, tokens[1], tokens[2]}
  tokens[1] = nil
  error('spoiled', 0)
end
bus:on('a', 1, spoiled)
raises('spoiled', bus.emit, bus, 'a', 1, 1)
assert(lent[1]:closed() and lent[2]:closed() and lent[3]:closed())
raises('...closed', lent[2].value, lent[2])
raises('spoiled', c.ask, spoiled, 1)
raises('spoiled', c.ask_inline, spoiled, 1)
assert(c.ask(answering(1), 2) == 6 and c.ask_inline(answering(1), 2) == 6)

-- Once C has received one, it may call it, even if the call that passed it has failed.
local ready = false
raises('not now', bus.begin, bus, 'f', function(context, tokens)
  if not ready then error('not now', 0) end
  answering(1)(context, tokens)
end, 1)
collectgarbage()
ready = true
assert(bus:emit('f', 0, 1) == 3)
raises('Bus.begin(): bus_begin returned status 1', bus.begin, bus, ('f'):rep(16), answering(1), 1)
handlers = setmetatable({answering(2)}, {__mode = 'v'})
assert(bus:begin('f', handlers[1], 1) == 6)
assert(bus:begin('f', answering(3), 1) == 9)
assert(is_collected(handlers))

-- Nested calls: each callback that C may call exists.
assert(bus:begin('f', function(context)
  bus:begin('f', answering(4), 1)
  context:answer(1)
end, 1) == 1)
collectgarbage()
assert(bus:emit('f', 0, 1) == 12)

-- All end with the handle.
handlers = setmetatable({answering(1)}, {__mode = 'v'})
bus:on('z', 0, handlers[1])
bus:close()
assert(is_collected(handlers))

-- Retained by the object that the same call creates.
for _, make in ipairs {c.bus_with, c.bus_open} do
  handlers = setmetatable({answering(1)}, {__mode = 'v'})
  bus = make('m', handlers[1])
  collectgarbage()
  assert(bus:emit('m', 0, 1) == 3)
  bus:close()
  assert(is_collected(handlers))
  handlers = setmetatable({answering(1)}, {__mode = 'v'})
  raises('...bus_...', make, ('m'):rep(16), handlers[1])
  assert(is_collected(handlers))
end
assert(not c.bus_with('m'):closed())
raises('spoiled', c.bus_open, 'm', spoiled)

-- Under an enum, until another function is called.
local watchers = setmetatable({function(what) return what end, function(what) return what * 2 end}, {__mode = 'v'})
c.on_kind(watchers[1], c.Kind.LOUD)
c.on_kind(watchers[2], c.Kind.QUIET)
collectgarbage()
assert(c.emit_kind(c.Kind.LOUD, 4) == 4 and c.emit_kind(c.Kind.QUIET, 4) == 8)
c.on_kind(function(what) return -what end, c.Kind.LOUD)
assert(is_collected(watchers) and c.emit_kind(c.Kind.LOUD, 4) == -4 and c.emit_kind(c.Kind.QUIET, 4) == 8)
c.off_kinds()
collectgarbage()
assert(watchers[2] == nil and c.emit_kind(c.Kind.QUIET, 4) == -1)
