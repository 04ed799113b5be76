"""Solves differential equations by CVODE, and compares with SciPy; fails if they differ."""

from __future__ import annotations

import gc
import math
import weakref
from collections.abc import Callable

import cvode
import numpy as np
import numpy.typing as npt
from scipy.integrate import solve_ivp

Function = Callable[[float, npt.NDArray[np.float64]], object]


def show_error(call: str, function: Callable[[], object]) -> None:
    """Makes a call that must be refused, and shows how."""
    try:
        function()
    except Exception as error:
        print(f"    {call:<34} {type(error).__name__}: {error}")
    else:
        raise AssertionError(f"{call} was not refused")


def solver(f: Function, y: npt.NDArray[np.float64], context: cvode.Context) -> cvode.Solver:
    """A solver of y' = f(t, y), which begins at 0."""

    def right_side(t: float, y: cvode.Vector, dy: cvode.Vector) -> None:
        dy.array()[:] = f(t, y.array())

    made = cvode.Solver(cvode.BDF, context)
    made.quiet()
    made.equation(right_side, 0.0, cvode.Vector(y, context))
    made.tolerances(1e-10, 1e-12)
    made.limit(100_000)
    made.diagonal()
    return made


def oscillate(t: float, y: npt.NDArray[np.float64]) -> list[float]:
    """Van der Pol's oscillator."""
    return [y[1], 2 * (1 - y[0] ** 2) * y[1] - y[0]]


def main() -> None:
    context = cvode.Context()
    start = np.array([2.0, 0.0])
    times = np.linspace(0, 20, 41)
    expected = solve_ivp(oscillate, (0, 20), start, "DOP853", times, rtol=1e-12, atol=1e-13)

    s = solver(oscillate, start, context)
    y = start.copy()
    v = cvode.Vector(y, context)
    rows = [y.copy()]
    for end in times[1:]:
        time, code = s.advance(end, v)
        assert time == end and code == cvode.SUCCESS
        rows.append(y.copy())
    error = np.abs(np.array(rows) - expected.y.T).max()
    assert error < 1e-6
    print(f"{len(times)} points in {s.steps()} steps, {error:.0e} from SciPy's solve_ivp")

    # Two callbacks share the user data of a solver: where a stone hits the ground.
    y = np.array([10.0, 5.0])
    v = cvode.Vector(y, context)
    s = solver(lambda t, y: [y[1], -9.81], y, context)
    s.event(lambda t, y: [y.array()[0]])
    time, code = s.advance(100.0, v)
    falls = (5 + math.sqrt(25 + 2 * 9.81 * 10)) / 9.81
    assert code == cvode.ROOT_RETURN and math.isclose(time, falls, rel_tol=1e-8)
    print(f"an event at {time:.6f}, as by the formula")

    # A solver releases a function that is replaced, and keeps the last until it is closed.
    def event(t: float, y: cvode.Vector) -> list[float]:
        return [1.0]

    is_released = weakref.ref(event)
    s.event(event)
    del event
    gc.collect()
    assert is_released() is not None
    s.event(lambda t, y: [2.0])
    gc.collect()
    assert is_released() is None

    print("refused:")
    show_error("1 / 0 in a callback", lambda: solver(lambda t, y: 1 / 0, y, context).advance(1, v))
    fails = solver(lambda t, y: [math.nan] * 2, y, context)
    show_error("a right-hand side that is NaN", lambda: fails.advance(1.0, v))
    show_error("an equation without a solver", lambda: cvode.Solver(cvode.BDF, None))
    show_error("a solver without an equation", lambda: unset(context).advance(1.0, v))
    show_error("a vector of integers", lambda: cvode.Vector(np.array([1, 2]), context))


def unset(context: cvode.Context) -> cvode.Solver:
    """A solver without an equation."""
    made = cvode.Solver(cvode.ADAMS, context)
    made.quiet()
    return made


if __name__ == "__main__":
    main()
