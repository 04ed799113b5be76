local fp = require 'fishplate'
local m = require 'index_arrays'
local support = require 'support'
local raises, same = support.raises, support.same

local function where(name, argument)
  return ("%s(): argument '%s': "):format(name, argument)
end

-- The values of index arrays are C's: they count from 0 unless the interface has another base.
local indptr, indices, data = {0, 2, 2, 3}, {0, 3, 1}, {1, 2, 5}
local x = {1, 10, 100, 1000}
same(m.matvec(3, indptr, indices, data, x), 'float64', {3}, {2001, 0, 50})
local long = fp.tensor(indices, 'int64')
same(m.matvec(3, fp.tensor(indptr, 'int64'), long, data, x), 'float64', {3}, {2001, 0, 50})
local of = where('matvec', 'indptr')
raises(of .. 'element 1 is 1, but offsets begin with 0', m.matvec, 3, {1, 2, 2, 3}, indices, data, x)
raises(of .. 'element 3 is 1, less than the one before it, 2', m.matvec, 3, {0, 2, 1, 3}, indices, data, x)
raises(of .. 'element 4 is -1, less than the one before it, 2', m.matvec, 3, {0, 2, 2, -1}, indices, data, x)
raises(of .. 'an array of offsets has one element at least', m.matvec, -1, {}, {}, {}, x)
of = where('matvec', 'indices')
raises(of .. 'dimension 1 of shape {2} is 2, but indptr[m] is 3', m.matvec, 3, indptr, {0, 3}, data, x)
raises(of .. 'element 2 is 4, but an index is from 0 to 3: n is 4', m.matvec, 3, indptr, {0, 4, 1}, data, x)
raises(of .. 'element 1 is 0, but there is nothing to index: n is 0', m.matvec, 3, indptr, indices, data, {})
assert(m.sizes_alone(2, {0, 1, 2}, {7, 8}) == 8)
raises(where('sizes_alone', 'ai') .. 'dimension 1 (ap[n]) overflowed, divided by zero or was read beyond an array',
  m.sizes_alone, 3, {0, 1, 2}, {7, 8})
raises(where('sizes_alone', 'ai') .. 'dimension 1 of shape {2} is 2, but ap[n] is -2', m.sizes_alone, 2, {0, 1, -2}, {7, 8})

same(m.expand {0, 2, 2, 3}, 'int32', {3}, {0, 0, 2})
assert(m.ends {3, 9, 200} == 197)
raises(where('ends', 'first') .. 'its value overflowed, divided by zero or was read beyond an array', m.ends, {})
same(m.gather(x, {3, 0}), 'float64', {2}, {1000, 1})
local bad = {{1, 2, 3}, {4, 4, 5}}
assert(m.area(x, {{1, 2, 3}, {4, 4, 4}}) == 3111)
for _, name in ipairs {'area', 'area_columns'} do
  raises(where(name, 'triangles') .. 'element {2, 3} is 5, but an index is from 1 to 4: n is 4', m[name], x, bad)
end
assert(m.fortran_rows(1, 2, {1, 2, 4}, {1, 2, 3}) == 6 and m.fortran_rows(1, 2, {1, 2, 4}) == 0)
raises(where('fortran_rows', 'starts') .. 'element 1 is 0, but offsets begin with 1', m.fortran_rows, 1, 2, {0, 2, 4})

local p = fp.tensor({2, 0, 1}, 'int32')
m.permute(p, {1, 2, 0})
same(p, 'int32', {3}, {0, 1, 2})
raises(where('permute', 'q') .. 'element 2 is 5, but an index is from 0 to 2: n is 3', m.permute, p, {0, 5, 0})
same(p, 'int32', {3}, {0, 1, 2})

local v = m.Vec(3)
v:set {1, 2, 3}
same(v:get(), 'float64', {3}, {1, 2, 3})
same(v:twice(), 'float64', {6}, {1, 1, 2, 2, 3, 3})
raises("Vec.set(): argument 'x': dimension 1 of shape {2} is 2, but v->n is 3", v.set, v, {1, 2})
