"""Draws the pictures of the gallery into a folder: each script's `compute`, then its `draw`.

`cargo xtask docs` runs this in the root of the repository, with Matplotlib.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import matplotlib
from matplotlib import pyplot

SCRIPTS = ["fit", "spectrum", "image", "ode", "map"]


def main() -> None:
    """Write NAME.svg for each script."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    matplotlib.use("svg")
    for name in SCRIPTS:
        script = importlib.import_module(name)
        figure, axes = pyplot.subplots(figsize=(6.4, 3.6), layout="constrained")
        script.draw(axes, **script.compute())
        figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
        pyplot.close(figure)


if __name__ == "__main__":
    main()
