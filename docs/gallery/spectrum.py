"""The spectrum of a chord, by the plans of examples/fourier."""

from __future__ import annotations

from typing import Any

import fishplate
import numpy as np

TITLE = "Spectrum"
RATE = 8000
CHORD = [220.0, 277.0, 330.0]


def compute() -> dict[str, Any]:
    """Transform a second of three tones and noise."""
    fourier = fishplate.load("examples/fourier/fourier.toml")
    time = np.arange(RATE) / RATE
    sound = np.empty(RATE)
    half = np.empty(RATE // 2 + 1, complex)
    plan = fourier.Plan(sound, half)
    sound[:] = sum(np.sin(2 * np.pi * tone * time) for tone in CHORD)
    sound += np.random.default_rng(1).normal(0, 0.5, RATE)
    plan.execute()
    power = abs(half) / RATE
    assert sorted(np.argsort(power)[-3:]) == CHORD
    return {"power": power[:500]}


def draw(axes: Any, power: Any) -> None:
    """Draw the power of each frequency."""
    axes.plot(power, linewidth=1)
    axes.set_xlabel("frequency in Hz")
    for tone in CHORD:
        axes.annotate(f"{tone:.0f}", (tone, power[int(tone)]), ha="center", va="bottom")
