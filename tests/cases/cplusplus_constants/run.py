import importlib
import sys

import cplusplus_constants as c
from support import raises

assert c.limit == 2**40 and c.green == 200 and c.old_red == 1 and c.WIDE == 8 and c.SIDES == 6
assert c.name == "lib" and c.VERSION == "2.0" and c.yes is True and c.ratio == 0.25
assert type(c.FIRST) is c.Box and c.sides(c.FIRST) == 6

# Constants of a class are attributes of it, and of its objects, and cannot be set.
assert (c.Box.sides, c.Box.unit, c.Box.next) == (6, "cm", 200)
assert c.FIRST.sides == 6 and not hasattr(c, "Box_sides")
raises(TypeError, "cannot set 'sides' attribute of immutable type ...", setattr, c.Box, "sides", 7)
raises(AttributeError, "...", setattr, c.FIRST, "sides", 7)

# The module again, with the same class.
del sys.modules["cplusplus_constants"]
again = importlib.import_module("cplusplus_constants")
assert again.Box is c.Box and again.Box.sides == 6
