import numpy as np
import pytest

import package_name


def test_mean():
    assert package_name.mean([1, 2, 6]) == 3
    assert np.isnan(package_name.mean([]))


def test_smooth():
    np.testing.assert_array_equal(package_name.smooth([0.0, 3.0, 6.0, 0.0], 3), [1.5, 3, 3, 3])


def test_errors():
    with pytest.raises(ValueError, match="odd"):
        package_name.smooth([1.0], 2)
    with pytest.raises(TypeError, match="argument 'x'"):
        package_name.mean("text")
