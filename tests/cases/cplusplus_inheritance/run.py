import gc

import cplusplus_inheritance as m
from support import raises

shape, circle, ring, named = m.Shape(), m.Circle(2), m.Ring(2, 1), m.Named()
assert isinstance(ring, m.Circle) and isinstance(ring, m.Shape) and isinstance(ring, m.Named)
assert issubclass(m.Circle, m.Named) and not isinstance(shape, m.Circle)
assert m.Ring.__mro__[:4] == (m.Ring, m.Circle, m.Shape, m.Named)

# Methods, properties and operators of the bases, each with its part of the object.
assert (shape.area(), circle.area(), ring.area()) == (0, 12, 9)
circle.name, ring.name = "circle", "ring" * 20
assert (
    circle.name == "circle" and m.name_of(ring) == "ring" * 20 and circle.greet() == "I am circle"
)
circle.factor = 2
assert circle.scaled() == 24 and circle.radius == 2 and ring.radius == 2
assert (ring < circle) is True and (circle < ring) is False and shape < ring
assert m.area_of(ring) == 9 and m.total([shape, circle, ring]) == 21
raises(TypeError, "area_of(): argument 'shape': wanted a Shape, got ...Named", m.area_of, named)
raises(TypeError, "name_of(): argument 'named': wanted a Named, got ...Shape", m.name_of, shape)
raises(TypeError, "...", m.Ring.area, named)
raises(
    TypeError,
    "total(): argument 'shapes[1]': wanted a Shape, got ...Named",
    m.total,
    [shape, named],
)

# Overloads: the class itself first.
assert (m.kind(shape), m.kind(circle), m.kind(ring)) == ("shape", "circle", "shape")

# Classes of C are complete.
for base in (m.Shape, m.Circle):
    raises(TypeError, "...cannot be subclassed in Python", type, "Own", (base,), {})
raises(TypeError, "...", type, "Own", (m.Ring,), {})

# C++ destroys the whole object, through a pointer to either base.
assert m.count() == 3
assert m.consume(ring) == 9 and m.count() == 2
raises(ValueError, "...: this Shape was consumed: C owns it", m.area_of, ring)
assert m.take_name(circle) == "circle" and m.count() == 1
raises(ValueError, "...: this Shape was consumed: C owns it", circle.area)
shape.close()
raises(ValueError, "...: this Shape is closed", shape.area)
ring = m.Ring(1, 0)
ring.close()
raises(ValueError, "...: this Named is closed", ring.greet)
del shape, circle, ring
gc.collect()
assert m.count() == 0
for _ in range(100):
    m.Ring(2, 1).name = "a name that is too long to be stored within the string itself"
assert m.count() == 0
