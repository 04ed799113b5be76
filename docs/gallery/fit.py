"""A line through noisy points, by the C functions of examples/stats."""

from __future__ import annotations

from typing import Any

import fishplate
import numpy as np

TITLE = "Least squares"


def compute() -> dict[str, Any]:
    """Fit a line to points with noise."""
    stats = fishplate.load("examples/stats/stats.toml")
    random = np.random.default_rng(3)
    x = np.sort(random.uniform(0, 10, 80))
    y = 1.5 * x - 2 + random.normal(0, 1.5, 80)
    slope, intercept, r = stats.linear_fit(x, y)
    np.testing.assert_allclose([slope, intercept], np.polyfit(x, y, 1))
    return {"x": x, "y": y, "slope": slope, "intercept": intercept, "r": r}


def draw(axes: Any, x: Any, y: Any, slope: float, intercept: float, r: float) -> None:
    """Draw the points and the line."""
    axes.plot(x, y, "o", markersize=4, alpha=0.6)
    axes.plot(
        x,
        slope * x + intercept,
        linewidth=2,
        label=f"{slope:.2f} x - {-intercept:.2f}, r = {r:.2f}",
    )
    axes.legend()
