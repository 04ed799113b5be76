"""The Lorenz attractor: C integrates, Python defines the equation."""

from __future__ import annotations

from typing import Any

import fishplate
import numpy as np

TITLE = "An ordinary differential equation"


def lorenz(y: Any) -> list[float]:
    """The rate of change at `y`."""
    a, b, c = y
    return [10 * (b - a), a * (28 - c) - b, a * b - 8 / 3 * c]


def compute() -> dict[str, Any]:
    """Follow the equation for 40 units of time."""
    solve = fishplate.load("docs/gallery/ode.toml").runge_kutta
    decay = solve(100, 0.01, lambda y: -y, [1.0, 2.0, 3.0])
    np.testing.assert_allclose(decay[-1], np.exp(-1) * np.array([1, 2, 3]), rtol=1e-8)
    return {"path": solve(4000, 0.01, lorenz, [1.0, 1.0, 1.0])}


def draw(axes: Any, path: Any) -> None:
    """Draw the path from the side."""
    axes.plot(path[:, 0], path[:, 2], linewidth=0.6)
    axes.set_axis_off()
