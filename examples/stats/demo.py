"""Calls each function of the module, and NumPy for the same; fails if the two differ."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import stats


def short(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, tuple):
        return "(" + ", ".join(short(each) for each in value) + ")"
    if isinstance(value, np.ndarray):
        text = np.array2string(value, precision=3, threshold=6, edgeitems=2)
        return " ".join(text.split())
    return f"{value:.6g}"


def compare(call: str, ours: Any, numpys: Any) -> None:
    """Shows both results of a call, which must agree to the last digits of their type."""
    for mine, theirs in zip(np.atleast_1d(ours), np.atleast_1d(numpys), strict=True):
        rtol = 1e-6 if np.asarray(theirs).dtype == np.float32 else 1e-12
        np.testing.assert_allclose(mine, theirs, rtol=rtol, atol=1e-12, err_msg=call)
    print(f"{call:<26}{short(ours):<40}{short(numpys)}")


def show_error(function: Callable[..., object], *arguments: object) -> None:
    """Makes a call that must be refused, and shows how."""
    try:
        function(*arguments)
    except (TypeError, ValueError, RuntimeError) as error:
        print(f"    {type(error).__name__}: {error}")
    else:
        raise AssertionError("a wrong call was not refused")


def main() -> None:
    random = np.random.default_rng(1)
    x = random.normal(10, 2, 1000)
    y = 3 * x - 5 + random.normal(0, 1, 1000)
    table = random.normal(size=(50, 3))
    edges = np.linspace(4, 16, 7)

    print(f"{'':<26}{'Fishplate':<40}NumPy")
    compare("mean(x)", stats.mean(x), np.mean(x))
    compare("mean([1, 2, 4])", stats.mean([1, 2, 4]), np.mean([1, 2, 4]))
    compare("mean(x[::-3])", stats.mean(x[::-3]), np.mean(x[::-3]))
    compare("variance(x)", stats.variance(x), np.var(x, ddof=1))
    compare("variance(x, ddof=0)", stats.variance(x, ddof=0), np.var(x))
    compare("rms(x)", stats.rms(x), np.sqrt(np.mean(x**2)))
    single = x.astype(np.float32)
    compare("rms(single)", stats.rms(single), np.sqrt(np.mean(single**2)))
    compare("minmax(x)", stats.minmax(x), (np.min(x), np.max(x)))
    compare("cumulative_sum(x)", stats.cumulative_sum(x), np.cumsum(x))
    compare("histogram(x, edges)", stats.histogram(x, edges), np.histogram(x, edges)[0])
    compare("covariance(table[:, :2])", stats.covariance(table[:, :2]), np.cov(table[:, :2].T))
    slope, intercept = np.polyfit(x, y, 1)
    fit = (slope, intercept, np.corrcoef(x, y)[0, 1])
    compare("linear_fit(x, y)", stats.linear_fit(x, y), fit)

    # In place, even if the elements are not contiguous.
    column = table[:, 1]
    expected = (column - column.mean()) / column.std()
    stats.standardize(column)
    compare("standardize(table[:, 1])", table[:, 1], expected)

    print("\nWrong calls say what is wrong:")
    show_error(stats.linear_fit, x, y[:-1])
    show_error(stats.linear_fit, [1, 1, 1], [1, 2, 3])
    show_error(stats.standardize, [1.0, 2.0])
    show_error(stats.mean, table)


if __name__ == "__main__":
    main()
