local fp = require 'fishplate'
local m = require 'callback_sizes'
local support = require 'support'
local raises, same = support.raises, support.same

-- The sizes of the arrays are those of the call.
local y = m.euler({1, 2, 3}, function(t, y) return {#y, t, y[1]} end, 2)
same(y, 'float64', {3}, {7, 3, 8})
same(m.euler_again({4, 5}, function(t, y) return {-y[1], -y[2]} end), 'float64', {2}, {0, 0})
raises("euler(): argument 'f' returned 'dydt': dimension 1 of shape {2} is 2, but must be 3",
  m.euler, {1, 2, 3}, function() return {1, 2} end)
raises('oops', m.euler, {1, 2, 3}, function() error('oops') end)

-- Fields of a struct.
local sum
sum, y = m.trace(function(t, y) return {2 * y[1], 2 * y[2]} end, {1, 2}, function(t, y)
  return {{y[1], 0}, {0, y[2]}}, {1, 1}
end)
assert(sum == 5)
same(y, 'float64', {2}, {3, 6})
raises("trace(): cz_trace returned status 3", m.trace, function(t, y) return y end, {1})

-- Without user data; a size is computed.
assert(m.fill(2, 2, function() return {{0, 1, 2}, {3, 4, 5}} end) == 15)
assert(m.fill(2, -2, function() error('not called') end) == -1)
raises("fill(): argument 'fill' returned 'a': dimension 2 of shape {2, 2} is 2, but must be 3",
  m.fill, 2, 2, function() return {{1, 2}, {3, 4}} end)

-- Of an object, which retains the function or accepts it.
local model = m.Model(3)
model:set(function(x) return #x + x[3] end)
assert(model:at {1, 2, 4} == 7)
assert(model:apply(function(x) return #x end, {1, 1, 1}) == 6)
