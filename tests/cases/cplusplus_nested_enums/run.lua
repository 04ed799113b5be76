local m = require("cplusplus_nested_enums")
local s = require("support")

local Kind = m.Shape_Kind
assert(Kind.circle == 1 and Kind.square == 2 and m.Line_Kind.curved == 1 and m.Kind == nil)
local shape = m.Shape(Kind.circle, m.Shape_Flags.filled + m.Shape_Flags.dashed)
assert(shape:kind() == Kind.circle and shape:flags() == 3)
shape:set_kind(Kind.square)
shape.current = Kind.circle
assert(shape:kind() == 2 and shape.current == 1)
assert(m.kinds()[2] == Kind.square and m.count({1, 2, 2})[2] == 2)
assert(m.Line(m.Line_Kind.curved):line() == 1)
assert(m.other(Kind.circle) == Kind.square and m.odd() == 9)
s.raises("other(): argument 'kind': 3 is not a member of Kind (circle, square)", m.other, 3)
s.raises("...element 1 is 9, not a member of Kind (circle, square)", m.count, {9})
