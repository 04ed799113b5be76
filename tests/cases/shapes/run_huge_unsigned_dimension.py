"""A size_t of 2**63 and more is not a negative dimension, but one that cannot be computed."""

import shapes as m
from support import raises

raises(
    ValueError,
    "unsigned(): argument 'y': dimension 0 overflowed, divided by zero or was read beyond an array",
    m.unsigned,
    2**63 + 5,
)
