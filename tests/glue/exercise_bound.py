"""Everything that bound.cpp does, asserted: python exercise_bound.py FOLDER MODULE."""

from __future__ import annotations

import sys
import warnings
from contextlib import contextmanager
from importlib import import_module

sys.path.insert(0, sys.argv[1])
module = import_module(sys.argv[2])


@contextmanager
def raised(kind, text):
    try:
        yield
    except BaseException as error:
        assert (type(error), str(error)) == (kind, text), repr(error)
    else:
        raise AssertionError(f"no {kind.__name__}")


for kind, error, text in [
    ("python", KeyError, "'set by Python'"),
    ("type", TypeError, "checked 1"),
    ("value", ValueError, "checked 2"),
    ("index", IndexError, "checked 3"),
    ("check", RuntimeError, "checked 4"),
    ("own", KeyError, repr("the framework's own")),
    ("int", RuntimeError, "an exception that is no std::exception"),
    ("bad_alloc", MemoryError, "std::bad_alloc"),
]:
    with raised(error, text):
        module.raises(kind)
assert module.raises("nothing") == {"nothing": 1}

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    assert module.warns(2) == 2
    assert module.call(lambda: 3) == 3
    with raised(TypeError, "3 are too many"):
        module.warns(3)
    with raised(ZeroDivisionError, "division by zero"):
        module.call(lambda: 1 / 0)
texts = ["warning 0", "warning 1", "before the call", "warning 0", "warning 1", "warning 2"]
assert [str(warning.message) for warning in caught] == [*texts, "before the call"]

with warnings.catch_warnings():
    warnings.simplefilter("error")
    result = object()
    references = sys.getrefcount(result)
    for _ in range(10):
        with raised(UserWarning, "warning 0"):
            module.warns(1)
        with raised(UserWarning, "before the call"):
            module.call(lambda: result)
        with raised(TypeError, "3 are too many"):
            module.warns(3)
        # The framework's own exception wins.
        with raised(ZeroDivisionError, "division by zero"):
            module.call(lambda: 1 / 0)
    assert sys.getrefcount(result) == references

module.nothing(True)
with raised(ValueError, "not well"):
    module.nothing(False)
print("done")
