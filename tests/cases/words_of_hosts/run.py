"""Names with a meaning in another host, or in another header."""

import numpy as np
import words_of_hosts as m
from support import raises

assert m.end(2.0, 3.0) == 6.0 and m.end(I=1.0, J=2.0) == 2.0
assert m.repeat(1, 2.0) == 3.0 and m.repeat(I=1, until=2.0) == 3.0
assert m.turned(1 + 2j) == -2 + 1j
key, nonce = m.fill()
assert key.tolist() == [0, 1, 2, 3] and nonce.tolist() == [7, 7, 7]
assert (m.key_bytes, m.crypto_box_NONCEBYTES) == (4, 3)
assert m.total(key) == 10 and m.total(key, 0) == 6
raises(
    ValueError,
    "total(): argument 'key': dimension 0 of shape (3,) is 3, but key_bytes is 4",
    lambda: m.total(np.zeros(3, np.uint8)),
)
