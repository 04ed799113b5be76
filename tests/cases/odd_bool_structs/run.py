import numpy as np
import odd_bool_structs as m
from support import raises

BYTES = np.array([1, 2, 0, 255, 128, 0], np.uint8)


def truths(shape=(6,)):
    return np.resize(BYTES, shape).view(bool)


flags = m.Flags(True, truths()[:3])
flags.many[:] = truths()[:3]
flags.two["b"] = truths()[1:3]
assert m.odd_flags(flags) == 0 and m.odd_flags_inplace(flags) == 0
assert flags.many.view(np.uint8).tolist() == [1, 1, 0] and flags.n == 1
array = np.zeros(4, m.Flags.dtype)
array["many"] = np.resize(truths(), (4, 3))
array["two"]["b"] = np.resize(truths(), (4, 2))
assert m.odd_flags(array[1]) == 0
assert m.odd_many(array) == m.odd_many(array[::2]) == 0
assert m.odd_many_copy(array)[1] == 0
message = (
    "odd_many_inout(): argument 'f': the array has bytes other than 0 and 1, and may not be copied"
)
raises(ValueError, message, m.odd_many_inout, array)
assert array["many"].copy().view(np.uint8).max() == 255
assert m.odd_many_inplace(array) == 0
assert array["many"].copy().view(np.uint8).max() == 1
assert m.odd_many_inout(array) == 0
