"""A map of islands with their coastal waters, by GEOS."""

from __future__ import annotations

from typing import Any

import fishplate
import numpy as np

TITLE = "A map"
WIDTHS = [0.0, 0.15, 0.35, 0.6]


def outlines(shape: Any) -> list[Any]:
    """The corners of each polygon."""
    parts = [shape.part(k) for k in range(shape.count())]
    return [np.stack(part.outline()) for part in parts]


def compute() -> dict[str, Any]:
    """Unite circles to islands, and surround them with zones."""
    geos = fishplate.load("docs/gallery/geos.toml")
    random = np.random.default_rng(8)
    land = geos.Shape("POINT (0 0)").buffer(0.5)
    circles = random.normal(0, [2, 1], (60, 2)), random.gamma(2, 0.12, 60)
    for (x, y), size in zip(*circles, strict=True):
        land = land.union(geos.Shape(f"POINT ({x} {y})").buffer(size))
    zones = [land.buffer(width) for width in WIDTHS]
    areas = [zone.area() for zone in zones]
    assert areas == sorted(areas) and len(outlines(land)) == land.count()
    return {"zones": [outlines(zone) for zone in zones]}


def draw(axes: Any, zones: list[list[Any]]) -> None:
    """Draw the widest zone first."""
    colours = ["#c9b458", "#9fd3e6", "#6fb3d2", "#3f8fbf"]
    for polygons, colour in reversed(list(zip(zones, colours, strict=True))):
        for x, y in polygons:
            axes.fill(x, y, color=colour)
    axes.set_aspect("equal")
    axes.set_axis_off()
