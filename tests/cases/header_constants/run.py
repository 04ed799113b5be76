import header_constants as h
import numpy as np
from support import raises, same

x = np.arange(12.0)
assert h.in_brackets(x[:4]) == h.of_macro(x[:4]) == 3.0
assert h.of_enumerators(x.reshape(3, 4)) == h.of_variable(x) == 11.0
same(h.fill(), [7.0] * 7)
same(h.fill(2), [2.0] * 7)
same(h.count(2), [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]])
raises(
    ValueError,
    "of_macro(): argument 'x': dimension 0 of shape (3,) is 3, but nmax is 4",
    h.of_macro,
    x[:3],
)
# They are not attributes.
assert not {"nmax", "small", "Large", "middle", "from_more"} & set(dir(h))
