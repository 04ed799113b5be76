import numpy as np
import pytest

import @PACKAGE@


def test_mean():
    assert @PACKAGE@.mean([1, 2, 6]) == 3
    assert np.isnan(@PACKAGE@.mean([]))


def test_smooth():
    np.testing.assert_array_equal(@PACKAGE@.smooth([0.0, 3.0, 6.0, 0.0], 3), [1.5, 3, 3, 3])


def test_errors():
    with pytest.raises(ValueError, match="odd"):
        @PACKAGE@.smooth([1.0], 2)
    with pytest.raises(TypeError, match="argument 'x'"):
        @PACKAGE@.mean("text")
