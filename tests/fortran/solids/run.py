import gc
import math

import numpy as np
import pytest
import solids
from solids import ball, balloon, solid

assert (solids.max_faces, solids.pi, solids.g) == (20, math.pi, 9.81)
assert (solids.dull, solids.bright, solids.glowing) == (1, 2, 10)
assert solids.version == "1.2" and not hasattr(solids, "hidden")

# An object begins as Fortran declares it, or as a constructor makes it.
one = ball()
assert (one.radius, one.density) == (1, 1)
one.density = 2
assert math.isclose(one.mass(), 2 * one.volume()) and math.isclose(one.volume(), 4 / 3 * math.pi)
assert (ball(2.0).radius, ball(2.0, 3.0).density) == (2, 3)
assert not hasattr(one, "secret") and not hasattr(one, "hide")
with pytest.raises(TypeError, match="cannot create|cannot be created|no constructor"):
    solid()

# The method of the object's own type is called, also through a base.
skin = balloon()
assert isinstance(skin, ball) and isinstance(skin, solid) and "mass" not in vars(balloon)
assert math.isclose(skin.mass(), 4 * math.pi)
one.set(3.0)
assert one.radius == 3
one.set(np.array([1.0, 2.0]))
assert math.isclose(one.volume(), 3)

# Objects that Fortran makes, or not.
assert type(solids.make("ball")) is ball and solids.make("cube") is None
assert math.isclose(solids.make("balloon").mass(), 4 * math.pi)
copy = solids.paint(one)
assert copy.density == 2 and type(copy) is ball
solids.paint(one, skin)
assert skin.density == 2
with pytest.raises(TypeError, match="wanted a solid"):
    solids.paint(3)

# A finalizer is called once, when an object is released.
assert one.grow(0.5) > 0.5 and skin.grow(1.0) == 2 and solids.live() == 2
assert one.log().shape == (1,) and copy.log().size == 0
skin.close()
assert solids.live() == 1
with pytest.raises(ValueError, match="closed"):
    skin.mass()
del one
gc.collect()
assert solids.live() == 0

assert solids.label_all(["ab", "b", "aunt", ""]) == (4, 2)
assert solids.label_all([]) == (0, 0)
assert solids.sampled([1.0, 2.0]) == 2
assert solids.sampled([1.0, 2.0], lambda t: t * t) == 5
with pytest.raises(ZeroDivisionError):
    solids.sampled([0.0], lambda t: 1 / t)
