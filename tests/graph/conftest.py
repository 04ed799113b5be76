"""Checks that a test has asked for are done at its end."""

import pytest
import support


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem):
    try:
        result = yield
        support.run_checks()
        return result
    finally:
        support.forget_checks()
