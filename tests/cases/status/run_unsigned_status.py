"""A return code beyond the range of long long is printed correctly."""

import status as m
from support import raises

raises(RuntimeError, f"wide(): wide returned status {2**64 - 1}", m.wide, 2**64 - 1)
