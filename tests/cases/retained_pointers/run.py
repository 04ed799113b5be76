import gc

import numpy as np
import retained_pointers as m
from retained_pointers import Span


def plan(k):
    return {
        "one_x": np.arange(3.0) + k,
        "one_unit": "metre" + "s" * k,
        "two_x": [10.0 * k],
        "f": lambda x: x + 100 * k,
        "range": Span(k, 2 * k, 0),
    }


def data(k):
    return {
        "scale": 0.5 * k,
        "own": Span(0, 7 + k, 0),
        "names": ["a" * k, "bcd"],
        "all": [Span(1, 0, 0), Span(k, 0, 0)],
        "taps": [k, 1],
    }


def expect(user, k, limits):
    assert user.at(0) == 3 + 3 * k + 5 + k
    assert user.at(1) == 10 * k
    assert user.at(2) == limits
    assert user.at(3) == 0.5 * k and user.at(4) == 7 + k
    assert user.at(5) == k + 3 and user.at(6) == 1 + k and user.at(7) == k - 1
    assert user.at(9) == 2 * k and user.at(10) == 101 * k


def junk():
    gc.collect()
    return [np.full(n, 9.0) for n in range(1, 40)] + ["x" * n for n in range(1, 40)]


user = m.User(limits=Span(1, 5, 1), **plan(2))
count = np.array(3, np.int32)
user.set_data(count=count, **data(2))
waste = junk()
expect(user, 2, 5)
# The number that C has changed, and changes again, in memory of the object.
assert count == 4 and user.at(8) == 5 and user.at(8) == 6 and count == 4

# Other structs replace the first ones.
user.set(**plan(3))
user.set_data(**data(3))
waste += junk()
expect(user, 3, -1)
assert user.at(8) == 3

# Several objects have structs of their own.
users = [m.User(**plan(k)) for k in range(1, 20)]
for k, one in enumerate(users):
    one.set_data(**data(k + 1))
waste += junk()
for k, one in enumerate(users):
    expect(one, k + 1, -1)
