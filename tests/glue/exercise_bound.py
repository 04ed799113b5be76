"""The functions of bound.cpp, asserted: python exercise_bound.py FOLDER MODULE."""

from __future__ import annotations

import sys
import warnings
from contextlib import contextmanager
from importlib import import_module

sys.path.insert(0, sys.argv[1])
module = import_module(sys.argv[2])


@contextmanager
def raised(kind, text):
    seen, kinds = [], kind if isinstance(kind, tuple) else (kind,)
    try:
        yield seen
    except BaseException as error:
        assert type(error) in kinds and text in (None, str(error)), repr(error)
        seen.append(error)
    else:
        raise AssertionError(f"no {kinds}")


for kind, error, text in [
    ("python", KeyError, "'set by Python'"),
    ("type", TypeError, "checked 1"),
    ("value", ValueError, "checked 2"),
    ("index", IndexError, "checked 3"),
    ("check", RuntimeError, "checked 4"),
    ("own", KeyError, repr("the framework's own")),
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

# Exceptions that the framework translates are left to it, even if not a std::exception.
OTHERS = [
    (1, LookupError, "weird 1"),
    (2, ValueError, "the framework's"),
    (3, IndexError, "the library's"),
    (4, ConnectionError, "registered"),
    (5, RuntimeError, "also the library's"),
]
for number, error, text in OTHERS:
    with raised(error, text):
        module.translated(number, False)
assert module.translated(0, False) == 0
with raised((RuntimeError, SystemError), None):
    module.raises("int")
unraisable = []
sys.unraisablehook = lambda report: unraisable.append(repr(report.exc_value))
with warnings.catch_warnings():
    warnings.simplefilter("error")
    for number, error, text in OTHERS:
        with raised(error, text) as seen:
            module.translated(number, True)
        # A warning that became an exception is the context, or is reported at least.
        context, before = repr(seen[0].__context__), "UserWarning('before it')"
        assert context == before or unraisable.pop() == before
    assert not unraisable
    with raised(ZeroDivisionError, "division by zero") as seen:
        module.call(lambda: 1 / 0)
    assert repr(seen[0].__context__) == "UserWarning('before the call')"
    with raised(UserWarning, "in place"):
        module.counts_in_place(True)
sys.unraisablehook = sys.__unraisablehook__

# References, and objects that can be neither moved nor copied.
assert module.shared_counter(True).count() == 1
assert module.seen_counter().count() == 2
with raised(ValueError, "no counter"):
    module.shared_counter(False)
assert module.counts_in_place(False) == 0
for _ in range(3):
    with raised(IndexError, "without the GIL"):
        module.checks_without_gil()
    with raised(IndexError, "released"):
        module.checks_released()

module.nothing(True)
with raised(ValueError, "not well"):
    module.nothing(False)
print("done")
