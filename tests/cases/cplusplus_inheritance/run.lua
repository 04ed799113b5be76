local m = require 'cplusplus_inheritance'
local raises = require('support').raises

local shape, circle, ring, named = m.Shape(), m.Circle(2), m.Ring(2, 1), m.Named()
assert(shape:area() == 0 and circle:area() == 12 and ring:area() == 9)
circle.name, ring.name = 'circle', ('ring'):rep(20)
assert(circle.name == 'circle' and m.name_of(ring) == ('ring'):rep(20) and circle:greet() == 'I am circle')
circle.factor = 2
assert(circle:scaled() == 24 and circle.radius == 2 and ring.radius == 2)
assert(ring < m.Ring(3, 0) and m.area_of(ring) == 9 and m.total({shape, circle, ring}) == 21)
raises("area_of(): argument 'shape': wanted a Shape, got ...", m.area_of, named)
raises("name_of(): argument 'named': wanted a Named, got ...", m.name_of, shape)
assert(m.kind(shape) == 'shape' and m.kind(circle) == 'circle' and m.kind(ring) == 'shape')
assert(m.consume(ring) == 9 and m.take_name(circle) == 'circle')
raises('...: this ... was consumed: C owns it', m.area_of, ring)
