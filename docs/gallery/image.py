"""A noisy picture without its high frequencies, by the plans of examples/fourier."""

from __future__ import annotations

from typing import Any

import fishplate
import numpy as np

TITLE = "A filtered image"
SIZE = 128


def picture() -> Any:
    """Rings and a bar."""
    y, x = np.mgrid[-1 : 1 : SIZE * 1j, -1 : 1 : SIZE * 1j]
    rings = np.cos(18 * np.hypot(x, y)) * (np.hypot(x, y) < 0.8)
    return rings + 1.5 * ((abs(x - y) < 0.12) & (abs(x + y) < 1.2))


def compute() -> dict[str, Any]:
    """Transform, multiply by a Gaussian, and transform back."""
    fourier = fishplate.load("examples/fourier/fourier.toml")
    image = np.empty((SIZE, SIZE), complex)
    spectrum = np.empty_like(image)
    forward = fourier.Plan(image, spectrum)
    backward = fourier.Plan(spectrum, image, sign=1)
    clean = picture()
    noisy = clean + np.random.default_rng(1).normal(0, 0.8, clean.shape)
    image[:] = noisy
    forward.execute()
    k = np.fft.fftfreq(SIZE)
    spectrum *= np.exp(-0.5 * (np.hypot(*np.meshgrid(k, k)) / 0.06) ** 2)
    backward.execute()
    smooth = image.real / image.size
    assert np.abs(smooth - clean).mean() < 0.5 * np.abs(noisy - clean).mean()
    return {"noisy": noisy, "smooth": smooth}


def draw(axes: Any, noisy: Any, smooth: Any) -> None:
    """Draw the picture before and after, next to each other."""
    axes.imshow(np.hstack([noisy, smooth]), cmap="magma", vmin=-1.5, vmax=2)
    axes.set_axis_off()
