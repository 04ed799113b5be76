"""Checks that a test has requested run at its end; most files build without optimisation."""

import os

import pytest
import support
from compilers import unoptimised

# The results of these files depend on how compilers optimise.
OPTIMISED = {"test_alias.py", "test_as_numpy.py", "test_random_graphs.py", "test_same_bits.py"}


@pytest.fixture(scope="module", autouse=True)
def compilers(request):
    """The compilers of compilers.py, also for the processes that tests start."""
    with pytest.MonkeyPatch.context() as patch:
        if request.path.name not in OPTIMISED:
            for variable, value in unoptimised(os.environ).items():
                patch.setenv(variable, value)
        yield


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem):
    try:
        result = yield
        support.run_checks()
        return result
    finally:
        support.forget_checks()
