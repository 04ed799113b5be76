local fp = require 'fishplate'
local m = require 'status'
local s = require 'support'
local raises, same = s.raises, s.same

assert(select('#', m.check(0)) == 0)
for _, wrong in ipairs{1, -1, 2147483647, -2147483648} do
  raises(('check(): check_value returned status %d'):format(wrong), m.check, wrong)
end
assert(m.root(4) == 2)
raises('root(): root returned status -33', m.root, -4)

local x = fp.tensor{1, 2, -1, 3}
raises('bump_all(): bump_all returned status 3', m.bump_all, x)
same(x, 'float64', {4}, {2, 3, -1, 3})
local wide = fp.tensor{1, 0, 2, 0, -1, 0, 3, 0}
raises('bump_all(): bump_all returned status 3', m.bump_all, wide[{{1, -1, 2}}])
same(wide, 'float64', {8}, {1, 0, 2, 0, -1, 0, 3, 0})
-- A long copy is released before the error is raised.
raises('bump_all(): bump_all returned status 1', m.bump_all, fp.full({1000, 2}, -1)[{{}, 1}])

assert(select('#', m.wide(0)) == 0)
raises('wide(): wide returned status 7', m.wide, 7)
raises('wide(): wide returned status 18446744073709551615', m.wide, '18446744073709551615')
