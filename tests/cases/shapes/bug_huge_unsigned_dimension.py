"""A size_t of 2**63 and more is turned into a negative number before it is used as a dimension, and
the error says that it would be negative instead of too large."""

import shapes as m
from support import raises

raises(ValueError, "unsigned(): argument 'y': dimension 0 is too large to compute",
       m.unsigned, 2**63 + 5)
