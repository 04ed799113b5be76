import legacy
import numpy as np

x = np.array([1.0, 2.0, 6.0, 3.0])
np.testing.assert_allclose(legacy.smooth(x, 1), [1.5, 3.0, 11 / 3, 4.5])
np.testing.assert_array_equal(legacy.smooth(x, 0), x)
assert legacy.half(3) == 1.5
assert not hasattr(legacy, "old")
