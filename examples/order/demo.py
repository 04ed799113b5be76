"""The module compared with NumPy, and the effect of a panic."""

import numpy as np
import order


def show(call, result, expected):
    print(f"{call:<34} {result}")
    assert np.array_equal(result, expected), expected


def show_error(call, function, *arguments):
    try:
        function(*arguments)
    except (RuntimeError, ValueError) as error:
        print(f"{call:<34} {type(error).__name__}: {' '.join(str(error).split())}")
        return error
    raise AssertionError(f"{call} did not fail")


x = np.random.default_rng(7).normal(size=101)
show("nth(x, 3)", order.nth(x, 3), np.sort(x)[3])
show("median(x)", order.median(x), np.median(x))
show("median([[1, 2], [3, 5]])", order.median([[1, 2], [3, 5]]), [1.5, 4.0])

# An `Err` of Rust is a ValueError, a panic a RuntimeError; the program goes on after either.
error = show_error("median([])", order.median, [])
assert type(error) is ValueError and str(error) == "the median of nothing"
error = show_error("nth([1, 2], 7)", order.nth, [1, 2], 7)
assert type(error) is RuntimeError and "the len is 2 but the index is 7" in str(error)
error = show_error("nth(100,000 numbers, 10**6)", order.nth, np.zeros(100_000), 10**6)
assert "the len is 100000" in str(error)
error = show_error("median([[1, 2], [3, nan]])", order.median, [[1, 2], [3, np.nan]])
assert str(error) == "NaN has no place in an order"
show("nth([1, 2], 1)", order.nth([1, 2], 1), 2)
