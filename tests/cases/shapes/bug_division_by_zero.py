"""A division by zero in a dimension is reported as a value that is too large to compute."""

import shapes as m

try:
    m.divided(0)
except (ValueError, OverflowError, ZeroDivisionError) as error:
    assert "too large" not in str(error), error
else:
    raise AssertionError("12 / 0 has no value")
