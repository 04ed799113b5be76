"""Computes by GSL, and compares with SciPy; fails if the two differ."""

from __future__ import annotations

import gc
from collections.abc import Callable
from math import cos, exp, log, pi, sqrt

import gsl
import numpy as np
import numpy.typing as npt
from scipy import integrate, interpolate, optimize

Floats = npt.NDArray[np.float64]
Rates = Callable[[float, Floats], list[float]]
Derivatives = Callable[[float, Floats], tuple[list[list[float]], list[float]]]


def show_error(call: str, function: Callable[[], object]) -> None:
    """Makes a call that must be refused, and shows how."""
    try:
        function()
    except Exception as error:
        print(f"    {call:<34} {type(error).__name__}: {error}")
    else:
        raise AssertionError(f"{call} was not refused")


def solve(f: Callable[[float], float], low: float, high: float) -> float:
    """Where `f` is 0."""
    with gsl.Solver(gsl.BRENT) as solver:
        solver.set(f, low, high)
        gc.collect()  # the solver keeps the function
        while solver.high() - solver.low() > 1e-14 * abs(solver.root()):
            solver.iterate()
        return solver.root()


def evolve(
    kind: gsl.StepType, f: Rates, jacobian: Derivatives, start: list[float], end: float
) -> tuple[Floats, int]:
    """The values of a system at the time `end`, and the number of steps."""
    y = np.array(start, float)
    evolution, step, control = gsl.Evolution(y.size), gsl.Step(kind, y.size), gsl.Control()
    t, h, steps = 0.0, 1e-3, 0
    while t < end:
        t, h, y = evolution.step(control, step, f, t, end, h, y, jacobian)
        steps += 1
    return y, steps


def main() -> None:
    print(f"GSL {gsl.VERSION}")

    rng = gsl.Rng()
    rng.seed(1)
    other = rng.clone()
    drawn = rng.gaussian(np.full(100_000, 2.0))
    assert rng.name() == "mt19937" and other.gaussian(2) == drawn[0]
    np.testing.assert_allclose([drawn.mean(), drawn.std()], [0, 2], atol=0.02)
    counts = gsl.Rng(gsl.TAUS).poisson(np.full((20_000, 2), [1, 50]))
    np.testing.assert_allclose(counts.mean(axis=0), [1, 50], rtol=0.02)

    table = drawn.reshape(-1, 4)
    np.testing.assert_allclose(gsl.mean(table[:, 1]), table[:, 1].mean())
    np.testing.assert_allclose(gsl.variance(drawn[::3]), drawn[::3].var(ddof=1))
    wanted = np.corrcoef(table[:, 0], table[:, 3])[0, 1]
    np.testing.assert_allclose(gsl.correlation(table[:, 0], table[:, 3]), wanted, atol=1e-12)

    room = gsl.Workspace()
    for name, f, a, b in [
        ("log(x) / sqrt(x)", lambda x: log(x) / sqrt(x), 0, 1),
        ("exp(-x * x)", lambda x: exp(-x * x), -3, 3),
    ]:
        ours, error = gsl.integrate(f, a, b, room)
        np.testing.assert_allclose(ours, integrate.quad(f, a, b)[0], rtol=1e-8)
        print(f"    integral of {name:<18} {ours:.10f}, give or take {error:.0e}")
    ours, _ = gsl.integrate_to_infinity(lambda x: exp(-x), 0, room)
    np.testing.assert_allclose(ours, 1)

    # A function that C calls may call C that calls a function.
    inner = gsl.Workspace()
    volume, _ = gsl.integrate(lambda y: gsl.integrate(lambda x: x * y, 0, y, inner)[0], 0, 1, room)
    np.testing.assert_allclose(volume, 1 / 8)

    root = solve(lambda x: cos(x) - x, 0, 1)
    np.testing.assert_allclose(root, optimize.brentq(lambda x: cos(x) - x, 0, 1))
    print(f"    cos(x) is x at              {root:.10f}")

    x = np.linspace(0, 2 * pi, 12)
    at = np.random.default_rng(1).uniform(0, 2 * pi, size=(3, 100))
    spline = gsl.Spline(gsl.CUBIC, x.size)
    spline.through(x, np.sin(x))
    curve = interpolate.CubicSpline(x, np.sin(x), bc_type="natural")
    np.testing.assert_allclose(spline.at(at), curve(at), atol=1e-12)
    np.testing.assert_allclose(spline.slope(at), curve(at, 1), atol=1e-12)

    # The equation of van der Pol, by a method that uses the derivatives and by one that does not.
    def oscillate(t: float, y: Floats) -> list[float]:
        return [y[1], 4 * (1 - y[0] ** 2) * y[1] - y[0]]

    def derivatives(t: float, y: Floats) -> tuple[list[list[float]], list[float]]:
        return [[0, 1], [-8 * y[0] * y[1] - 1, 4 * (1 - y[0] ** 2)]], [0, 0]

    exact = integrate.solve_ivp(
        oscillate, (0, 5), [2, 0], "DOP853", None, True, rtol=1e-12, atol=1e-12
    )
    for kind in (gsl.RKF45, gsl.BSIMP):
        ours, steps = evolve(kind, oscillate, derivatives, [2, 0], 5)
        np.testing.assert_allclose(ours, exact.y[:, -1], rtol=1e-6)
        print(f"    van der Pol in {steps:3} steps    {ours[0]:.10f}")

    # A driver retains the functions of its system.
    driver = gsl.Driver(oscillate, 2, gsl.MSBDF, 1e-3, derivatives, epsabs=1e-10, epsrel=1e-10)
    t, y = 0.0, np.array([2.0, 0.0])
    for until in (1.0, 2.5, 5.0):
        t, y = driver.apply(t, until, y)
        wanted = exact.sol(until)
        np.testing.assert_allclose(y, wanted, rtol=1e-6)

    print("\nWhat goes wrong is an exception:")

    def broken(x: float) -> float:
        return 1 / (x - x)

    show_error("integrate(broken, 0, 1, room)", lambda: gsl.integrate(broken, 0, 1, room))
    show_error("integrate(str, 0, 1, room)", lambda: gsl.integrate(str, 0, 1, room))
    show_error("integrate(1 / x, 0, 1, room)", lambda: gsl.integrate(lambda x: 1 / x, 0, 1, room))
    show_error("solve(exp, 0, 1)", lambda: solve(exp, 0, 1))
    show_error("spline.at([1, 7])", lambda: spline.at([1, 7]))
    show_error("spline.through(x[:3], ...)", lambda: spline.through(x[:3], x[:3]))
    room.close()
    show_error("integrate(exp, 0, 1, room)", lambda: gsl.integrate(exp, 0, 1, room))


if __name__ == "__main__":
    main()
