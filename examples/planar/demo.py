"""Computes areas by GEOS, and compares with formulas; fails if the two differ."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import planar


def show_error(call: str, function: Callable[[], object]) -> None:
    """Makes a call that must be refused, and shows how."""
    try:
        function()
    except Exception as error:
        print(f"    {call:<24} {type(error).__name__}: {error}")
    else:
        raise AssertionError(f"{call} was not refused")


def circle(x: float, y: float, radius: float, corners: int = 360) -> planar.Shape:
    """A ring of points, the first of which is also the last."""
    angle = np.linspace(0, 2 * np.pi, corners + 1)
    cos, sin = np.cos(angle), np.sin(angle)
    cos[-1], sin[-1] = cos[0], sin[0]
    return planar.ring(planar.Points(x + radius * cos, y + radius * sin))


def area(radius: float, corners: int = 360) -> float:
    """That of a regular polygon."""
    return corners / 2 * radius**2 * np.sin(2 * np.pi / corners)


def main() -> None:
    planar.begin()
    holes = [circle(2 * k, 0, 0.5) for k in range(-2, 3)]
    disc = planar.polygon(circle(0, 0, 8), holes)
    assert all(hole.closed for hole in holes) and disc.holes() == 5
    np.testing.assert_allclose(disc.area(), area(8) - 5 * area(0.5))
    print(f"a disc with {disc.holes()} holes: {disc.area():.6f}")

    # A hole belongs to its polygon, and keeps it alive.
    hole = disc.hole(0)
    np.testing.assert_allclose(hole.length(), 360 * 2 * 0.5 * np.sin(np.pi / 360))
    shapes = [planar.polygon(circle(10 * k, 0, 1 + k), []) for k in range(4)]
    together = planar.collection(parts=shapes).union()
    np.testing.assert_allclose(together.area(), sum(area(1 + k) for k in range(4)))
    part = together.intersection(planar.polygon(circle(0, 0, 1), []))
    np.testing.assert_allclose(part.area(), area(1))
    print(f"{len(shapes)} discs: {together.area():.6f}")

    prepared = planar.Prepared(disc)
    assert prepared.contains(planar.point(0, 3)) and not prepared.contains(planar.point(0, 0.25))

    print("refused:")
    show_error("polygon(hole, [])", lambda: planar.polygon(hole, []))
    show_error("collection([disc])", lambda: planar.collection(parts=[disc]))
    prepared.close()
    show_error("collection([disc] * 2)", lambda: planar.collection(parts=[disc, disc]))
    planar.collection(parts=[disc])
    show_error("disc.area()", disc.area)
    show_error("hole.length()", hole.length)
    open_ = planar.Points([0, 1, 2], [0, 1, 0])
    show_error("ring(open)", lambda: planar.ring(open_))
    show_error("ring(open) again", lambda: planar.ring(open_))


if __name__ == "__main__":
    main()
