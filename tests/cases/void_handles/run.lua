local m = require 'void_handles'
local raises = require('support').raises

local shape = m.Shape(3)
local values = m.Values(shape, 1.5)
assert(m.alive() == 2 and values:sum() == 4.5)
raises("Values.sum(): argument 'values': wanted a Values, got void_handles.Shape", values.sum, shape)
raises('Shape(): vh_shape returned NULL', m.Shape, 101)
assert(m.none() == nil)
values:close()
shape:close()
assert(m.alive() == 0)
