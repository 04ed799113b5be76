import enums as m
import numpy as np
from support import raises, same

assert m.next() == 2 and m.next(2) == 0
same(m.all(), np.arange(3, dtype=np.uint32))
raises(
    OverflowError,
    "next(): argument 'c': -1 is out of range for uint32 (0 to 4294967295)",
    m.next,
    -1,
)
