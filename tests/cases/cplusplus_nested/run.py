import gc
import sys

import cplusplus_nested as m
import numpy as np

NAMED = {
    1: "ArithmeticError('problem')",
    2: "ValueError('invalid')",
    3: "FileNotFoundError(2, 'open: No such file or directory')",
    4: "NotImplementedError('int')",
}


def causes(error):
    while error is not None:
        yield error
        error = error.__cause__


def raised(function, *args):
    try:
        function(*args)
    except Exception as error:
        return list(causes(error))
    raise AssertionError("nothing was raised")


# Every kind in every other.
for outer in (1, 2, 3):
    for inner in (1, 2, 3, 4):
        for function in (m.fail, m.fail_released, m.Thing):
            assert list(map(repr, raised(function, 10 * outer + inner))) == [
                NAMED[outer],
                NAMED[inner],
            ]
assert list(map(repr, raised(m.fail, 12131))) == [NAMED[int(k)] for k in "12131"]
assert list(map(repr, raised(m.fail, 1))) == [NAMED[1]]

# A cause is the context too, as of `raise ... from`.
outer, cause = raised(m.fail, 12)
assert outer.__context__ is cause and outer.__suppress_context__
try:
    try:
        raise OSError("python's")
    except OSError:
        m.fail(12)
except ArithmeticError as error:
    assert repr(error.__cause__.__context__) == 'OSError("python\'s")'

# In a batch the outer exception names the item, and exceptions of other threads are freed.
outer, inner = raised(m.fail_each, [[0, 12], [21, 0]])
assert str(outer) == "problem (item (0, 1))" and repr(inner) == NAMED[2]
many = np.zeros(2_000_000, np.int32)
many[::1000] = 121
for _ in range(5):
    assert [str(one) for one in raised(m.fail_each, many[1:])] == [
        "problem (item (999,))",
        "invalid",
        "problem",
    ]

# The base class of nested exceptions, without one in it.
assert [str(one) for one in raised(m.empty)] == ["nothing in it"]
# A chain has an end.
assert len(raised(m.deep, 50)) == 52 and len(raised(m.deep, 500)) == 101

# In a destructor, the exception is unraisable.
seen = []
hook, sys.unraisablehook = (
    sys.unraisablehook,
    lambda unraisable: seen.append(list(causes(unraisable.exc_value))),
)
thing = m.Thing(0)
del thing
sys.unraisablehook = hook
assert [list(map(repr, one)) for one in seen] == [[NAMED[1], NAMED[2]]]

seen.clear()
del cause, outer, inner
gc.collect()
assert not [
    o for o in gc.get_objects() if isinstance(o, (ArithmeticError, FileNotFoundError)) and o.args
]
