local fp = require 'fishplate'
local m = require 'kinds'
local s = require 'support'
local raises = s.raises

local c = fp.ones{3, 4}
local f = fp.ones{4, 3}:t()
local strided = fp.ones{6, 8}[{{1, -1, 2}, {1, -1, 2}}]
local both = fp.ones{1, 4}

for _, row in ipairs{{c, 1, 1}, {f, 2, 2}, {strided, 3, 1}, {both, 1, 1}, {c:t(), 2, 2}, {{{1, 1}, {1, 1}}, 1, 1}} do
  assert(m.each(row[1]) == row[2] and m.by_order(row[1]) == row[3])
end
assert(m.by_order(c:copy('float32')) == 4 and m.by_order(fp.ones({4, 3}, 'float32'):t()) == 4)
assert(m.only_c(c) == 1 and m.only_c(both) == 1 and m.only_fortran(f) == 2 and m.only_fortran(both) == 2)
assert(m.vectors(c[1]) == 5)
raises([[only_c(): no overload takes (a tensor of float64 and shape {3, 4}); it takes:
    only_c(a: float64[m, n]) -> int32 for C-contiguous tensors]], m.only_c, f)
raises('only_fortran(): no overload takes ...for F-contiguous tensors', m.only_fortran, c)
raises('vectors(): no overload takes ...', m.vectors, c[{{}, 1}])
