import math

import module_options as m
import numpy as np

assert m.macros() == 5 + 50 + 500 + 7000
assert m.macros(1) == 1 + 50 + 500 + 7000
assert m.cosine(1.0) == math.cos(1.0)
narrow = m.cosine(np.float32(1))
assert narrow == np.float32(narrow) and abs(narrow - math.cos(1.0)) < 1e-6
assert m.power(3) == 9 and m.power(2, 10) == 1024
