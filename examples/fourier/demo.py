"""Transforms by FFTW, and compares with NumPy; fails if the two differ."""

from __future__ import annotations

import gc
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import fourier
import numpy as np

BACKWARD, MEASURE = 1, 0


def show_error(call: str, function: Callable[[], object]) -> None:
    """Makes a call that must be refused, and shows how."""
    try:
        function()
    except Exception as error:
        print(f"    {call:<34} {type(error).__name__}: {error}")
    else:
        raise AssertionError(f"{call} was not refused")


def main() -> None:
    random = np.random.default_rng(1)

    x, y = fourier.array(1000), np.empty(1000, complex)
    plan = fourier.Plan(x, y, flags=MEASURE)  # it writes to both while it measures
    for _ in range(3):
        x[:] = random.normal(size=1000) + 1j * random.normal(size=1000)
        plan.execute()
        np.testing.assert_allclose(y, np.fft.fft(x), atol=1e-9)
    add, mul, fma = plan.flops()
    print(f"1000 points: {add:.0f} additions, {mul:.0f} multiplications, {fma:.0f} of both")
    print(plan.text().splitlines()[0])

    # A transform and its inverse, by two plans on the same arrays.
    back = fourier.Plan(y, x, sign=BACKWARD)
    before = x.copy()
    plan.execute()
    back.execute()
    np.testing.assert_allclose(x / 1000, before, atol=1e-12)

    # The classes of the arrays choose the transform.
    real = random.normal(size=99)
    half = np.empty(50, complex)
    fourier.Plan(real, half).execute()
    np.testing.assert_allclose(half, np.fft.rfft(real), atol=1e-12)
    image = random.normal(size=(30, 40)) + 0j
    spectrum = np.empty_like(image)
    fourier.Plan(image, spectrum).execute()
    np.testing.assert_allclose(spectrum, np.fft.fft2(image), atol=1e-10)

    # A plan retains its arrays, even without other references.
    x, y = np.ones(8, complex), np.empty(8, complex)
    plan = fourier.Plan(x, y)
    seen = y.view()
    del x, y
    gc.collect()
    plan.execute()
    assert seen[0] == 8

    # Plans are made one at a time, and run in parallel.
    def transform(size: int) -> float:
        one, other = np.full(size, 1 + 0j), np.empty(size, complex)
        with fourier.Plan(one, other) as plan:
            plan.execute()
        return abs(other[0])

    sizes = list(range(100, 400))
    with ThreadPoolExecutor(4) as pool:
        np.testing.assert_allclose(list(pool.map(transform, sizes)), sizes)
    print(f"{len(sizes)} plans by 4 threads")

    print("\nWrong calls say what is wrong:")
    z = np.ones(4, complex)
    show_error("Plan(z, z[:3])", lambda: fourier.Plan(z, z[:3]))
    show_error("Plan(z, [0] * 4)", lambda: fourier.Plan(z, [0] * 4))
    wide = np.empty(8, complex)
    show_error("Plan(z, wide[::2])", lambda: fourier.Plan(z, wide[::2]))
    plan.close()
    show_error("plan.execute()", plan.execute)


if __name__ == "__main__":
    main()
