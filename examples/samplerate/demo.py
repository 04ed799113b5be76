"""Converts sample rates by libsamplerate, and compares with SciPy; fails if the two differ."""

from __future__ import annotations

import numpy as np
import samplerate
from scipy.signal import resample_poly


def main() -> None:
    # Two channels, 44.1 kHz to 48 kHz. The ends differ, since the filters do.
    time = np.arange(44100) / 44100
    signal = np.stack([np.sin(2 * np.pi * 440 * time), np.cos(2 * np.pi * 3000 * time)], axis=1)
    ratio = 48000 / 44100
    whole = samplerate.resample(signal.astype(np.float32), ratio)
    wanted = resample_poly(signal, 160, 147, axis=0, window=("kaiser", 12.0))
    inner = slice(1000, 47000)
    error = np.abs(whole[inner] - wanted[inner]).max()
    print(f"{len(signal)} frames at 44.1 kHz are {len(whole)} at 48 kHz")
    print(f"SciPy's differ by {error:.1e}")
    assert abs(len(whole) - 48000) <= 1 and error < 1e-5

    # Piece by piece, with what C has not used yet.
    resampler = samplerate.Resampler(samplerate.SINC_BEST_QUALITY, 2)
    frames, pieces = signal.astype(np.float32), []
    while len(frames):
        piece = frames[:1000]
        ready, used = resampler.process(
            piece, ratio, end_of_input=len(piece) == len(frames), output_frames=700
        )
        pieces.append(ready)
        frames = frames[used:]
    while len(ready):
        ready, _ = resampler.process(frames, ratio, end_of_input=1, output_frames=700)
        pieces.append(ready)
    np.testing.assert_allclose(np.concatenate(pieces), whole, atol=1e-6)
    print(f"{len(pieces)} pieces are the same")

    for call, function in [
        ("Resampler(99, 1)", lambda: samplerate.Resampler(99, 1)),
        ("resample(x, 0)", lambda: samplerate.resample(signal, 0)),
        ("process(mono)", lambda: resampler.process(np.ones((3, 1), np.float32), 1.0)),
    ]:
        try:
            function()
        except (RuntimeError, TypeError, ValueError) as error:
            print(f"    {call:<18} {type(error).__name__}: {error}")
        else:
            raise AssertionError(f"{call} was not refused")


if __name__ == "__main__":
    main()
