local fp = require 'fishplate'
local m = require 'fortran_source'
local s = require 'support'
local raises, same = s.raises, s.same

local a, x = {{0, 1, 2}, {3, 4, 5}}, {1, 2, 3}
same(m.matvec(a, x), 'float64', {2}, {8, 26})
local changed = fp.tensor(a, 'float64')
m.scale_columns(changed, x)
same(changed, 'float64', {2, 3}, {{0, 2, 6}, {3, 8, 15}})
raises("matvec(): argument 'x': ...", m.matvec, a, {1, 2})
assert(m.norm(x) == 14)
same(m.running(x), 'float64', {3}, {1, 3, 6})
raises('running(): running_sum returned status 2', m.running, {1, -1})
same(m.tabulate(function(k) return k * k end, 3), 'float64', {3}, {1, 4, 9})
raises('no', m.tabulate, function() error('no', 0) end, 3)
