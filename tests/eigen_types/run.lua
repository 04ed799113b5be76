local m = require 'eigen_types'
local raises = require('support').raises

local made = m.product({{1, 2}, {3, 4}}, {{1, 0, 1}, {0, 1, 1}})
assert(made[1][3] == 3 and made[2][1] == 3 and made[2][3] == 7)
raises('the sizes differ', m.product, {{1, 2}}, {{1, 2}})
assert(m.trace({{1, 2}, {3, 4}}) == 5 and m.cross({1, 0, 0}, {0, 1, 0})[3] == 1 and m.table()[2][1] == 4)
raises("cross(): argument 'x': ...", m.cross, {1, 0}, {0, 1, 0})
local values, vectors = m.eigen({{2, 0}, {0, 3}})
assert(values[2] == 3 and math.abs(vectors[2][2]) == 1)
local fit = m.Fit({{1, 0}, {1, 1}}, {1, 3})
assert(math.abs(fit.weights[2] - 2) < 1e-9)
fit.weights = {0, 1}
assert(fit({{5, 7}})[1] == 7)
