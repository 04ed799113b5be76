"""An overload for float32 refuses float16, which casts safely and which a function without overloads
takes."""

import numpy as np

import overloads as m

assert m.kind(np.float16(1)) == 2
assert m.kind(np.zeros(2, np.float16)) == 5
