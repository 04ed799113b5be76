"""A list whose integers NumPy can only read as float64 together ([0, 2**63]) is read for a uint64, and
is an OverflowError for an int64."""

import numpy as np
import scalars
from support import raises, same

raises(
    OverflowError,
    "keep_int64(): argument 'array': element 1 is out of range for int64",
    scalars.keep_int64,
    0,
    0,
    [0, 2**63],
)
same(scalars.keep_uint64(0, 0, [0, 2**63])[1], np.array([0, 2**63], np.uint64))
