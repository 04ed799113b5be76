import gc

import cplusplus_callback_objects as c
from cplusplus_callback_objects import Circle, Lamp, Named, Row, Shape
from support import raises


def fail(*_):
    raise ZeroDivisionError("no")


# Objects of derived classes have the address of their base.
assert c.sum_used(3, lambda k: Circle(k)) == 15 and c.sum_taken(3, lambda k: Circle(k)) == 15
assert c.sum_used(2, lambda k: Shape()) == 0
assert c.live() == 0
circle = Circle(2)
assert c.sum_used(5, lambda k: circle) == 60 and circle.area() == 12
raises(TypeError, "sum_used(): ...wanted a Shape, got ...Named", c.sum_used, 1, lambda k: Named())
raises(
    RuntimeError,
    "sum_taken(): ...this Circle, which C takes over, is also used elsewhere",
    c.sum_used,
    2,
    lambda k: circle if k < 1 else c.sum_taken(1, lambda j: circle),
)
assert c.sum_taken(1, lambda k: circle) == 12
raises(ValueError, "Shape.area(): ...was consumed...", circle.area)
raises(ValueError, "sum_used(): ...was consumed...", c.sum_used, 1, lambda k: circle)

# An exception of Python takes precedence over that of C++.
raises(ZeroDivisionError, "no", c.sum_used, 2, fail)
raises(ZeroDivisionError, "no", c.sum_taken, 2, fail)
raises(ValueError, "no shape", c.sum_used, 2, lambda k: Circle(1) if k else None)
assert c.live() == 0

# Objects that a std::shared_ptr owns.
lamp = Lamp(5)
assert c.power(lambda: lamp) == 5 and c.power(lambda: Lamp(7)) == 7
raises(TypeError, "power(): ...wanted a Lamp, got None", c.power, lambda: None)
lamp = None
assert c.live() == 0

# A constructor calls it.
row = Row(lambda: Circle(1))
assert row.area() == 6 and c.live() == 2
row.close()
assert c.live() == 0
raises(ZeroDivisionError, "no", Row, fail)
calls = []
raises(ZeroDivisionError, "no", Row, lambda: fail() if calls else calls.append(1) or Circle(1))
gc.collect()
assert c.live() == 0
