local m = require 'retained_structs'
local support = require 'support'
local collect, raises, same = support.collect, support.raises, support.same

local function negated(y)
  local dydt = {}
  for k = 1, #y do dydt[k] = -y[k] end
  return dydt
end
local function decay(t, y) return negated(y), 0 end

-- The struct exists as long as the solver, with its function, its table and its string.
local s = m.Solver(decay, {3, 2}, nil, 'sys' .. #'12')
collect()
same(s:step(0, 0.5, {1, 1}), 'float64', {2}, {-0.5, 0})
assert(s:memory() == 9)
s:close()
assert(m.last_freed() == 9 and m.alive() == 0)

-- Sizes of the function's arrays are fields of the struct, also before the object exists.
local sizes = {}
s = m.Solver(function(t, y)
  sizes[#sizes + 1] = #y
  return negated(y), 0
end, {1, 1, 1}, nil, nil, nil, 2)
assert(#sizes == 2 and sizes[1] == 3 and sizes[2] == 3)
raises("Solver(): argument 'function' returned 'dydt': dimension 1 of shape {1} is 1, but must be 3",
  s.step, m.Solver(function() return {1}, 0 end, {1, 1, 1}), 0, 1, {1, 2, 3})

-- Two functions of a struct share its user data.
s = m.Solver(decay, {1, 1}, function(t, y) return {{y[1], 0}, {0, y[2]}} end)
assert(s:trace(0, {3, 4}) == 7)
s = m.Solver(decay, {1, 1})
raises('Solver.trace(): ks_trace returned status 3', s.trace, s, 0, {3, 4})

-- Errors are those of the call that calls the function; C receives a field of the struct.
local function fail() error('oops', 0) end
s = m.Solver(fail, {1}, nil, nil, 11)
raises('oops', s.step, s, 0, 1, {1})
assert(s.last == 11)
raises('oops', m.Solver, fail, {1}, nil, nil, nil, 1)

-- Without an object, nothing is retained.
local weak = setmetatable({}, {__mode = 'v'})
do
  local function f(t, y) return y, 0 end
  weak.f = function(t, y) return f(t, y) end
  raises('Solver(): ks_new returned NULL', m.Solver, weak.f, {1, 2}, nil, nil, nil, 1, 1)
  raises('open(): ks_open returned status 4', m.open, weak.f, {1, 2}, nil, nil, nil, 4)
  local o = m.open(weak.f, {1, 1})
  collect()
  same(o:step(0, 1, {1, 2}), 'float64', {2}, {2, 4})
  o:close()
end
s = nil
collect()
assert(weak.f == nil and m.alive() == 0)

-- A later call replaces the struct, unless it fails.
s = m.Solver(decay, {1, 1})
s:set_system(function(t, y) return y, 0 end, {1, 1})
collect()
same(s:step(0, 1, {1, 2}), 'float64', {2}, {2, 4})
raises('Solver.set_system(): ks_set_system returned status 5', s.set_system, s, decay, {2}, nil, nil, nil, 5)
same(s:step(0, 1, {1}), 'float64', {1}, {-1})
raises('Solver.set_system(): ks_set_system returned status -1', s.set_system, s,
  function(t, y) return y, 0 end, {1, 2}, nil, nil, nil, -1)
collect()
same(s:step(0, 1, {1}), 'float64', {1}, {-1}) -- C uses the struct before
s:set_system(decay, {1, 2, 3}, nil, 'abc')
collect()
assert(s:memory() == 9)

-- Each function of a struct may be absent; the user data leads to the last ones.
local steps = {}
local function begin(step) steps[#steps + 1] = step end
s = m.Solver(decay, {1})
s:set_events(begin)
s:set_events(nil, function(step, value) return value + 10 * step end)
same(s:step(0, 1, {1}), 'float64', {1}, {0})
same(s:step(0, 1, {1}), 'float64', {1}, {10})
assert(#steps == 0)
s:set_events(begin, function() return 5 end)
collect()
same(s:step(0, 1, {1}), 'float64', {1}, {5})
s:set_events()
same(s:step(0, 1, {1}), 'float64', {1}, {0})
assert(#steps == 1 and steps[1] == 2)
s:keep_events(begin)
s:keep_events(nil, function() return 7 end)
collect()
same(s:step(0, 1, {1}), 'float64', {1}, {7})

-- `keep` retains all.
for k = 0, 3 do
  local ones = {}
  for j = 1, k + 1 do ones[j] = 1 end
  s:add_option(ones, ('x'):rep(k), 2)
end
collect()
assert(s:memory() == 1 + 20 + 6)
raises('Solver.add_option(): ks_add_option returned status 1', s.add_option, s, {}, '')
s:close()
assert(m.last_freed() == 27)

-- Arguments that a new object retains, without a struct.
local inner = m.named('inner' .. #steps, {1})
local outer = m.named('outer' .. #steps, {1}, inner)
inner:close()
collect()
assert(outer:memory() == 12 and m.alive() == 2)
outer:close()
assert(m.last_freed() == 6 and m.alive() == 0)
raises('named(): ks_named returned NULL', m.named, 'x', {1, 1, 1, 1})

-- Until a function of the module is called.
assert(m.run_hook(1) == -1)
m.hook(function(x) return 2 * x end, {1, 2})
collect()
assert(m.run_hook(1) == 6)
m.hook(function(x) return 3 * x end, {1})
assert(m.run_hook(1) == 6)
m.unhook()
assert(m.run_hook(1) == -1)
collect()

-- An object that is left is released when the state is closed.
s = m.Solver(decay, {1, 2}, nil, 'left')
