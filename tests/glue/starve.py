"""Each allocation of Python fails in turn: python starve.py FOLDER.

Every call must return its result or an exception, and leak no reference.
"""

from __future__ import annotations

import _testcapi
import sys
import warnings

sys.path.insert(0, sys.argv[1])
import plain  # noqa: E402
import throwing  # noqa: E402

RESULT = object()


def missing():
    raise KeyError("missing")


CALLS = [
    (throwing.raises, "invalid_argument"),
    (throwing.raises, "check_type"),
    (throwing.raises, "unset"),
    (throwing.call, missing),
    (throwing.text_of, missing),
    (throwing.warns, 2, RESULT),
    (throwing.warns_and_raises, "out_of_range"),
    (throwing.warns_and_fails,),
    (throwing.owns, RESULT),
    (plain.checks, "3"),
    (plain.cleans_up, RESULT),
    (plain.warns, RESULT),
    (plain.warns, None),
]


# No call makes as many.
MOST = 100


def starve(function, *arguments):
    """Returns how often the call failed for want of memory."""
    failed = 0
    for allocation in range(1, MOST):
        _testcapi.set_nomemory(allocation, allocation + 1)
        try:
            function(*arguments)
        except MemoryError:
            failed += 1
        except Exception:
            pass
        finally:
            _testcapi.remove_mem_hooks()
        # A failed call has no effect on the next one.
        throwing.quiet()
        plain.cleans_up(RESULT)
    return failed


for action in ("ignore", "error"):
    for call in CALLS:
        with warnings.catch_warnings():
            warnings.simplefilter(action)
            before = sys.getrefcount(RESULT)
            assert starve(*call) < MOST - 1, call
            assert sys.getrefcount(RESULT) == before, call
print("done")
