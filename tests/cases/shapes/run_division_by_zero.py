"""A division by zero in a dimension has no value, and the error reports that."""

import shapes as m

try:
    m.divided(0)
except (ValueError, OverflowError, ZeroDivisionError) as error:
    assert "too large" not in str(error), error
else:
    raise AssertionError("12 / 0 has no value")
