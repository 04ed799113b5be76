local m = require 'sparse_matrices'
local support = require 'support'

-- Lua has no type of sparse matrices: their parts are arguments, as in C.
local indptr, indices, data = {0, 2, 2, 3}, {0, 3, 1}, {1, 2, 5}
support.same(m.matvec(3, 4, indptr, indices, data, {1, 10, 100, 1000}), 'float64', {3}, {2001, 0, 50})
support.raises("matvec(): argument 'x': dimension 1 of shape {2} is 2, but n is 4", m.matvec, 3, 4, indptr, indices, data, {1, 2})
support.same(m.column_sums({0, 1, 3}, {2, 0, 1}, {1, 2, 3}), 'float64', {2}, {1, 5})
local made = m.Matrix(3, indptr, indices, data, 4)
assert(made:sum() == 8 and made:add(indptr, indices, {10, 20, 30}, 3, 4) == 12 and made:sum() == 68)
