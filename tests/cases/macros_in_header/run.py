import macros_in_header as m
import numpy as np
from support import same

assert m.twice() == 2 and m.twice(4) == 8 and "Twice `x`." in m.twice.__doc__
same(m.fill(3), np.full(3, 7.0))
